import type { ParsedOf, ReplyOf } from "@metrum/contract/core";
import type { PeriodSummary, readings } from "@metrum/contract/metering";
import { resourceOfGroup, type DeviceId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { deviceOf } from "./deviceOf.ts";
import { drawSummary, drawTable } from "./drawPiece.ts";
import { journalType, readNewestEvent } from "../journals/index.ts";
import { knowingLoads, readLoads, withoutRollover } from "../growth/index.ts";
import { loadForSummary, loadPieces, type LoadedPiece } from "./loadPiece.ts";
import { mergedSummary, mergedTable } from "./merge.ts";
import { isOfPoint, pieceOf, piecesOfPoint, ratioOf, within, type Piece, type Pieces } from "./piece.ts";
import type { PointTerms } from "./pointSource.ts";
import { readLatest, type SeriesRow } from "../read/index.ts";
import { rowsOf, tableOf, type Table } from "./table.ts";

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

/** Messages of a device, or of an accounting point, in a period, with computed values. */
export async function listMessages(
  ctx: Ctx,
  body: Wanted & Pick<ListBody, "device_id" | "kind">,
): Promise<Answer> {
  if (isOfPoint(ctx, body.kind)) return answerTo(ctx, await piecesOfPoint(ctx, body.device_id), body);
  const device = await deviceOf(ctx, body.device_id);
  const [loaded, terms] = await Promise.all([
    loadPieces(ctx, [pieceOf(device)], body),
    ctx.parts.pointSource.ofDevice(ctx, device.id),
  ]);
  return drawn(ctx, loaded, { ...terms, body });
}

/** Messages of devices in their intervals: the newest rows of the period. */
export async function answerTo(ctx: Ctx, { pieces, ...terms }: Pieces, body: Wanted): Promise<Answer> {
  return drawn(ctx, await loadPieces(ctx, pieces, body), { ...terms, body });
}

function drawn(
  ctx: Ctx,
  loaded: Awaited<ReturnType<typeof loadPieces>>,
  { losses, voltageLevel, body }: PointTerms & { readonly body: Wanted },
): Promise<Answer> {
  const [language, now] = [ctx.language, ctx.clock.now()];
  return knowingLoads(readLoads(ctx.db), (samplesOf) => {
    const drawing = { language, now, samplesOf };
    const tables = loaded.map((part) =>
      part.isShown ? drawTable(part, losses, body, drawing) : { columns: {}, headers: [] },
    );
    return answerOf(mergedTable(tables), {
      truncated: loaded.some(({ truncated, isShown, rows }) => truncated || (!isShown && rows.length > 0)),
      isColumns: body.shape === "columns",
      summary: mergedSummary(loaded.map((part) => drawSummary(part, drawing))),
      voltageLevel,
    });
  });
}

/** Summary of a period, without its rows. */
export async function periodSummary(
  ctx: Ctx,
  body: ParsedOf<typeof readings.summary>["body"],
): Promise<PeriodSummary> {
  const [language, now] = [ctx.language, ctx.clock.now()];
  const loaded: LoadedPiece[] = [];
  for (const piece of await piecesOf(ctx, body)) {
    const span = within(piece, body);
    if (span) loaded.push(await loadForSummary(ctx, piece, { ...body, ...span }));
  }
  return knowingLoads(readLoads(ctx.db), (samplesOf) =>
    mergedSummary(loaded.map((part) => drawSummary(part, { language, now, samplesOf }))),
  );
}

/**
 * The devices whose messages a request shows: the one that it names, or all that have measured the point with this id.
 * Problems: not_found, right_missing.
 */
async function piecesOf(
  ctx: Ctx,
  { device_id, kind }: Pick<ListBody, "device_id" | "kind">,
): Promise<readonly Piece[]> {
  if (isOfPoint(ctx, kind)) return (await piecesOfPoint(ctx, device_id)).pieces;
  return [pieceOf(await deviceOf(ctx, device_id))];
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
  for (const piece of (await piecesOf(ctx, { device_id: id, kind })).toReversed()) {
    const rows = (await newestRow(ctx, piece.device.id, msgType)).filter(
      ({ ts }) => ts >= (piece.tie?.from ?? ts),
    );
    if (rows.length === 0 || (piece.tie?.to ?? Infinity) <= (rows[0]?.ts ?? 0)) continue;
    const table = tableOf(rows, {
      // One row has no growth.
      resource: resourceOfGroup(piece.device.device_group_id).key,
      rangeOf: () => withoutRollover,
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
async function newestRow(ctx: Ctx, deviceId: DeviceId, msgType: number): Promise<SeriesRow[]> {
  if (msgType === journalType) {
    const event = await readNewestEvent(ctx.db, deviceId);
    return event ? [event] : [];
  }
  const row = await readLatest(ctx.db, ctx.parts.readingStore.sets, { deviceId, msgType });
  return row ? [row] : [];
}
