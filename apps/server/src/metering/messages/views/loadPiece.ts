import { messageLimit } from "@metrum/contract/metering";
import type { DeviceId, FieldName } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { besideOf } from "./beside.ts";
import { toHours } from "./hours.ts";
import { journalType, readEvents } from "../journals/index.ts";
import {
  counterRange,
  doubtedIn,
  isArchive,
  withoutRollover,
  type LossStep,
  type Point,
} from "../growth/index.ts";
import type { DeviceMetadata } from "../rows/index.ts";
import { loadReceived, profileType, type LoadedReceived, type WantedReceived } from "../received/index.ts";
import { pieceOf, within, type Piece } from "./piece.ts";
import { firstPage, lastTrusted, reachSec, type RowsBefore } from "./shown.ts";
import { readSeries, readSeriesAndBefore, type DoubtedStep, type SeriesRow } from "../read/index.ts";
import type { ShownDevice } from "./deviceStore.ts";
import { growingFields } from "./table.ts";

/** A message type in a period, both ends inclusive. */
export interface WantedRows {
  readonly msgType: number;
  readonly profile_type?: 30 | 60 | undefined;
  readonly startDate: number;
  readonly stopDate: number;
  readonly limit?: number | undefined;
}

/** The newest rows of a period, oldest first. */
interface RowsOfPeriod {
  readonly rows: readonly SeriesRow[];
  readonly truncated: boolean;
}

/** All that the table and the summary of a piece are drawn from. */
export interface LoadedPiece extends RowsOfPeriod {
  readonly piece: Piece;
  readonly wanted: WantedRows;
  readonly metadata: DeviceMetadata | undefined;
  /** Where the growth of the first rows begins: the last trusted values before. */
  readonly before: ReadonlyMap<FieldName, Point>;
  /** Of the device that measured the point before: what it showed last, of fields that begin with an opening reading. */
  readonly last: {
    readonly values: ReadonlyMap<FieldName, Point>;
    readonly metadata: DeviceMetadata | undefined;
  };
  /** Steps in the readings between the rows that may be resets, if the rows are archives. */
  readonly doubted: readonly DoubtedStep[];
  readonly received: LoadedReceived;
  /** The device whose columns stand beside. */
  readonly beside: LoadedBeside | undefined;
}

interface LoadedBeside {
  readonly loaded: LoadedPiece;
  readonly losses: readonly LossStep[];
}

/** The pieces that have a part of the period, by time: the newest rows of all of them. */
export async function loadPieces(
  ctx: Ctx,
  pieces: readonly Piece[],
  wanted: WantedRows,
): Promise<(LoadedPiece & { readonly isShown: boolean })[]> {
  const loaded: (LoadedPiece & { readonly isShown: boolean })[] = [];
  let left = wanted.limit ?? messageLimit;
  for (const piece of pieces.toReversed()) {
    const span = within(piece, wanted);
    if (!span) continue;
    // Of a piece before the shown ones the summary is drawn.
    const part = await loadPiece(ctx, piece, { ...wanted, ...span, limit: Math.max(1, left) });
    loaded.unshift({ ...part, isShown: left > 0 });
    left -= part.rows.length;
  }
  return loaded;
}

/** Three statements, of which the last one needs the others; more where fields have long been missing. */
async function loadPiece(ctx: Ctx, piece: Piece, wanted: WantedRows): Promise<LoadedPiece> {
  const { device } = piece;
  const [{ earlier, ...read }, received, metadata, beside] = await Promise.all([
    rowsFor(ctx, device, wanted),
    loadReceived(ctx.db, receivedWanted(piece, wanted, ctx.clock.now())),
    metadataOf(ctx, device.id),
    loadBeside(ctx, piece, wanted),
  ]);
  const names = growingFields(read.rows, wanted.msgType);
  const found = await firstBase(ctx, device.id, { ...wanted, names, rows: read.rows, earlier });
  const { before, opened } = withOpening(piece, found, names);
  const [doubted, last] = await Promise.all([
    doubtedOf(ctx, piece, { names, wanted, rows: read.rows, before, metadata }),
    lastOfDeviceBefore(ctx, piece, { names: opened, msgType: wanted.msgType }),
  ]);
  return { piece, wanted, metadata, ...read, before, last, doubted, received, beside };
}

/** What a summary is drawn from; its totals begin with the first row. */
export async function loadForSummary(ctx: Ctx, piece: Piece, wanted: WantedRows): Promise<LoadedPiece> {
  const { device } = piece;
  const [{ rows, truncated }, received, metadata] = await Promise.all([
    rowsFor(ctx, device, wanted),
    loadReceived(ctx.db, receivedWanted(piece, wanted, ctx.clock.now())),
    metadataOf(ctx, device.id),
  ]);
  const names = growingFields(rows, wanted.msgType);
  const before = new Map<FieldName, Point>();
  const doubted = await doubtedOf(ctx, piece, { names, wanted, rows, before, metadata });
  return {
    piece,
    wanted,
    metadata,
    rows,
    truncated,
    before,
    last: nothing,
    doubted,
    received,
    beside: undefined,
  };
}

const nothing = { values: new Map<FieldName, Point>(), metadata: undefined };

interface Read extends RowsOfPeriod {
  readonly earlier: RowsBefore;
}

const noneEarlier: RowsBefore = { rows: [], isAll: true };

