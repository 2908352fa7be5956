import { allows, problem } from "@metrum/contract/core";
import { readings } from "@metrum/contract/metering";
import type { Transformers } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { lossOver, type LossStep } from "../growth/index.ts";
import type { MeasuredBy, PointTerms } from "./pointSource.ts";
import { shownDevice, type RatioFrom, type ShownDevice } from "./deviceStore.ts";
import type { Factor, Span } from "./table.ts";

/** A device whose messages are shown, or one of those that measured a point, in its interval. */
export interface Piece {
  readonly device: ShownDevice;
  readonly ratios: readonly RatioFrom[];
  /** It stands beside another device, and has none beside it. */
  readonly isBeside?: boolean;
  /** Of a point: the interval, and the one before it. */
  readonly tie?: MeasuredBy;
  readonly last?: { readonly tie: MeasuredBy; readonly device: ShownDevice };
}

export interface Pieces extends PointTerms {
  /** By time. */
  readonly pieces: readonly Piece[];
}

/** The piece of a device by itself. */
export const pieceOf = (device: ShownDevice): Piece => ({ device, ratios: device.ratios });

/** Whether a request names an accounting point, not a device. Problem: right_missing. */
export function isOfPoint({ scope }: Ctx, kind: "device" | "accounting_point" | undefined): boolean {
  const is = kind === "accounting_point";
  if (!allows(is ? readings.list.orRight : readings.list.right, scope.access)) throw problem("right_missing");
  return is;
}

/** All devices that have measured a point. Problem: not_found. */
export async function piecesOfPoint(ctx: Ctx, id: number): Promise<Pieces> {
  const { devices, ratios, losses, voltageLevel } = await ctx.parts.pointSource.point(ctx, id);
  const pieces: Piece[] = [];
  let last: Piece["last"];
  for (const tie of devices) {
    const device = await shownDevice(ctx.db, ctx.scope, tie.deviceId);
    if (!device) continue;
    pieces.push({ device, ratios, tie, ...(last ? { last } : {}) });
    last = { tie, device };
  }
  return { pieces, losses, voltageLevel };
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

/** The share of losses in a span; undefined if there are none. */
export function lossOf(losses: readonly LossStep[]): ((span: Span) => number) | undefined {
  if (losses.length === 0) return undefined;
  return ({ from, to }) => Number(lossOver(losses, { from, to: Math.max(to, from + 1) }) ?? 0);
}
