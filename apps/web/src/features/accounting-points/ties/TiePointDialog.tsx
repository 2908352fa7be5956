import { accountingPoints, type TreeObject } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { FormDialog, useForm } from "#ui/form";
import type { Picked } from "#ui/picker";
import { PointPicker } from "../pickers.tsx";
import { refreshed } from "../points.ts";

/** Places an existing point at a node. */
export function TiePointDialog({
  node,
  onClose,
}: {
  readonly node: TreeObject;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("accountingPoints");
  const form = useForm({
    stored: { point: null as Picked | null },
    required: ["point"],
    names: { accounting_point_id: "point" },
    send: ({ point }, options) =>
      exchange(
        accountingPoints.tieObject,
        { params: {}, body: { accounting_point_id: Number(point?.id ?? 0), object_id: node._id } },
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
      title={t("node.tieTitle", { name: node.name })}
      size={450}
      action={t("tieObject.action")}
      onClose={onClose}
    >
      <p>{t("tieObject.text")}</p>
      <PointPicker label={t("node.point")} data-autofocus {...form.field("point")} />
    </FormDialog>
  );
}
