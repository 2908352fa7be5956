import { allows, problem } from "@metrum/contract/core";
import { readings } from "@metrum/contract/metering";
import type { FieldName, Transformers } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { deviceOf } from "./deviceOf.ts";
import { growth, knowingLoads, loadsFor, lossOver, type LossStep, type Point } from "../growth/index.ts";
import type { MeasuredBy } from "./pointSource.ts";
import { measuredBy } from "./series.ts";
import { lastTrusted } from "./shown.ts";
import { shownDevice, type RatioFrom, type ShownDevice } from "./store.ts";
import type { Carried, Factor, Span } from "./table.ts";

/** A device whose messages are shown, or one of those that measured a point, in its interval. */
export interface Piece {
  readonly device: ShownDevice;
  readonly ratios: readonly RatioFrom[];
  readonly losses: readonly LossStep[];
  /** It stands beside another device, and has none beside it. */
  readonly isBeside?: boolean;
  /** Of a point: the interval, and the one before it. */
  readonly tie?: MeasuredBy;
  readonly last?: { readonly tie: MeasuredBy; readonly device: ShownDevice };
}

export interface Pieces {
  /** By time. */
  readonly pieces: readonly Piece[];
  readonly voltageLevel: number;
}

interface Asked {
  readonly device_id: number;
  readonly kind?: "device" | "accounting_point" | undefined;
}

/**
 * The devices whose messages a request shows: the one that it names, or with kind accounting_point all that have
 * measured the point with this id. Problems: not_found, right_missing.
 */
export async function piecesOf(ctx: Ctx, { device_id, kind }: Asked): Promise<Pieces> {
  const isOfPoint = kind === "accounting_point";
  if (!allows(isOfPoint ? readings.list.orRight : readings.list.right, ctx.scope.access))
    throw problem("right_missing");
  if (isOfPoint) return piecesOfPoint(ctx, device_id);
  const device = await deviceOf(ctx, device_id);
  const { losses, voltageLevel } = await ctx.parts.pointSource.ofDevice(ctx, device.id);
  return { pieces: [{ device, ratios: device.ratios, losses }], voltageLevel };
}

/** Problem: not_found. */
export async function piecesOfPoint(ctx: Ctx, id: number): Promise<Pieces> {
  const { devices, ratios, losses, voltageLevel } = await ctx.parts.pointSource.point(ctx, id);
  const pieces: Piece[] = [];
  let last: Piece["last"];
  for (const tie of devices) {
    const device = await shownDevice(ctx.db, ctx.scope, tie.deviceId);
    if (!device) continue;
    pieces.push({ device, ratios, losses, tie, ...(last ? { last } : {}) });
    last = { tie, device };
  }
  return { pieces, voltageLevel };
}

/** The part of a period in which a device is shown, both ends inclusive; undefined without one. */
export function within(
  { tie }: Piece,
  { startDate, stopDate }: { readonly startDate: number; readonly stopDate: number },
): { readonly startDate: number; readonly stopDate: number } | undefined {
  const from = Math.max(startDate, tie?.from ?? startDate);
  const to = Math.min(stopDate, tie?.to == null ? stopDate : tie.to - 1);
  return from <= to ? { startDate: from, stopDate: to } : undefined;
}

/**
 * The ratio of a piece in a span by the transformers that a value passes, null if it changes within; undefined if it is
 * always 1, as that of none.
 */
export const ratioOf =
  ({ ratios }: Piece) =>
  (transformers: Transformers | undefined): Factor | undefined => {
    if (transformers === undefined) return undefined;
    const steps = ratios.map((each) => ({ from: each.from, ratio: ratioBehind[transformers](each) }));
    return steps.every(({ ratio }) => ratio === 1) ? undefined : (span) => ratioWithin(steps, span);
  };

const ratioBehind: Readonly<Record<Transformers, (of: RatioFrom) => number>> = {
  both: ({ ratio }) => ratio,
  current: ({ current, ratio }) => current ?? ratio,
  voltage: ({ voltage = 1 }) => voltage,
};

/** A ratio that begins with the end of a span is not of it. */
function ratioWithin(
  ratios: readonly Pick<RatioFrom, "from" | "ratio">[],
  { from, to }: Span,
): number | null {
  const ratio = ratios.findLast((each) => each.from <= from)?.ratio ?? 1;
  const isChanged = ratios.some((each) => each.from > from && each.from < to && each.ratio !== ratio);
  return isChanged ? null : ratio;
}

/** The share of losses of a piece in a span; undefined if it has none. */
export function lossOf({ losses }: Piece): ((span: Span) => number) | undefined {
  if (losses.length === 0) return undefined;
  return ({ from, to }) => Number(lossOver(losses, { from, to: Math.max(to, from + 1) }) ?? 0);
}

interface Base {
  readonly before: ReadonlyMap<FieldName, Point>;
  readonly carried: ReadonlyMap<FieldName, Carried>;
}

/**
 * Where the growth of the first rows of a piece begins. Values that its device showed before it measured the point
 * are left out: the opening reading takes their place, together with what the device before has counted from its last
 * row to its closing reading.
 */
export async function baseOf(
  ctx: Ctx,
  piece: Piece,
  { before: found, msgType }: { readonly before: ReadonlyMap<FieldName, Point>; readonly msgType: number },
  names: readonly FieldName[],
): Promise<Base> {
  const { tie } = piece;
  if (!tie) return { before: found, carried: new Map() };
  const before = new Map([...found].filter(([, point]) => point.ts >= tie.from));
  const opened = names.filter((name) => !before.has(name) && tie.opening[name] !== undefined);
  for (const name of opened) before.set(name, { ts: tie.from, value: tie.opening[name] ?? 0 });
  return { before, carried: await carriedTo(ctx, piece, { names: opened, msgType }) };
}

/** Consumption of the device before, from its last row of the type to its closing reading. */
async function carriedTo(
  ctx: Ctx,
  { last }: Piece,
  { names, msgType }: { readonly names: readonly FieldName[]; readonly msgType: number },
): Promise<ReadonlyMap<FieldName, Carried>> {
  if (!last || names.length === 0) return new Map<FieldName, Carried>();
  const { tie, device } = last;
  const end = tie.to ?? 0;
  const { sets } = ctx.parts.readingStore;
  const values = await lastTrusted(ctx.db, sets, { deviceId: device.id, msgType, before: end + 1, names });
  return knowingLoads(loadsFor(ctx.db), async (samplesOf) => {
    const { rangeOf } = await measuredBy(ctx, device, samplesOf);
    return new Map(
      names.flatMap((name): [FieldName, Carried][] => {
        const value = values.get(name);
        if (!value || value.ts < tie.from) return [];
        const closing = tie.closing[name];
        const last = closing === undefined ? undefined : { ts: end, value: closing };
        return [[name, { value: growth(value, last, rangeOf(name)), from: value.ts, to: end }]];
      }),
    );
  });
}
