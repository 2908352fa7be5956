import { suppliers, type Supplier } from "@metrum/contract/access";
import { emailPattern, isInn } from "@metrum/contract/core";
import { refetch } from "#lib/call";
import { defineRecord, RecordDialog, rowsOf } from "#ui/record";
import { refreshed } from "./directories.ts";

interface Props {
  /** The supplier to change; null adds one. */
  readonly supplier: Supplier | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a supplier. */
export function SupplierDialog({ supplier, onClose, onSaved }: Props) {
  return (
    <RecordDialog
      form={supplierForm}
      record={supplier}
      given={{}}
      onClose={onClose}
      onSaved={(reply) => onSaved(reply.supplier._id)}
    />
  );
}

type Values = ReturnType<typeof valuesOf>;

const { text, day, beside } = rowsOf<Values>();

const supplierForm = defineRecord<Supplier, Values>()({
  texts: ["directories"],
  titles: "field",
  size: 500,
  title: (of, t) => (of ? t("form.edit", { name: of.name }) : t("form.add.suppliers")),
  values: valuesOf,
  required: ["name"],
  check: ({ inn, email }) => ({
    inn: isInn(inn.trim()) ? undefined : "inn",
    email: email.trim() === "" || emailPattern.test(email.trim()) ? undefined : "email",
  }),
  faults: ["inn", "email"],
  rows: [
    text("name", { most: 255, isFirst: true }),
    beside(
      text("inn", { most: 12, inputMode: "numeric" }),
      text("number_of_contract", { most: 255 }),
      text("email", { most: 255, type: "email" }),
      day("report_date"),
    ),
  ],
  body: bodyOf,
  add: (body, ask) => ask(suppliers.create, { body }),
  change: (of, changed, ask) => ask(suppliers.update, { body: { _id: of._id, ...changed } }),
  refresh: () => refetch(...refreshed.suppliers),
});

function valuesOf(of: Supplier | null) {
  return {
    name: of?.name ?? "",
    inn: of?.inn ?? "",
    number_of_contract: of?.number_of_contract ?? "",
    email: of?.email ?? "",
    report_date: of?.report_date ?? "",
  };
}

function bodyOf({ report_date, ...values }: Values) {
  return { ...values, report_date: report_date || null };
}
