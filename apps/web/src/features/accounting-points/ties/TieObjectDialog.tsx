import { accountingPoints, type AccountingPoint } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { FormDialog, useForm } from "#ui/form";
import { ObjectPicker } from "../pickers.tsx";
import { refreshed } from "../points.ts";

/** Places a point at another node of the tree. */
export function TieObjectDialog(props: { readonly point: AccountingPoint; readonly onClose: () => void }) {
  const { point, onClose } = props;
  const { t } = useTranslation("accountingPoints");
  const form = useForm({
    stored: {
      parent:
        point.parent_id === null
          ? null
          : { id: point.parent_id, title: point.parent_name ?? point.parent_id },
    },
    required: ["parent"],
    names: { object_id: "parent" },
    send: ({ parent }, options) =>
      exchange(
        accountingPoints.tieObject,
        { params: {}, body: { accounting_point_id: point.id, object_id: parent?.id ?? "" } },
        options,
      ),
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  return (
    <FormDialog
      form={form}
      title={t("tieObject.title", { name: point.name })}
      size={450}
      action={t("tieObject.action")}
      onClose={onClose}
    >
      <p>{t("tieObject.text")}</p>
      <ObjectPicker label={t("tieObject.object")} data-autofocus {...form.field("parent")} />
    </FormDialog>
  );
}
