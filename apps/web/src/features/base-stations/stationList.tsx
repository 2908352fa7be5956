import {
  baseStations,
  baseStationSortFields,
  type BaseStation,
  type BaseStationSelection,
} from "@metrum/contract/metering";
import { placeInput, placeOf, placeOfRow } from "#carriers";
import { modelHref } from "#models";
import type { GridState } from "#ui/grid";
import { columnsOf, defineList, pageInput, PhoneRow, search, type Words } from "#ui/list";
import { StationMenu, type StationActions } from "./StationMenu.tsx";

type Said = Words & StationActions;

/** Base stations that the state in the address shows, on all pages. */
export function selectionOf(state: GridState): BaseStationSelection {
  const { search_string } = pageInput(state);
  return { ...(search_string === undefined ? {} : { search_string }), ...placeInput(placeOf(state)) };
}

const radiusText = ({ radius }: BaseStation, { t, number }: Pick<Words, "t" | "number">): string =>
  radius === 0 ? "—" : t("metres", { radius: number(radius, 0) });

const { text, number, link, actions } = columnsOf<BaseStation, StationActions>();

/** Base stations of the company, or those in its archive or trash. */
export const stationList = defineList({
  call: baseStations.list,
  key: "baseStations",
  texts: ["baseStations"],
  label: "list",
  empty: "empty",
  found: "found",
  sort: { field: "name", desc: false },
  addressed: ["show"],
  input: (state) => {
    const field = baseStationSortFields.find((each) => each === state.sort?.field);
    return {
      body: {
        ...pageInput(state),
        ...(field ? { sort_field: field } : {}),
        ...selectionOf(state),
      },
    };
  },
  answer: ({ base_stations: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: BaseStation) => String(row.id),
  open: (row, { mayChange, onEdit }: Said) => {
    if (mayChange && placeOfRow(row) === "present") onEdit(row);
  },
  filters: [search("search")],
  columns: [
    text("name", 220, (row) => row.name, { sort: "name", isName: true, file: "name" }),
    text("number", 170, (row) => row.device_id || null, { sort: "device_id", file: "device_id" }),
    link(
      "model",
      150,
      {
        text: (row) => row.model_title,
        href: ({ model_id }) => (model_id === null ? undefined : modelHref(model_id)),
      },
      { isQuiet: true, file: "model_title" },
    ),
    text("radius", 110, radiusText, { align: "right", sort: "radius", file: "radius" }),
    number("devices", 110, (row) => row.devices_count, { file: "devices_count" }),
    text("desc", 280, (row) => row.desc || null, { isQuiet: true, file: "desc" }),
    actions("menu", 56, (row, context) => <StationMenu station={row} {...context} />, { title: "" }),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={row.name}
      aside={context.t("behind", { count: row.devices_count })}
      line={row.desc || row.device_id}
      end={radiusText(row, context)}
      menu={<StationMenu station={row} {...context} />}
    />
  ),
});
