import type { PointWhy } from "@metrum/contract";
import { isFieldName, statuses, type AccountingPointId, type FieldName } from "@metrum/vocabulary";
import { decimal, microOf, ofMicro, textOf, times, type Ctx } from "#core";
import { earlierReadings, sourceName, statusName, type OriginalReading } from "#metering/messages";
import { countedAt, countedFrom, readersOf } from "./countedReadings.ts";
import { devicesOf, type PointDevice } from "./deviceStore.ts";
import { eventsOf, exchangeAt, termRows, type EventRow, type TermRow } from "./historyStore.ts";
import { exactRange } from "./totals/nodes.ts";
import { ratioAt, type RatioStep } from "./totals/ratios.ts";
import { ratiosOf } from "./totals/tieStore.ts";

export type WhyPart = PointWhy["parts"][number];
type WhyValue = NonNullable<WhyPart["start"]>;

/** A register of a point in a span; `to` exclusive. */
export interface Stretch {
  readonly pointId: AccountingPointId;
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

interface Known {
  readonly ratios: readonly RatioStep[];
  readonly terms: readonly TermRow[];
  readonly events: readonly EventRow[];
}

/** Parts of a span in which one device measured with one ratio. */
export async function partsOf(ctx: Ctx, stretch: Stretch): Promise<WhyPart[]> {
  const { pointId, from, to } = stretch;
  const { db } = ctx;
  const known: Known = {
    ratios: (await ratiosOf(db, [pointId])).get(pointId) ?? [],
    terms: await termRows(db, pointId),
    events: await eventsOf(db, pointId),
  };
  const parts: WhyPart[] = [];
  for (const tie of await devicesOf(db, pointId)) {
    const field = stretch.field === "main" ? tie.field : stretch.field;
    const [a, b] = [Math.max(from, tie.from_ts), Math.min(to, tie.to_ts ?? Infinity)];
    if (a >= b || !isFieldName(field)) continue;
    const cuts = known.ratios.map((step) => step.from).filter((cut) => cut > a && cut < b);
    const ends = [a, ...cuts, b];
    for (const [at, start] of ends.slice(0, -1).entries())
      parts.push(await partOf(ctx, known, { tie, field, from: start, to: ends[at + 1] ?? b }));
  }
  return parts;
}

interface Piece {
  readonly tie: PointDevice;
  readonly field: FieldName;
  readonly from: number;
  readonly to: number;
}

async function partOf(ctx: Ctx, known: Known, piece: Piece): Promise<WhyPart> {
  const { tie, field, from, to } = piece;
  const [start, end] = [await startOf(ctx, piece), await endOf(ctx, piece)];
  const events = known.events.filter((event) => isWithin(event, piece, { start, end }));
  const growth = await growthOf(ctx, piece, { start, end, events });
  const ratio = ratioAt(known.ratios, from);
  const has = (kind: EventRow["kind"]) => events.some((event) => event.kind === kind);
  const estimated = [start, end].some((value) => value?.status === "estimated");
  return {
    kind: "device",
    from,
    to,
    device_id: tie.device_id,
    device_name: tie.device_name,
    deviceID: tie.deviceID,
    field,
    start,
    end,
    register_growth: growth,
    ratio: Number(textOf(ratio)),
    ...ratioTitle(known, from),
    amount: growth === null ? null : Number(textOf(times(ofMicro(microOf(growth)), ratio))),
    note: tie.note,
    flags: [
      ...(has("reset") ? (["reset"] as const) : []),
      ...(has("rollover") ? (["rollover"] as const) : []),
      ...(estimated ? (["estimated"] as const) : []),
      ...(isFar(start, from) || isFar(end, to) ? (["interpolated"] as const) : []),
    ],
  };
}

/** More than an hour away from the boundary that it stands for. */
const isFar = (value: WhyValue | null, boundary: number): boolean =>
  value !== null && Math.abs(value.ts - boundary) > 3600;

/** The opening reading, else the last one before the part that its device made for the point, else its first. */
async function startOf(ctx: Ctx, { tie, field, from, to }: Piece): Promise<WhyValue | null> {
  const opening = tie.opening[field];
  if (from === tie.from_ts && opening !== undefined)
    return entered("opening", { ts: from, value: opening, act: tie.act });
  const of = { deviceId: tie.device_id, names: [field] };
  const before = (await countedAt(ctx, of, from)).get(field);
  if (before && before.ts >= tie.from_ts) return shown(ctx, tie, field, before);
  const first = (await countedFrom(ctx, of, { from, to })).get(field);
  return first ? shown(ctx, tie, field, first) : null;
}

/** The closing reading, else the last one up to the end. */
async function endOf(ctx: Ctx, { tie, field, from, to }: Piece): Promise<WhyValue | null> {
  const closing = tie.closing[field];
  if (to === tie.to_ts && closing !== undefined)
    return entered("closing", { ts: to, value: closing, act: tie.act });
  const last = (await countedAt(ctx, { deviceId: tie.device_id, names: [field] }, to)).get(field);
  return last && last.ts >= from ? shown(ctx, tie, field, last) : null;
}

function entered(
  kind: "opening" | "closing",
  { ts, value, act }: { readonly ts: number; readonly value: number; readonly act: string },
): WhyValue {
  const status = statusName(statuses.manual.id);
  return {
    ...{ ts, value, kind, status, act, msg_type: null, source: null },
    ...{ received_at: null, clock_off: null, revisions: 0, exchange: null },
  };
}

async function shown(
  ctx: Ctx,
  { device_id }: PointDevice,
  field: FieldName,
  reading: OriginalReading,
): Promise<WhyValue> {
  const { ts, value, msgType, receivedAt } = reading;
  const exchange = await exchangeAt(ctx.db, { deviceId: device_id, receivedAt });
  const earlier = await earlierReadings(readersOf(ctx), { deviceId: device_id, msgType, ts, field });
  return {
    ts,
    value,
    msg_type: msgType,
    kind: "reading",
    status: statusName(reading.status),
    source: sourceName(reading.source),
    received_at: receivedAt,
    clock_off: reading.clockOff,
    revisions: earlier.length,
    exchange: exchange ? { id: exchange.id, device_id, at: exchange.at } : null,
    act: "",
  };
}

interface Ends {
  readonly start: WhyValue | null;
  readonly end: WhyValue | null;
}

/** A reset or rollover of this register between the two readings. */
function isWithin(event: EventRow, { tie, field }: Piece, { start, end }: Ends): boolean {
  if (event.kind !== "reset" && event.kind !== "rollover") return false;
  const isSame = event.device_id === tie.device_id && (event.details["field"] ?? field) === field;
  return isSame && start !== null && end !== null && event.ts > start.ts && event.ts <= end.ts;
}

/**
 * What the register has counted between the two readings: up to a reset and from it on, and over a rollover.
 * Null if it is lower at the end without an event that explains it.
 */
async function growthOf(
  ctx: Ctx,
  { tie, field }: Piece,
  { start, end, events }: Ends & { readonly events: readonly EventRow[] },
): Promise<number | null> {
  if (!start || !end || end.ts < start.ts) return null;
  let [sum, at] = [0n, microOf(start.value)];
  const device = (await ctx.parts.readingStore.metadata.of([tie.device_id])).get(tie.device_id);
  const { capacity } = exactRange(device, field);
  for (const { kind, details } of events) {
    const { before, after } = details;
    if (typeof before !== "number" || typeof after !== "number") return null;
    const [last, first] = [microOf(before), microOf(after)];
    sum += last - at;
    if (kind === "rollover") {
      if (capacity === undefined) return null;
      sum += capacity - last + first;
    }
    at = first;
  }
  const rest = microOf(end.value) - at;
  return rest < 0n ? null : Number(textOf(ofMicro(sum + rest)));
}

/** What the ratio at an instant comes from, and since when it is valid. */
function ratioTitle({ ratios, terms }: Known, at: number): Pick<WhyPart, "ratio_title" | "ratio_from"> {
  const valid = terms.filter((term) => term.from_ts <= at && (term.to_ts ?? Infinity) > at);
  const titles = valid.flatMap(({ ref_ratio }) => (ref_ratio === null ? [] : [ref_ratio]));
  const step = ratios.findLast(({ from }) => from <= at);
  return {
    ratio_title: titles.length > 0 ? titles.join(" × ") : textOf(step?.ratio ?? decimal("1")),
    ratio_from: step && Number.isSafeInteger(step.from - 1) ? step.from : null,
  };
}
