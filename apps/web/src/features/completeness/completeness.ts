import type { ReplyOf } from "@metrum/contract/core";
import { completeness, completenessBounds, type HoleReason } from "@metrum/contract/insight";
import type { DeviceFilter } from "@metrum/contract/metering";
import { addDays, fromLocal, parseDateTime, startOfDay, type Range } from "#ui/dateRange";
import { day as daySec, toLocal } from "#lib/format";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

export type BoardRow = ReplyOf<typeof completeness.power>["devices"]["data"][number];
export type BoardType = BoardRow["types"][number];
export type BoardDay = BoardType["days"][number];
export type Totals = NonNullable<ReplyOf<typeof completeness.totals>["totals"]>;

/** Message types with due rows, and the call that returns them. */
export const boardTypes = [1, 2, 5, 10, 100, 101, 103] as const;
const usualType = 1;
const usualDays = 30;
/** Longest period, from the first second to the last. */
export const longestSec = completenessBounds.days * daySec - 1;

export function callOf(type: number) {
  if (type === 5 || type === 10) return completeness.power;
  return type >= 100 ? completeness.archive : completeness.indications;
}

/** The state of the board: it is kept in the address. */
export interface View {
  /** Calendar days, oldest first: "2026-11-14". Each device has them in its own zone. */
  readonly days: readonly string[];
  readonly type: number;
  readonly filter: DeviceFilter;
  /** The same period in the zone of the user. */
  readonly range: Range;
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** "2026-11-14" of an instant. */
export const dayText = (at: number, zone: string): string =>
  new Date(toLocal(at, zone) * 1000).toISOString().slice(0, 10);

/** Noon of a day: in every zone of the devices it is the same day. */
export const noonOf = (day: string, zone: string): number =>
  fromLocal(Date.parse(`${day}T12:00:00Z`) / 1000, zone);

const startOf = (day: string | undefined, zone: string): number | undefined =>
  day !== undefined && dayPattern.test(day) && parseDateTime(day, zone) !== undefined
    ? startOfDay(noonOf(day, zone), zone)
    : undefined;

/** Reads the address; a period that is reversed or too long is the usual one. */
export function viewOf(state: GridState, of: { readonly zone: string; readonly today: string }): View {
  const { zone } = of;
  const today = startOfDay(noonOf(of.today, zone), zone);
  const [from, to] = [startOf(state.filters["from"]?.[0], zone), startOf(state.filters["to"]?.[0], zone)];
  const isFit = from !== undefined && to !== undefined && from <= to && to - from <= longestSec;
  const [first, last] = isFit ? [from, to] : [addDays(today, 1 - usualDays, zone), today];
  const days: string[] = [];
  for (let at = first; at <= last; at = addDays(at, 1, zone)) days.push(dayText(at, zone));
  const type = Number(state.filters["type"]?.[0]);
  return {
    days,
    type: (boardTypes as readonly number[]).includes(type) ? type : usualType,
    filter: filterOf(state),
    range: { start: first, end: addDays(last, 1, zone) - 1 },
  };
}

const idsOf = (values: readonly string[] = []): number[] =>
  values.map(Number).filter((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31);

function filterOf({ q, filters }: GridState): DeviceFilter {
  const some = (name: keyof DeviceFilter, ids: readonly number[]) => (ids.length > 0 ? { [name]: ids } : {});
  return {
    ...(q === "" ? {} : { search_string: q }),
    ...some("model_id", idsOf(filters["model"])),
    ...some("device_group_id", idsOf(filters["resource"])),
    ...some("gateway_ids", idsOf(filters["gateway"])),
  };
}

/** The period of a call for some of the days. */
export const periodOf = (days: readonly string[], zone: string) => ({
  start_date: noonOf(days[0] ?? "", zone),
  stop_date: noonOf(days.at(-1) ?? "", zone),
});

/** Devices of one request: as many as the server answers for this number of days. */
export const pageSizeOf = (days: number): number => (days <= 62 ? 50 : 25);

const glyphs: Readonly<Record<HoleReason, { readonly kind: StatusKind; readonly isWeak?: boolean }>> = {
  line_down: { kind: "silent" },
  line_busy: { kind: "silent" },
  no_answer: { kind: "warn" },
  nothing_received: { kind: "warn" },
  unreadable: { kind: "warn" },
  refused: { kind: "warn" },
  fault: { kind: "warn" },
  no_values: { kind: "warn", isWeak: true },
  not_requested: { kind: "warn", isWeak: true },
  unknown: { kind: "warn", isWeak: true },
  rejected: { kind: "alarm" },
  clock: { kind: "alarm" },
  key: { kind: "alarm" },
  gateway_off: { kind: "off" },
  company_off: { kind: "off" },
  group_off: { kind: "off" },
  not_scheduled: { kind: "off" },
  switched_off: { kind: "off" },
  before_added: { kind: "off" },
  not_stored: { kind: "offline" },
  erased: { kind: "offline" },
  log_expired: { kind: "offline" },
};

/** The call for a page of devices, counted from 0. */
export const pageInput = (view: View, nth: number, zone: string) => ({
  body: {
    ...periodOf(view.days, zone),
    filter: view.filter,
    msg_type: view.type,
    page: nth + 1,
    per_page: pageSizeOf(view.days.length),
  },
});

/** The shape of a reason; the text next to it says which one it is. */
export const glyphOf = (reason: HoleReason) => glyphs[reason];

/** How a cell is drawn. `none`: nothing was due. */
export type CellKind = "none" | "full" | "part" | "hole" | "asking" | "filled";

export function cellKind(
  day: BoardDay | undefined,
  of: { readonly isAsking: boolean; readonly wasMissing: boolean },
): CellKind {
  if (!day || day.expected === 0) return "none";
  if (day.received >= day.expected) return of.wasMissing ? "filled" : "full";
  if (of.isAsking) return "asking";
  return day.received === 0 ? "hole" : "part";
}

/** Selected cells: consecutive rows, or all devices of the filter, and consecutive days. Both ends included. */
export interface Selection {
  readonly rows: { readonly from: number; readonly to: number } | "all";
  readonly days: { readonly from: number; readonly to: number };
}

export const between = (a: number, b: number) => ({ from: Math.min(a, b), to: Math.max(a, b) });
