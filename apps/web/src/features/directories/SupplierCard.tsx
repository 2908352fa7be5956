import { suppliers, type Supplier } from "@metrum/contract/access";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { lazily } from "#lib/load";
import { useAllowed } from "#lib/session";
import { dayText } from "#ui/dateField";
import { removeSupplier } from "./actions.ts";
import { Card, CardOf } from "./CardFrame.tsx";
import { isPermitted } from "./permitted.ts";
import { PointsPart } from "./PointsPart.tsx";

const SupplierDialog = lazily(async () => ({
  default: (await import("./SupplierDialog.tsx")).SupplierDialog,
}));

interface Props {
  readonly id: string;
  readonly onRemoved: () => void;
}

/** A supplier and the points that it supplies, now and before. */
export function SupplierCard({ id, onRemoved }: Props) {
  const query = useCall(suppliers.get, { params: { id } }, { isQuiet: true });
  return (
    <CardOf query={query}>{({ supplier }) => <Shown supplier={supplier} onRemoved={onRemoved} />}</CardOf>
  );
}

function Shown({ supplier, onRemoved }: { readonly supplier: Supplier; readonly onRemoved: () => void }) {
  const { t } = useTranslation("directories");
  const mayChange = useAllowed("6:update");
  const mayDelete = useAllowed("6:delete");
  const [isEditing, setEditing] = useState(false);
  const edit = () => {
    if (isPermitted(suppliers.update)) setEditing(true);
  };
  const remove = async () => {
    if (await removeSupplier(supplier, t)) onRemoved();
  };
  return (
    <Card
      name={supplier.name}
      facts={[
        ["number", supplier._id],
        ["number_of_contract", supplier.number_of_contract],
        ["inn", supplier.inn],
        ["email", supplier.email],
        ["report_date", supplier.report_date && dayText(supplier.report_date)],
      ]}
      onEdit={mayChange ? edit : undefined}
      menu={
        mayDelete
          ? [
              {
                id: "remove",
                title: t("remove.action"),
                icon: "trash",
                isHarmful: true,
                onSelect: () => void remove(),
              },
            ]
          : []
      }
    >
      <PointsPart kind="suppliers" id={supplier._id} />
      {isEditing ? (
        <Suspense>
          <SupplierDialog supplier={supplier} onClose={() => setEditing(false)} onSaved={() => undefined} />
        </Suspense>
      ) : null}
    </Card>
  );
}
