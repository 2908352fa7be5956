import { models } from "@metrum/contract/metering";
import { isMessageType, messageTypes, resources } from "@metrum/vocabulary";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { DateRange } from "#ui/dateRange";
import type { GridState, ListState } from "#ui/grid";
import { ResourceIcon } from "#ui/icon";
import { choice, many, search, type Words } from "#ui/list";
import { boardTypes, dayText, longestSec, type View } from "./completeness.ts";

const lasting = { freshMs: 3_600_000, isQuiet: true };

interface Context {
  readonly known: readonly { readonly id: number; readonly brand: string; readonly title: string }[];
}

const types = choice<Context>("type", {
  label: "completeness:type",
  usual: "1",
  options: ({ language }) =>
    boardTypes
      .filter(isMessageType)
      .map((id) => ({ value: String(id), title: messageTypes[id].title[language] })),
});
const text = search<Context>("completeness:search");
const chips = many<Context>(["resource", "model"], ({ t, language, known }) => [
  {
    id: "resource",
    title: t("devices:filters.resource"),
    options: resources.map(({ deviceGroupId, title, key }) => ({
      id: String(deviceGroupId),
      title: title[language],
      icon: <ResourceIcon resource={key} />,
    })),
  },
  {
    id: "model",
    title: t("devices:filters.model"),
    options: known.map(({ id, brand, title }) => ({ id: String(id), title: `${brand} ${title}` })),
  },
]);

interface Props {
  readonly state: GridState;
  readonly change: ListState["change"];
  readonly view: View;
  readonly now: number;
  readonly total: number | undefined;
}

/** Period, message type and filters; all of them are kept in the address. */
export function BoardBar({ state, change, view, now, total }: Props) {
  const { t } = useTranslation(["completeness", "devices"]);
  const format = useFormat();
  const { zone } = useSession();
  const { data } = useCall(models.devices, { body: {} }, lasting);
  const context: Words & Context = { t, ...format, zone, known: data?.metering_devices ?? [] };
  const put = useCallback(
    (id: string, values: readonly string[]) => {
      const rest = Object.entries(state.filters).filter(([name]) => name !== id);
      change({ filters: Object.fromEntries(values.length > 0 ? [...rest, [id, values]] : rest) });
    },
    [state.filters, change],
  );
  const limits = useMemo(() => ({ maxSpan: longestSec, zone, now }), [zone, now]);
  const props = { state, change, put, context, total };
  return (
    <div className="list-bar">
      <DateRange
        range={view.range}
        limits={limits}
        onRange={({ start, end }) =>
          change({ filters: { ...state.filters, from: [dayText(start, zone)], to: [dayText(end, zone)] } })
        }
      />
      <types.Draw {...props} />
      <text.Draw {...props} />
      <chips.Draw {...props} />
    </div>
  );
}
