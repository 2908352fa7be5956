import { suppliers } from "@metrum/contract/access";
import { lazily } from "#lib/load";
import { SupplierCard } from "./SupplierCard.tsx";
import { supplierList } from "./supplierList.tsx";
import { directoryScreen } from "./directoryScreen.tsx";

const SupplierDialog = lazily(async () => ({
  default: (await import("./SupplierDialog.tsx")).SupplierDialog,
}));

/** Suppliers of the company, and the card of one. */
export const SuppliersPage = directoryScreen({
  kind: "suppliers",
  list: supplierList,
  create: suppliers.create,
  Card: SupplierCard,
  added: (props) => <SupplierDialog supplier={null} {...props} />,
});
