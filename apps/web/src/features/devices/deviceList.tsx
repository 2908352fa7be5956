import type { ReplyOf } from "@metrum/contract/core";
import { devices, deviceStates } from "@metrum/contract/metering";
import { amountDecimals, interfaces, resourceOfGroup, resources } from "@metrum/vocabulary";
import { interfaceTitle, interfaceWords, loadPermits, placeFilter, placeOfRow } from "#carriers";
import { refetch, send } from "#lib/call";
import { formatDate, formatDateTime, formatShort, formatTime } from "#lib/format";
import { modelHref } from "#models";
import { deviceHref } from "#lib/screen";
import { ResourceIcon } from "#ui/icon";
import { agoText, columnsOf, defineList, many, PhoneRow, search, type Chip, type Words } from "#ui/list";
import { stateKinds, Status, StatusGlyph } from "#ui/status";
import { DeviceMenu, type DeviceMenuContext } from "./DeviceMenu.tsx";
import { listInput, searchFrom, type DeviceRow } from "./devices.ts";

interface Context extends DeviceMenuContext {
  readonly now: number;
}
type Said = Words & Context;
type ListRow = ReplyOf<typeof devices.list>["metering_devices"]["data"][number];

const hasId = (row: ListRow): row is ListRow & { id: number } => row.id !== undefined;
const hrefOf = (row: DeviceRow) => deviceHref(row.id);
/** Without a connection the check cannot be loaded: the change is attempted, and its failure is reported. */
const maySwitch = async () => (await loadPermits())?.isPermitted(devices.switch) ?? true;
/** Gateway or station, or that the device is computed of others. */
const viaOf = (row: DeviceRow, { t }: Said) =>
  (row.gateway ?? row.base_station)?.name ?? (hasMap(row.properties) ? t("virtual") : undefined);
const hasMap = (properties: DeviceRow["properties"]): boolean =>
  ["virtual_fields_map", "virtual_fields_map_multiple"].some((name) => properties?.[name] !== undefined);

/** Unit of the last reading in the language of the answer; another language requests the list again. */
const readingUnit = ({ last_reading: reading }: DeviceRow) => reading?.unit ?? "";

function readingText(row: DeviceRow, { number }: Said): string {
  const value = row.last_reading?.value;
  return value === null || value === undefined ? "—" : number(value, amountDecimals);
}

function stateOf({ state = "never" }: DeviceRow, { t }: Said) {
  return { kind: stateKinds[state], text: t(`state.${state}`) };
}

/**
 * Seven bars, one per day, oldest first: full, weaker when a part is missing, an outline when all is, a dot
 * before anything was due. They lead to the board, which has the reasons.
 */
function Completeness({ row, shares, t }: CompletenessProps) {
  const text = shares
    .map((share) => (share === null ? "–" : `${String(Math.floor(share * 100))}%`))
    .join(" ");
  return (
    <a
      className="device-days"
      href={`#/cloud/devices/completeness?q=${encodeURIComponent(row.name ?? "")}`}
      aria-label={t("completeness", { days: text })}
      title={text}
    >
      {shares.map((share, at) => (
        <i
          key={at}
          data-share={share === null ? "due" : share <= 0 ? "none" : share < 0.95 ? "part" : "full"}
        />
      ))}
    </a>
  );
}

interface CompletenessProps extends Pick<Said, "t"> {
  readonly row: DeviceRow;
  readonly shares: readonly (number | null)[];
}

function LastData({ row, context }: { readonly row: DeviceRow; readonly context: Said }) {
  const at = row.last_data_at;
  if (at === null || at === undefined) return "—";
  const { zone, now } = context;
  const isToday = formatDate(at, zone) === formatDate(now, zone);
  return (
    <span className="device-last">
      <span className="device-last-at">{isToday ? formatTime(at, zone) : formatShort(at, zone)}</span>
      <span className={row.state === "silent" ? "device-last-age is-old" : "device-last-age"}>
        {context.age(now - at)}
      </span>
    </span>
  );
}

function Name({ row, language }: { readonly row: DeviceRow } & Pick<Said, "language">) {
  const resource = resourceOfGroup(row.device_group_id ?? 0);
  return (
    <span className="device-name">
      <ResourceIcon resource={resource.key} label={resource.title[language]} />
      <a href={hrefOf(row)}>{row.name}</a>
      <span className="device-place">{row.place}</span>
    </span>
  );
}

/** Two lines of a phone: name and reading, state with place and age. */
function PhoneLines({ row, context }: { readonly row: DeviceRow; readonly context: Said }) {
  const { language } = context;
  const resource = resourceOfGroup(row.device_group_id ?? 0);
  const { kind, text } = stateOf(row, context);
  const ago = agoText(row.last_data_at ?? null, context);
  return (
    <PhoneRow
      icon={<ResourceIcon resource={resource.key} label={resource.title[language]} />}
      title={row.name}
      aside={
        <span className="device-phone-value">
          <b>{readingText(row, context)}</b> {readingUnit(row)}
        </span>
      }
      line={
        <>
          <Status kind={kind}>{text}</Status> {row.place}
        </>
      }
      end={row.state === "silent" ? <b>{ago}</b> : ago}
      menu={<DeviceMenu row={row} context={context} />}
    />
  );
}

/** Filters of the list; only existing models and interfaces are offered. */
function chipsOf({ t, language, known = [] }: Said): readonly Chip[] {
  const used = new Set(known.flatMap((model) => model.interface_ids));
  const chip = (id: string, options: Chip["options"]) => ({ id, title: t(`filters.${id}`), options });
  return [
    chip(
      "status",
      (["on_time", "silent", "never", "off"] as const).map((id) => ({
        id,
        title: t(`state.${id}`),
        icon: <StatusGlyph kind={stateKinds[id]} />,
      })),
    ),
    chip(
      "resource",
      resources.map(({ deviceGroupId, title, key }) => ({
        id: String(deviceGroupId),
        title: title[language],
        icon: <ResourceIcon resource={key} />,
      })),
    ),
    chip(
      "model",
      known.map(({ id, brand, title }) => ({ id: String(id), title: `${brand} ${title}` })),
    ),
    chip(
      "interface",
      interfaces
        .filter(({ id }) => used.has(id))
        .map(({ id, title }) => ({ id: String(id), title: title[language] })),
    ),
    {
      ...chip(
        "active",
        (["active", "inactive"] as const).map((id) => ({ id, title: t(`active.${id}`) })),
      ),
      isSingle: true,
    },
  ];
}

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
        cell: (row, context) => (
          <span className="device-reading">
            <b>{readingText(row, context)}</b>
            <span>{readingUnit(row)}</span>
          </span>
        ),
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