/** The rows as stored or by hours of the device's zone, and some before them where growth is shown. */
export async function rowsFor(ctx: Ctx, device: ShownDevice, wanted: WantedRows): Promise<Read> {
  const { msgType, profile_type, startDate: from, stopDate: to, limit = messageLimit } = wanted;
  const of = { deviceId: device.id, msgType, from, to };
  if (msgType === journalType) {
    const events = await readEvents(ctx.db, { ...of, limit: limit + 1 });
    return { rows: events.slice(-limit), truncated: events.length > limit, earlier: noneEarlier };
  }
  const { sets } = ctx.parts.readingStore;
  if (msgType === profileType) {
    const isHourly = profile_type === 60;
    const stored = await readSeries(ctx.db, sets, { ...of, limit: (isHourly ? 2 : 1) * (limit + 1) });
    const rows = isHourly ? toHours(stored, device.zone) : stored;
    return { rows: rows.slice(-limit), truncated: rows.length > limit, earlier: noneEarlier };
  }
  const most = limit + firstPage + 1;
  const earlier = { since: from - reachSec, count: firstPage };
  const { rows, before: read } = await readSeriesAndBefore(ctx.db, sets, { ...of, limit: most, ...earlier });
  const isCut = rows.length === most;
  const before = isCut ? [] : read;
  return {
    rows: rows.slice(-limit),
    truncated: rows.length > limit,
    earlier: {
      rows: [...before, ...rows.slice(0, -limit)],
      isAll: !isCut && before.length < firstPage,
    },
  };
}

/** Of a point rows were due since the device was tied, whenever it was added. */
export function receivedWanted(
  { device: { created_at, ...always }, tie }: Piece,
  { msgType, profile_type, startDate, stopDate }: WantedRows,
  now: number,
): WantedReceived {
  return {
    device: tie ? always : { ...always, created_at },
    msgType,
    profile: profile_type,
    span: { from: startDate, to: stopDate + 1 },
    now,
  };
}

async function metadataOf({ parts }: Ctx, id: DeviceId): Promise<DeviceMetadata | undefined> {
  return (await parts.readingStore.metadata.of([id])).get(id);
}

async function loadBeside(ctx: Ctx, piece: Piece, wanted: WantedRows): Promise<LoadedBeside | undefined> {
  const second = piece.tie || piece.isBeside ? undefined : await besideOf(ctx, piece.device);
  if (!second) return undefined;
  const [{ losses }, loaded] = await Promise.all([
    ctx.parts.pointSource.ofDevice(ctx, second.id),
    loadPiece(ctx, { ...pieceOf(second), isBeside: true }, wanted),
  ]);
  return { loaded, losses };
}

interface Growing {
  readonly names: readonly FieldName[];
  readonly rows: readonly SeriesRow[];
}

/** The last trusted values before the first row. */
async function firstBase(
  ctx: Ctx,
  deviceId: DeviceId,
  { rows, names, msgType, earlier }: Growing & { readonly msgType: number; readonly earlier: RowsBefore },
): Promise<ReadonlyMap<FieldName, Point>> {
  const [first] = rows;
  if (!first || names.length === 0) return new Map<FieldName, Point>();
  const { sets } = ctx.parts.readingStore;
  return lastTrusted(ctx.db, sets, { deviceId, msgType, before: first.ts, names, known: earlier });
}

/**
 * Values that a device showed before it measured the point are left out: the opening reading takes their place,
 * together with what the device before has counted from its last row to its closing reading.
 */
function withOpening(
  { tie }: Piece,
  found: ReadonlyMap<FieldName, Point>,
  names: readonly FieldName[],
): { readonly before: ReadonlyMap<FieldName, Point>; readonly opened: readonly FieldName[] } {
  if (!tie) return { before: found, opened: [] };
  const before = new Map([...found].filter(([, point]) => point.ts >= tie.from));
  const opened = names.filter((name) => !before.has(name) && tie.opening[name] !== undefined);
  for (const name of opened) before.set(name, { ts: tie.from, value: tie.opening[name] ?? 0 });
  return { before, opened };
}

async function lastOfDeviceBefore(
  ctx: Ctx,
  { last }: Piece,
  { names, msgType }: { readonly names: readonly FieldName[]; readonly msgType: number },
): Promise<LoadedPiece["last"]> {
  if (!last || names.length === 0) return nothing;
  const { tie, device } = last;
  const { sets } = ctx.parts.readingStore;
  const [values, metadata] = await Promise.all([
    lastTrusted(ctx.db, sets, { deviceId: device.id, msgType, before: (tie.to ?? 0) + 1, names }),
    metadataOf(ctx, device.id),
  ]);
  return { values, metadata };
}

/** Archives have values at their times only: a reset in between shows in the readings. */
async function doubtedOf(
  ctx: Ctx,
  { device }: Piece,
  { names, wanted, rows, before, metadata }: Growing & Pick<LoadedPiece, "wanted" | "before" | "metadata">,
): Promise<DoubtedStep[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || !isArchive(wanted.msgType)) return [];
  const from = Math.min(first.ts, ...[...before.values()].map(({ ts }) => ts));
  const rangeOf = (name: FieldName) => (metadata ? counterRange(metadata, name) : withoutRollover);
  return doubtedIn(ctx.db, { deviceId: device.id, from, to: last.ts, names, rangeOf });
}
