import { consumers } from "@metrum/contract/access";
import { objects } from "@metrum/contract/accounting";
import { useCall } from "#lib/call";
import type { Words } from "#ui/list";
import { ConsumerPicker, ObjectPicker } from "../pickers.tsx";
import type { GridState } from "#ui/grid";

interface Props {
  readonly state: GridState;
  readonly put: (id: string, values: readonly string[]) => void;
  readonly context: Words;
}

const lasting = { isQuiet: true, freshMs: 60_000 };

const idOf = ({ filters }: GridState, name: string) =>
  filters[name]?.find((each) => /^\d{1,9}$/.test(each)) ?? null;

/** Only points at a node of the tree or below it. */
export function BranchFilter({ state, put, context: { t } }: Props) {
  const id = idOf(state, "object");
  const known = useCall(
    objects.get,
    { body: { object_id: id ?? "" } },
    { ...lasting, isEnabled: id !== null },
  );
  const name = known.data?.object.name ?? (id === null ? "" : t("filter.objectId", { id }));
  return (
    <ObjectPicker
      label={t("filter.object")}
      placeholder={t("filter.anyObject")}
      value={id === null ? null : { id, title: name }}
      onValue={(chosen) => put("object", chosen === null ? [] : [chosen.id])}
    />
  );
}

/** Only points of a consumer. */
export function PartyFilter({ state, put, context: { t } }: Props) {
  const id = idOf(state, "consumer");
  const known = useCall(consumers.get, { params: { id: id ?? "" } }, { ...lasting, isEnabled: id !== null });
  const name = known.data?.consumer.name ?? (id === null ? "" : t("filter.consumerId", { id }));
  return (
    <ConsumerPicker
      label={t("filter.consumer")}
      placeholder={t("filter.anyConsumer")}
      value={id === null ? null : { id, title: name }}
      onValue={(chosen) => put("consumer", chosen === null ? [] : [chosen.id])}
    />
  );
}
