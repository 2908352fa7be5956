import type { TreeObject } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { FormDialog, useForm } from "#ui/form";
import { refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";
import { PickList } from "./PickList.tsx";
import { place, tiesOf, usePlaced, type PlacedKind } from "./placed.ts";

const nothing: readonly number[] = [];

/** Chooses devices, gateways or stations to place at a node. The choice is kept while searching. */
export function PickDialog(props: {
  readonly node: TreeObject;
  readonly kind: PlacedKind;
  readonly onClose: () => void;
}) {
  const { node, kind, onClose } = props;
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const [search, setSearch] = useState("");
  const { rows, total, query } = usePlaced({ kind, search });
  const form = useForm({
    stored: { chosen: nothing },
    send: async ({ chosen }) => (isPermitted(tiesOf[kind]) ? place(kind, node._id, chosen) : undefined),
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  const { chosen } = form.values;
  return (
    <FormDialog
      form={form}
      title={t(`placed.title.${kind}`, { name: node.name })}
      size={450}
      action={t("placed.place")}
      isDisabled={form.isBusy || chosen.length === 0}
      onClose={onClose}
      foot={<span role="status">{t("placed.chosen", { shown: number(chosen.length, 0) })}</span>}
    >
      <p>{t("placed.text")}</p>
      <PickList
        searchLabel={t("placed.search")}
        search={search}
        onSearch={setSearch}
        rows={rows?.map(({ id, name, number: detail }) => ({ id, name, detail }))}
        {...{ total, query, chosen }}
        onChosen={(next) => form.set({ chosen: next })}
      />
    </FormDialog>
  );
}
