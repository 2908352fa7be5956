import { amountDecimals, resourceOfGroup } from "@metrum/vocabulary";
import { formatDate, formatShort, formatTime } from "#lib/format";
import { deviceHref } from "#lib/screen";
import { ResourceIcon } from "#ui/icon";
import { agoText, PhoneRow, type Words } from "#ui/list";
import { stateKinds, Status } from "#ui/status";
import { DeviceMenu, type DeviceMenuContext } from "./DeviceMenu.tsx";
import type { DeviceRow } from "./devices.ts";

export interface Context extends DeviceMenuContext {
  readonly now: number;
}
export type Said = Words & Context;
export const hrefOf = (row: DeviceRow) => deviceHref(row.id);
/** Gateway or station, or that the device is computed of others. */
export const viaOf = (row: DeviceRow, { t }: Said) =>
  (row.gateway ?? row.base_station)?.name ?? (hasMap(row.properties) ? t("virtual") : undefined);
const hasMap = (properties: DeviceRow["properties"]): boolean =>
  ["virtual_fields_map", "virtual_fields_map_multiple"].some((name) => properties?.[name] !== undefined);

/** Unit of the last reading in the language of the answer; another language requests the list again. */
const readingUnit = ({ last_reading: reading }: DeviceRow) => reading?.unit ?? "";

function readingText(row: DeviceRow, { number }: Said): string {
  const value = row.last_reading?.value;
  return value === null || value === undefined ? "—" : number(value, amountDecimals);
}

export function stateOf({ state = "never" }: DeviceRow, { t }: Said) {
  return { kind: stateKinds[state], text: t(`state.${state}`) };
}

/**
 * Seven bars, one per day, oldest first: full, weaker when a part is missing, an outline when all is, a dot
 * before anything was due. They lead to the board, which has the reasons.
 */
export function Completeness({ row, shares, t }: CompletenessProps) {
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

export function Reading({ row, context }: { readonly row: DeviceRow; readonly context: Said }) {
  return (
    <span className="device-reading">
      <b>{readingText(row, context)}</b>
      <span>{readingUnit(row)}</span>
    </span>
  );
}

export function LastData({ row, context }: { readonly row: DeviceRow; readonly context: Said }) {
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

export function Name({ row, language }: { readonly row: DeviceRow } & Pick<Said, "language">) {
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
export function PhoneLines({ row, context }: { readonly row: DeviceRow; readonly context: Said }) {
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
