import {
  messageLimit,
  type ParsedOf,
  type PeriodSummary,
  type readings,
  type ReplyOf,
} from "@metrum/contract";
import { resourceOfGroup, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { deviceOf } from "./deviceOf.ts";
import { counterRange, withoutRollover } from "./growth.ts";
import { toHours } from "./hours.ts";
import { journalType } from "./journals/events.ts";
import { readEvents, readNewestEvent } from "./journals/store.ts";
import { percentOf, receivedIn, type Received } from "./received.ts";
import { fallsIn, isArchive, type Falls, type Point } from "./resets.ts";
import { lastTrusted, shownRows, type ShownRow } from "./shown.ts";
import * as store from "./store.ts";
import { growingFields, rowsOf, tableOf, type Table, type TableOptions } from "./table.ts";
import { totalsOf } from "./totals.ts";
import { trustedValues } from "./trust.ts";

type ListBody = ParsedOf<typeof readings.list>["body"];
type Answer = ReplyOf<typeof readings.list>;
type WantedKey =
  | "device_id"
  | "msgType"
  | "startDate"
  | "stopDate"
  | "limit"
  | "shape"
  | "profile_type"
  | "with_transformation_ratio"
  | "r/a"
  | "is_energy"
  | "extra_fields";
type Wanted = Pick<ListBody, WantedKey>;

const profileType = 5;
const storedStep = 1800;

/** Messages of a device in a period, with computed values. */
export async function listMessages(ctx: Ctx, body: Wanted): Promise<Answer> {
  const device = await deviceOf(ctx, body.device_id);
  const isHourly = body.msgType === profileType && body.profile_type === 60;
  const { rows, truncated } = await rowsFor(ctx, device, body);
  const before = await startOf(ctx, { rows, deviceId: device.id, msgType: body.msgType });
  const measured = await measuredBy(ctx, device);
  const falls = await fallsOf(ctx, { device, body, rows, before, ...measured });
  const table = tableOf(rows, {
    ...measured,
    language: ctx.language,
    msgType: body.msgType,
    before,
    falls,
    ratio: body.with_transformation_ratio === false ? 1 : device.transformation_ratio,
    energyFactor: body.is_energy ? (isHourly ? 1 : storedStep / 3600) : undefined,
    withRA: body["r/a"] ?? false,
    extraFields: body.extra_fields ?? [],
  });
  const summary = await summaryOf(ctx, { device, body, rows, truncated, falls });
  return answerOf(table, { truncated, isColumns: body.shape === "columns", summary });
}

/** Summary of a period, without its rows. */
export async function periodSummary(
  ctx: Ctx,
  body: ParsedOf<typeof readings.summary>["body"],
): Promise<PeriodSummary> {
  const device = await deviceOf(ctx, body.device_id);
  const { rows, truncated } = await rowsFor(ctx, device, body);
  const measured = await measuredBy(ctx, device);
  const falls = await fallsOf(ctx, { device, body, rows, before: new Map(), ...measured });
  return summaryOf(ctx, { device, body, rows, truncated, falls });
}

interface Read {
  readonly device: store.ShownDevice;
  readonly body: Pick<Wanted, "msgType" | "profile_type" | "startDate" | "stopDate">;
  readonly rows: readonly ShownRow[];
  readonly truncated: boolean;
  readonly falls: Falls;
}

/** Share and gaps of the whole period; totals of the rows that were read. */
async function summaryOf(ctx: Ctx, read: Read): Promise<PeriodSummary> {
  const { device, body, rows, truncated, falls } = read;
  const { totals, tg_phi } = totalsOf(rows, {
    ...(await measuredBy(ctx, device)),
    falls,
    language: ctx.language,
    intervalHours: body.msgType === profileType ? intervalHours(body.profile_type) : undefined,
  });
  const [first] = rows;
  return {
    ...shown(await receivedOf(ctx, read)),
    totals: [...totals],
    tg_phi,
    totals_from: truncated && first ? first.ts : null,
  };
}

const intervalHours = (profile: 30 | 60 | undefined): number => (profile === 60 ? 1 : storedStep / 3600);

async function receivedOf(ctx: Ctx, { device, body, rows, truncated }: Read): Promise<Received | null> {
  const { msgType, profile_type, startDate, stopDate } = body;
  const isProfile = msgType === profileType;
  const trusted = isProfile ? rows.filter((row) => trustedValues(row).some((value) => value !== null)) : [];
  return receivedIn(ctx.db, {
    device,
    msgType,
    profile: profile_type,
    // The preceding half-hours are not known here.
    span: { from: isProfile && truncated ? (rows[0]?.ts ?? startDate) : startDate, to: stopDate + 1 },
    now: ctx.clock.now(),
    rowsAt: trusted.map(({ ts }) => ts),
  });
}

function shown(
  judged: Received | null,
): Pick<PeriodSummary, "expected" | "received" | "received_share" | "gaps" | "gap_count"> {
  if (!judged) return { expected: null, received: null, received_share: null, gaps: [], gap_count: 0 };
  const { expected, received, gaps, gapCount } = judged;
  return {
    expected,
    received,
    received_share: percentOf(judged),
    gaps: [...gaps],
    gap_count: gapCount,
  };
}

/** The newest rows of the period, oldest first, as stored or by hours of the device's zone. */
async function rowsFor(
  ctx: Ctx,
  device: store.ShownDevice,
  { msgType, profile_type, startDate, stopDate, limit = messageLimit }: Wanted,
): Promise<{ rows: readonly ShownRow[]; truncated: boolean }> {
  if (msgType === journalType) {
    const wanted = { deviceId: device.id, from: startDate, to: stopDate, limit: limit + 1 };
    const events = await readEvents(ctx.db, wanted);
    return { rows: events.slice(-limit), truncated: events.length > limit };
  }
  const isHourly = msgType === profileType && profile_type === 60;
  const halves = isHourly ? 2 : 1;
  const read = await store.readSeries(ctx.db, {
    deviceId: device.id,
    msgType,
    from: startDate,
    to: stopDate,
    limit: halves * (limit + 1),
  });
  const stored = await shownRows(ctx.parts.readingStore.sets, read);
  const rows = isHourly ? toHours(stored, device.zone) : stored;
  return { rows: rows.slice(-limit), truncated: rows.length > limit };
}

/** Values from which the growth of the first rows is computed. */
async function startOf(
  ctx: Ctx,
  given: { readonly rows: readonly ShownRow[]; readonly deviceId: DeviceId; readonly msgType: number },
): Promise<ReadonlyMap<FieldName, Point>> {
  const { rows, deviceId, msgType } = given;
  const [first] = rows;
  const names = growingFields(rows, msgType);
  if (!first || names.length === 0) return new Map<FieldName, Point>();
  return lastTrusted(ctx.db, ctx.parts.readingStore.sets, { deviceId, msgType, before: first.ts, names });
}

interface Growing extends Pick<Read, "device" | "body" | "rows"> {
  readonly before: ReadonlyMap<FieldName, Point>;
  readonly rangeOf: TableOptions["rangeOf"];
}

/** Archives have values at their times only: a reset in between shows in the readings. */
async function fallsOf(ctx: Ctx, { device, body, rows, before, rangeOf }: Growing): Promise<Falls> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || !isArchive(body.msgType)) return new Map();
  const from = Math.min(first.ts, ...[...before.values()].map(({ ts }) => ts));
  const names = growingFields(rows, body.msgType);
  return fallsIn(ctx.db, { deviceId: device.id, from, to: last.ts, names, rangeOf });
}

