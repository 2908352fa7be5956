import { suppliers, type Supplier } from "@metrum/contract/access";
import { emailPattern, isInn } from "@metrum/contract/core";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { DateField } from "#ui/dateField";
import { TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { changedFrom } from "./changed.ts";
import { refreshed } from "./directories.ts";

interface Props {
  /** The supplier to change; null adds one. */
  readonly supplier: Supplier | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a supplier. */
export function SupplierDialog({ supplier, onClose, onSaved }: Props) {
  const { t } = useTranslation("directories");
  const stored = valuesOf(supplier);
  const form = useForm({
    stored,
    required: ["name"],
    check: ({ inn, email }) => ({
      inn: isInn(inn.trim()) ? undefined : "inn",
      email: email.trim() === "" || emailPattern.test(email.trim()) ? undefined : "email",
    }),
    words: (code) => (["inn", "email"].includes(code) ? t(`fault.${code}`) : undefined),
    send: (values, options) =>
      supplier
        ? exchange(
            suppliers.update,
            { body: { _id: supplier._id, ...changedFrom(bodyOf(stored), bodyOf(values)) } },
            options,
          )
        : exchange(suppliers.create, { body: bodyOf(values) }, options),
    onSaved: async (reply) => {
      onClose();
      await refetch(...refreshed.suppliers);
      onSaved(reply.supplier._id);
    },
  });
  return (
    <FormDialog
      form={form}
      title={supplier ? t("form.edit", { name: supplier.name }) : t("form.add.suppliers")}
      size={500}
      action={t(supplier ? "form.save" : "form.create")}
      onClose={onClose}
    >
      <TextField
        label={t("field.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <div className="directories-fields">
        <TextField
          label={t("field.inn")}
          {...form.field("inn")}
          maxLength={12}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          label={t("field.number_of_contract")}
          {...form.field("number_of_contract")}
          maxLength={255}
          autoComplete="off"
        />
        <TextField
          label={t("field.email")}
          {...form.field("email")}
          type="email"
          maxLength={255}
          autoComplete="off"
        />
        <DateField label={t("field.report_date")} {...form.field("report_date")} />
      </div>
    </FormDialog>
  );
}

function valuesOf(supplier: Supplier | null) {
  return {
    name: supplier?.name ?? "",
    inn: supplier?.inn ?? "",
    number_of_contract: supplier?.number_of_contract ?? "",
    email: supplier?.email ?? "",
    report_date: supplier?.report_date ?? "",
  };
}

const bodyOf = ({ report_date, ...values }: ReturnType<typeof valuesOf>) => ({
  ...values,
  report_date: report_date || null,
});
