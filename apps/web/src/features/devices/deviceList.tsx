import type { ReplyOf } from "@metrum/contract/core";
import { devices, deviceStates } from "@metrum/contract/metering";
import { interfaceTitle, interfaceWords, loadPermits, placeFilter, placeOfRow } from "#carriers";
import { refetch, send } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { modelHref } from "#models";
import { columnsOf, defineList, many, search, type Words } from "#ui/list";
import {
  Completeness,
  hrefOf,
  LastData,
  Name,
  PhoneLines,
  Reading,
  stateOf,
  viaOf,
  type Context,
} from "./deviceCells.tsx";
import { chipsOf } from "./deviceChips.tsx";
import { DeviceMenu } from "./DeviceMenu.tsx";
import { listInput, searchFrom, type DeviceRow } from "./devices.ts";

type ListRow = ReplyOf<typeof devices.list>["metering_devices"]["data"][number];

const hasId = (row: ListRow): row is ListRow & { id: number } => row.id !== undefined;
/** Without a connection the check cannot be loaded: the change is attempted, and its failure is reported. */
const maySwitch = async () => (await loadPermits())?.isPermitted(devices.switch) ?? true;
const stateWords = ({ t }: Words) =>
  Object.fromEntries(deviceStates.map((state) => [state, t(`state.${state}`)]));

const { cell, text, status, link, toggle, actions } = columnsOf<DeviceRow, Context>();

/** Metering devices of the company. */
export const deviceList = defineList({
  call: devices.list,
  key: "devices",
  texts: ["devices"],
  label: "list",
  empty: "empty",
  found: "found",
  sort: { field: "name", desc: false },
  hasChooser: true,
  builtIn: [
    {
      id: "silent",
      state: {
        ...{ q: "", filters: { status: ["silent"] }, cols: null },
        sort: { field: "last_data", desc: false },
      },
    },
  ],
  input: (state) => ({ body: listInput(state) }),
  answer: ({ metering_devices: { data, total } }) => ({ rows: data.filter(hasId), total }),
  rowKey: (row: DeviceRow) => String(row.id),
  rowClass: (row) => (row.is_active === false ? "is-off" : ""),
  href: hrefOf,
  addressed: [placeFilter],
  filters: [
    search("search", searchFrom),
    many(["status", "resource", "model", "interface", "active"], chipsOf),
  ],
  columns: [
    status("status", 140, stateOf, { file: { of: "state", words: stateWords } }),
    cell(
      "name",
      244,
      { value: (row) => row.name, cell: (row, { language }) => <Name row={row} language={language} /> },
      {
        sort: "name",
        isName: true,
        file: [
          { of: "name", title: "file.name" },
          { of: "place", title: "file.place" },
        ],
      },
    ),
    link(
      "model",
      96,
      {
        text: (row) => row.model_title,
        href: (row) => (row.model_id === undefined ? undefined : modelHref(row.model_id)),
      },
      { sort: "model", isQuiet: true, file: "model_title" },
    ),
    text("interface", 86, (row, { language }) => interfaceTitle(row.interface_id, language), {
      sort: "interface",
      isQuiet: true,
      file: { of: "interface_id", words: interfaceWords },
    }),
    text("via", 84, viaOf, { file: { of: ["gateway.name", "base_station.name"] } }),
    cell(
      "reading",
      142,
      {
        value: (row) => row.last_reading?.value,
        cell: (row, context) => <Reading row={row} context={context} />,
      },
      {
        align: "right",
        file: [{ of: "last_reading.value" }, { of: "last_reading.unit", title: "column.unit" }],
      },
    ),
    cell(
      "last_data",
      144,
      {
        value: ({ last_data_at: at }, { zone }) => (typeof at === "number" ? formatDateTime(at, zone) : null),
        cell: (row, context) => <LastData row={row} context={context} />,
      },
      { align: "right", sort: "last_data", file: { of: "last_data_at", shows: "time" } },
    ),
    cell(
      "completeness",
      84,
      {
        value: (row) =>
          row.completeness?.map((share) => (share === null ? "–" : Math.floor(share * 100))).join(" "),
        cell: (row, { t }) =>
          row.completeness ? <Completeness row={row} shares={row.completeness} t={t} /> : "—",
      },
      { file: { of: "completeness", shows: "shares" } },
    ),
    text("deviceID", 120, (row) => row.deviceID, { isOptional: true, file: "deviceID" }),
    text("zone", 130, (row) => row.timezone_name, {
      isOptional: true,
      isQuiet: true,
      file: "timezone_name",
    }),
    toggle(
      "active",
      74,
      {
        isOn: (row) => row.is_active ?? false,
        label: (row, { t }) => t("toggleActive", { name: row.name }),
        isDisabled: (row, { mayChange }) => !mayChange || placeOfRow(row) !== "present",
        // Requested by a toggle: the list itself does not need it.
        isSure: maySwitch,
        change: (row, is_active) =>
          send(devices.switch, { params: { id: String(row.id) }, body: { is_active } }).then(() =>
            refetch(devices.list),
          ),
      },
      { file: "is_active" },
    ),
    actions("actions", 48, (row, context) => <DeviceMenu row={row} context={context} />, { title: "" }),
  ],
  phone: (row, context) => <PhoneLines row={row} context={context} />,
});
