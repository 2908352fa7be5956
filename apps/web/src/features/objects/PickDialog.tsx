import type { TreeObject } from "@metrum/contract";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { Checkbox } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";
import { mostPlaced, place, tiesOf, usePlaced, type PlacedKind } from "./placed.ts";

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
  const { rows, total } = usePlaced({ kind, search });
  const form = useForm({
    stored: { chosen: nothing },
    send: async ({ chosen }) => (isPermitted(tiesOf[kind]) ? place(kind, node._id, chosen) : undefined),
    onSaved: async () => {
      onClose();
      await refetch(...refreshed);
    },
  });
  const { chosen } = form.values;
  const toggle = (id: number) =>
    form.set({ chosen: chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id] });
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
      <SearchBox
        label={t("placed.search")}
        value={search}
        onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
      />
      {rows ? (
        <ul className="objects-pick">
          {rows.map((row) => (
            <li key={row.id}>
              <Checkbox checked={chosen.includes(row.id)} onChange={() => toggle(row.id)}>
                <b>{row.name}</b> <small>{row.number}</small>
              </Checkbox>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={160} />
      )}
      {total > mostPlaced ? (
        <p>{t("placed.more", { shown: number(mostPlaced, 0), total: number(total, 0) })}</p>
      ) : null}
    </FormDialog>
  );
}
