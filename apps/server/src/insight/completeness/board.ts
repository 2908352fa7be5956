import { pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import {
  completenessBounds,
  holeReasons,
  type completeness,
  type HoleReason,
} from "@metrum/contract/insight";
import type { DeviceId } from "@metrum/vocabulary";
import { dayOf, dayText, resolveOne, type Ctx } from "#core";
import {
  percentOf,
  receivedByDay,
  typesOfModel,
  type DayReceived,
  type ReceivedDays,
} from "#metering/messages";
import { chosenDevices, type ChosenDevices, type DeviceRow } from "#metering/devices";
import { factsOf } from "./facts.ts";
import { grouped } from "./grouped.ts";
import { reasonOf, type Facts } from "./holes.ts";
import { boardDevice, type BoardDevice } from "./store.ts";

type Body = ParsedOf<typeof completeness.card>["body"];
type Board = ReplyOf<typeof completeness.indications>;
export type BoardType = Board["devices"]["data"][number]["types"][number];
type Day = BoardType["days"][number];

const daySec = 86_400;
/** Readings of an earlier time stamp are never stored: the year 2000. */
const earliest = 946_684_800;
const usualDays = 30;
const usualDevices = 25;
const { devices: mostDevices } = completenessBounds;

/** First and last second of the days examined; in the zone of a device, the days that contain them. */
interface Period {
  readonly start_date: number;
  readonly stop_date: number;
}

/** Message types by call; of these each device has those of its model. */
export const typesOfCall = {
  card: [1, 2, 5, 10, 100, 101, 103],
  indications: [1, 2],
  power: [5, 10],
  archive: [100, 101, 103],
} as const;

/** Due and received rows of these message types by day, with the reason of each hole. */
export async function board(ctx: Ctx, body: Body, types: readonly number[]): Promise<Board> {
  const { period, devices, page } = await askedDevices(ctx, body);
  const wanted = body.msg_type === undefined ? types : types.filter((type) => type === body.msg_type);
  const shown = await shownTypes(ctx, { devices, types: wanted, period });
  const data = devices.map((device) => ({ ...shownDevice(device), types: shown.get(device.id) ?? [] }));
  return { ...period, devices: { data, ...page } };
}

/** Message types of devices, by day. Rows: as `receivedByDay` and `factsOf`. */
export async function shownTypes(
  ctx: Ctx,
  of: {
    readonly devices: readonly BoardDevice[];
    readonly types: readonly number[];
    readonly period: Period;
  },
): Promise<Map<DeviceId, BoardType[]>> {
  const { devices, types, period } = of;
  const received = await receivedByDay(ctx.db, {
    types: devices.flatMap((device) => {
      const own = typesOfModel(device.model_id);
      return types.filter((type) => own.has(type)).map((msgType) => ({ device, msgType }));
    }),
    daysIn: (zone) => ({ first: dayOf(zone, period.start_date), last: dayOf(zone, period.stop_date) }),
    now: ctx.clock.now(),
  });
  const factsFor = await factsOf(ctx, new Map(devices.map((device) => [device.id, device])), received);
  const shown = new Map<DeviceId, BoardType[]>();
  for (const [id, own] of grouped(received, ({ device }) => device.id))
    shown.set(
      id,
      own.map((each) => shownType(ctx, each, factsFor(each))),
    );
  return shown;
}

/** The same without days. */
export async function card(ctx: Ctx, body: Body): Promise<ReplyOf<typeof completeness.card>> {
  const { devices, ...period } = await board(ctx, body, typesOfCall.card);
  const data = devices.data.map(({ types, ...device }) => ({
    ...device,
    types: types.map(({ days: _, ...type }) => type),
  }));
  return { ...period, devices: { ...devices, data } };
}

/** Period and devices of a request. Problems: not_found, wrong_input. */
export async function askedDevices(ctx: Ctx, body: Body) {
  const period = askedPeriod(ctx, body);
  const most = Math.min(mostDevices, Math.floor(completenessBounds.deviceDays / daysIn(period)));
  return { period, ...(await devicesOf(ctx, body, pageSize(body.per_page ?? usualDevices, most))) };
}

/** First and last second of a request. Problem: wrong_input. */
export function askedPeriod(ctx: Ctx, body: Pick<Body, "start_date" | "stop_date">): Period {
  const now = ctx.clock.now();
  const stop_date = Math.min(body.stop_date ?? now, now);
  const start_date = body.start_date ?? stop_date - (usualDays - 1) * daySec;
  const days = daysIn({ start_date, stop_date });
  if (start_date < earliest) throw problem("wrong_input", { attributes: { start_date: ["before 2000"] } });
  if (days < 1) throw problem("wrong_input", { attributes: { stop_date: ["before start_date"] } });
  const { days: mostDays } = completenessBounds;
  if (days > mostDays)
    throw problem("wrong_input", { attributes: { start_date: [`more than ${String(mostDays)} days`] } });
  return { start_date, stop_date };
}

const daysIn = ({ start_date, stop_date }: Period) => Math.floor((stop_date - start_date) / daySec) + 1;

async function devicesOf(ctx: Ctx, body: Body, per_page: number) {
  const { device_id, page: current_page = 1 } = body;
  if (device_id !== undefined) {
    const device = await boardDevice(ctx.db, ctx.scope, await resolveOne(ctx, "device", device_id));
    if (!device) throw problem("not_found");
    return { devices: [device], page: { current_page: 1, last_page: 1, per_page, total: 1 } };
  }
  const offset = (current_page - 1) * per_page;
  const { rows, total } = await chosenDevices(ctx, chosenBy(body), { limit: per_page, offset });
  return {
    devices: rows.map(boardRow),
    page: { current_page, last_page: Math.max(1, Math.ceil(total / per_page)), per_page, total },
  };
}

/** Devices of a filter; of one message type, those that have it. */
export const chosenBy = ({ filter = {}, msg_type }: Pick<Body, "filter" | "msg_type">): ChosenDevices => ({
  ...filter,
  ...(msg_type === undefined ? {} : { msgTypes: [msg_type] }),
});

export const boardRow = (row: DeviceRow): BoardDevice => ({
  ...row,
  zone: row.timezone ?? row.company_timezone,
  created_at: Math.floor(row.created_at.getTime() / 1000),
});

export const shownDevice = ({ id, name, place, device_group_id, zone }: BoardDevice) => ({
  device_id: id,
  name,
  place,
  device_group_id,
  timezone_name: zone,
});

function shownType(ctx: Ctx, { msgType, days }: ReceivedDays, facts: Facts): BoardType {
  const shown = days.map((day) => shownDay(day, facts));
  const missing = shown.flatMap(({ due }) => due);
  const sum = (of: "expected" | "received") => days.reduce((total, day) => total + day[of], 0);
  const counted = { expected: sum("expected"), received: sum("received") };
  return {
    msg_type: msgType,
    ...counted,
    received_share: percentOf(counted),
    reasons: countedReasons(ctx, missing),
    days: shown.map(({ shown: day }) => day),
  };
}

/** Neighbouring slots with one reason are one hole; `due`: the holes in which rows were due. */
function shownDay(
  { day, expected, received, missing, notDue }: DayReceived,
  facts: Facts,
): { readonly shown: Day; readonly due: Day["holes"] } {
  const holes: Day["holes"] = [];
  for (const slot of missing) {
    const reason = reasonOf(slot, facts);
    const last = holes.at(-1);
    if (last?.to === slot.from && last.reason === reason)
      holes[holes.length - 1] = { ...last, to: slot.to, missing: last.missing + 1 };
    else holes.push({ from: slot.from, to: slot.to, missing: 1, reason });
  }
  const dueFrom = missing[notDue - 1]?.to ?? -Infinity;
  const due = holes.filter(({ to }) => to > dueFrom);
  return { shown: { day: dayText(day), expected, received, reason: mostFrequent(due), holes }, due };
}

const mostFrequent = (holes: Day["holes"]): HoleReason | null => countsOf(holes)[0]?.[0] ?? null;

/** Missing rows by reason, most frequent first. */
export function countsOf(
  missing: readonly { readonly reason: HoleReason; readonly missing: number }[],
): [HoleReason, number][] {
  const counts = new Map<HoleReason, number>();
  for (const { reason, missing: n } of missing) counts.set(reason, (counts.get(reason) ?? 0) + n);
  return [...counts].sort(([, a], [, b]) => b - a);
}

const countedReasons = ({ language }: Ctx, holes: Day["holes"]): BoardType["reasons"] =>
  countsOf(holes).map(([reason, missing]) => ({
    reason,
    title: holeReasons[reason][language],
    missing,
  }));
