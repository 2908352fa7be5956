import { listViews, viewBounds, type ListViewRow, type ViewedList } from "@metrum/contract/core";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { Checkbox, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import type { ViewState } from "./views.ts";

interface Props {
  readonly list: ViewedList;
  readonly state: ViewState;
  readonly mayShare: boolean;
  readonly onSaved: (view: ListViewRow) => void;
  readonly onClose: () => void;
}

/** Saves the present filters, order and columns of a list under a name. */
export function ViewDialog({ list, state, mayShare, onSaved, onClose }: Props) {
  const { t } = useTranslation("listViews");
  const form = useForm({
    stored: { name: "", is_shared: false },
    required: ["name"],
    send: (values, options) => exchange(listViews.create, { body: { list, state, ...values } }, options),
    onSaved: async ({ view }) => {
      onSaved(view);
      onClose();
      await refetch(listViews.list);
    },
  });
  return (
    <FormDialog form={form} title={t("new")} action={t("create")} onClose={onClose}>
      <TextField
        label={t("name")}
        hint={t("contains")}
        {...form.field("name")}
        maxLength={viewBounds.name}
        autoComplete="off"
        data-autofocus
      />
      {mayShare ? (
        <Checkbox
          name="is_shared"
          checked={form.values.is_shared}
          onChange={({ currentTarget: { checked } }) => form.set({ is_shared: checked })}
        >
          {t("share")}
        </Checkbox>
      ) : null}
    </FormDialog>
  );
}