/** Metadata needed to interpret the values and counters of a device. */
async function measuredBy(
  ctx: Ctx,
  device: store.ShownDevice,
): Promise<Pick<TableOptions, "resource" | "rangeOf">> {
  const metadata = (await ctx.parts.readingStore.metadata.of([device.id])).get(device.id);
  return {
    resource: resourceOfGroup(device.device_group_id).key,
    rangeOf: (name) => (metadata ? counterRange(metadata, name) : withoutRollover),
  };
}

/** Highest reactive to active ratio in percent by voltage level; 0, without a level, is included. */
const otherLevelsPercent = 40;

function answerOf(
  table: Table,
  how: { truncated: boolean; isColumns: boolean; summary: PeriodSummary },
): Answer {
  const rest = {
    fields_headers: table.headers,
    "max_r/a": 0,
    max_ra_percent: otherLevelsPercent,
    truncated: how.truncated,
    summary: how.summary,
  };
  if (how.isColumns) return { columns: table.columns, ...rest };
  // The contract names the columns common to every row; `tableOf` creates them.
  return { data: rowsOf(table) as Extract<Answer, { data: unknown }>["data"], ...rest };
}

export async function lastMessage(
  ctx: Ctx,
  id: number,
  msgType: number,
): Promise<ReplyOf<typeof readings.last>> {
  const device = await deviceOf(ctx, id);
  const rows = await newestRow(ctx, device.id, msgType);
  if (rows.length === 0) return {};
  const table = tableOf(rows, {
    ...(await measuredBy(ctx, device)),
    language: ctx.language,
    msgType,
    before: new Map(),
    falls: new Map(),
    ratio: device.transformation_ratio,
    withRA: false,
    extraFields: [],
  });
  return (rowsOf(table)[0] ?? {}) as ReplyOf<typeof readings.last>;
}

/** The latest values of a type, or the newest event of the journals; empty without any. */
async function newestRow(ctx: Ctx, deviceId: DeviceId, msgType: number): Promise<ShownRow[]> {
  if (msgType === journalType) {
    const event = await readNewestEvent(ctx.db, deviceId);
    return event ? [event] : [];
  }
  const row = await store.readLatest(ctx.db, { deviceId, msgType });
  return row ? shownRows(ctx.parts.readingStore.sets, [row]) : [];
}
