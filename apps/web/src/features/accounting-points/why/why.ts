import type { PointWhy } from "@metrum/contract/accounting";

export type WhyPart = PointWhy["parts"][number];
/** A value of a register: a reading, or one that was interpolated between two. */
export type WhyEnd = NonNullable<WhyPart["end"]>;
export type WhyValue = WhyEnd["around"][number];

/** A line of the arithmetic of a part: a reading, the growth of the register, the ratio. */
export type WhyLine =
  | { readonly kind: "end" | "start"; readonly value: WhyEnd }
  | { readonly kind: "growth"; readonly amount: number }
  | { readonly kind: "ratio"; readonly ratio: number; readonly title: string; readonly since: number | null };

/**
 * The lines of a part in the order of the formula: reading at the end, minus that at the start, times the
 * ratio. The growth is a line of its own where it is not their difference, and of a part that is not counted, which has
 * no product.
 */
export function linesOf(part: WhyPart): readonly WhyLine[] {
  const isCounted = part.kind === "device" || part.kind === "carried";
  return [
    ...(part.end === null ? [] : [{ kind: "end" as const, value: part.end }]),
    ...(part.start === null ? [] : [{ kind: "start" as const, value: part.start }]),
    ...((!part.is_difference || !isCounted) && part.register_growth !== null
      ? [{ kind: "growth" as const, amount: part.register_growth }]
      : []),
    ...(part.ratio === null || !isCounted
      ? []
      : [{ kind: "ratio" as const, ratio: part.ratio, title: part.ratio_title, since: part.ratio_from }]),
  ];
}

/** The reading that is explained first: the last one of the last device. */
export function firstExplained(parts: readonly WhyPart[]): WhyValue | null {
  for (const part of parts.toReversed()) {
    const value = part.end ?? part.start;
    if (value !== null) return value.around[0] ?? value;
  }
  return null;
}

/** Reading rows are told apart by time and kind. */
export const keyOfValue = ({ ts, kind }: WhyValue): string => `${kind} ${String(ts)}`;
