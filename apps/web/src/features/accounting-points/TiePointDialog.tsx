import { accountingPoints, type TreeObject } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { FormDialog, useForm } from "#ui/form";
import { PickerField, type Picked } from "#ui/picker";
import { refreshed } from "./points.ts";

const most = 25;

/** Places an existing point at a node. */
export function TiePointDialog({
  node,
  onClose,
}: {
  readonly node: TreeObject;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("accountingPoints");
  const [search_string, setSearch] = useState("");
  const query = useCall(
    accountingPoints.companyList,
    { body: { per_page: most, sort_field: "name", sort: "asc", search_string } },
    { isQuiet: true, keepsPrevious: true, freshMs: 10_000 },
  );
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
  const offered = (query.data?.accounting_points.data ?? []).map(({ id, name, parent_name }) => ({
    id: String(id),
    title: name,
    note: [t("number", { id }), parent_name ?? t("form.noObject")].join(" · "),
  }));
  return (
    <FormDialog
      form={form}
      title={t("node.tieTitle", { name: node.name })}
      size={450}
      action={t("tieObject.action")}
      onClose={onClose}
    >
      <p>{t("tieObject.text")}</p>
      <PickerField
        label={t("node.point")}
        data-autofocus
        {...form.field("point")}
        offered={offered}
        onSearch={setSearch}
        note={t(query.isError ? "picker.failed" : query.data ? "picker.none" : "picker.loading")}
      />
    </FormDialog>
  );
}
