import type { ParsedOf, ReplyOf } from "@metrum/contract/core";
import { messageLimit, type PeriodSummary, type readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { besideOf, withBeside } from "./beside.ts";
import { journalType, readNewestEvent } from "../journals/index.ts";
import { knowingLoads, loadsFor, type Falls } from "../growth/index.ts";
import { mergedSummary, mergedTable, withEnds } from "./merge.ts";
import { baseOf, lossOf, piecesOf, ratioOf, within, type Piece, type Pieces } from "./piece.ts";
import { percentOf, receivedIn, type Received } from "../received/index.ts";
import { fallsOf, measuredBy, rowsFor, startOf, type Measured } from "./series.ts";
import { shownRows, type ShownRow } from "./shown.ts";
import * as store from "./store.ts";
import { growingFields, rowsOf, tableOf, type Table } from "./table.ts";
import { totalsOf } from "./totals.ts";
import { trustedValues } from "../rows/index.ts";

type ListBody = ParsedOf<typeof readings.list>["body"];
type Answer = ReplyOf<typeof readings.list>;
type WantedKey =
  | "msgType"
  | "startDate"
  | "stopDate"
  | "limit"
  | "shape"
  | "profile_type"
  | "with_transformation_ratio"
  | "with_loss_factor"
  | "r/a"
  | "is_energy"
  | "extra_fields";
export type Wanted = Pick<ListBody, WantedKey>;

const profileType = 5;
const storedStep = 1800;

/** Messages of a device, or of an accounting point, in a period, with computed values. */
export async function listMessages(
  ctx: Ctx,
  body: Wanted & Pick<ListBody, "device_id" | "kind">,
): Promise<Answer> {
  return answerTo(ctx, await piecesOf(ctx, body), body);
}

/** Messages of devices in their intervals: the newest rows of the period. */
export async function answerTo(ctx: Ctx, { pieces, voltageLevel }: Pieces, body: Wanted): Promise<Answer> {
  const parts: Part[] = [];
  let left = body.limit ?? messageLimit;
  let truncated = false;
  for (const piece of pieces.toReversed()) {
    const span = within(piece, body);
    if (!span) continue;
    const part = await partOf(ctx, piece, { ...body, ...span, limit: Math.max(1, left) });
    parts.unshift(left > 0 ? part : withoutRows(part));
    truncated ||= part.truncated || (left <= 0 && part.table.columns["datetime"]?.length !== 0);
    left -= part.rows;
  }
  return answerOf(mergedTable(parts.map(({ table }) => table)), {
    truncated,
    isColumns: body.shape === "columns",
    summary: mergedSummary(parts.map(({ summary }) => summary)),
    voltageLevel,
  });
}

interface Part {
  readonly table: Table;
  readonly summary: PeriodSummary;
  readonly truncated: boolean;
  readonly rows: number;
}

const withoutRows = (part: Part): Part => ({ ...part, table: { columns: {}, headers: [] } });

async function partOf(ctx: Ctx, piece: Piece, body: Wanted): Promise<Part> {
  const { device } = piece;
  const { msgType } = body;
  const isHourly = msgType === profileType && body.profile_type === 60;
  const { rows, truncated } = await rowsFor(ctx, device, body);
  const found = await startOf(ctx, { rows, deviceId: device.id, msgType });
  const { before, carried } = await baseOf(
    ctx,
    piece,
    { before: found, msgType },
    growingFields(rows, msgType),
  );
  const { table, summary } = await knowingLoads(loadsFor(ctx.db), async (samplesOf) => {
    const measured = await measuredBy(ctx, device, samplesOf);
    const falls = await fallsOf(ctx, { device, body, rows, before, ...measured });
    return {
      table: tableOf(rows, {
        ...measured,
        language: ctx.language,
        msgType,
        before,
        carried,
        falls,
        ratioOver: body.with_transformation_ratio === false ? undefined : ratioOf(piece),
        lossOver: body.with_loss_factor === true ? lossOf(piece) : undefined,
        intervalSec: msgType === profileType ? (isHourly ? 3600 : storedStep) : undefined,
        isEnergy: body.is_energy,
        withRA: body["r/a"] ?? false,
        extraFields: body.extra_fields ?? [],
      }),
      summary: await summaryOf(ctx, { piece, body, rows, truncated, falls, measured }),
    };
  });
  return { table: await joined(ctx, piece, { table, body }), summary, truncated, rows: rows.length };
}

/** With the columns of the device that stands beside this one, if there is one. */
async function joined(
  ctx: Ctx,
  { device, tie, isBeside = false }: Piece,
  { table, body }: { readonly table: Table; readonly body: Wanted },
): Promise<Table> {
  const second = tie || isBeside ? undefined : await besideOf(ctx, device);
  if (!second) return table;
  const { losses } = await ctx.parts.pointSource.ofDevice(ctx, second.id);
  const piece: Piece = { device: second, ratios: second.ratios, losses, isBeside: true };
  return withBeside(table, (await partOf(ctx, piece, body)).table, second.name);
}

/** Summary of a period, without its rows. */
export async function periodSummary(
  ctx: Ctx,
  body: ParsedOf<typeof readings.summary>["body"],
): Promise<PeriodSummary> {
  const { pieces } = await piecesOf(ctx, body);
  const summaries: PeriodSummary[] = [];
  for (const piece of pieces) {
    const span = within(piece, body);
    if (!span) continue;
    const { device } = piece;
    const { rows, truncated } = await rowsFor(ctx, device, { ...body, ...span });
    const read = { piece, body: { ...body, ...span }, rows, truncated };
    const summary = await knowingLoads(loadsFor(ctx.db), async (samplesOf) => {
      const measured = await measuredBy(ctx, device, samplesOf);
      const falls = await fallsOf(ctx, { device, body, rows, before: new Map(), ...measured });
      return summaryOf(ctx, { ...read, falls, measured });
    });
    summaries.push(summary);
  }
  return mergedSummary(summaries);
}

interface Read {
  readonly piece: Piece;
  readonly body: Pick<Wanted, "msgType" | "profile_type" | "startDate" | "stopDate">;
  readonly rows: readonly ShownRow[];
  readonly truncated: boolean;
  readonly falls: Falls;
  readonly measured: Measured;
}

/** Share and gaps of the whole period; totals of the rows that were read. */
async function summaryOf(ctx: Ctx, read: Read): Promise<PeriodSummary> {
  const { piece, body, rows, truncated, falls, measured } = read;
  const { totals, tg_phi } = totalsOf(truncated ? rows : withEnds(rows, piece, body), {
    ...measured,
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

async function receivedOf(ctx: Ctx, { piece, body, rows, truncated }: Read): Promise<Received | null> {
  // Of a point rows were due since the device was tied, whenever it was added.
  const { created_at, ...always } = piece.device;
  const device = piece.tie ? always : { ...always, created_at };
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

/** Highest reactive to active ratio in percent by voltage level; 0, without a level, is among the others. */
const levelPercents: Readonly<Record<number, number>> = { 1: 50, 4: 35 };
const otherLevelsPercent = 40;

function answerOf(
  table: Table,
  how: { truncated: boolean; isColumns: boolean; summary: PeriodSummary; voltageLevel: number },
): Answer {
  const rest = {
    fields_headers: table.headers,
    "max_r/a": how.voltageLevel,
    max_ra_percent: levelPercents[how.voltageLevel] ?? otherLevelsPercent,
    truncated: how.truncated,
    summary: how.summary,
  };
  if (how.isColumns) return { columns: table.columns, ...rest };
  // The contract names the columns common to every row; `tableOf` creates them.
  return { data: rowsOf(table) as Extract<Answer, { data: unknown }>["data"], ...rest };
}

/** The newest message of a device, or of the devices of a point. Problems: not_found, right_missing. */
export async function lastMessage(
  ctx: Ctx,
  id: number,
  { msgType, kind }: { readonly msgType: number; readonly kind?: "device" | "accounting_point" | undefined },
): Promise<ReplyOf<typeof readings.last>> {
  const { pieces } = await piecesOf(ctx, { device_id: id, kind });
  for (const piece of pieces.toReversed()) {
    const rows = (await newestRow(ctx, piece.device.id, msgType)).filter(
      ({ ts }) => ts >= (piece.tie?.from ?? ts),
    );
    if (rows.length === 0 || (piece.tie?.to ?? Infinity) <= (rows[0]?.ts ?? 0)) continue;
    const table = tableOf(rows, {
      // One row has no growth.
      ...(await measuredBy(ctx, piece.device, () => () => [])),
      language: ctx.language,
      msgType,
      before: new Map(),
      falls: new Map(),
      ratioOver: ratioOf(piece),
      withRA: false,
      extraFields: [],
    });
    return (rowsOf(table)[0] ?? {}) as ReplyOf<typeof readings.last>;
  }
  return {};
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
