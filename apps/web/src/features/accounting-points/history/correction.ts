import type { pointDevices } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import type { PointHistory } from "./PointHistoryPart.tsx";

export type Interval = PointHistory["devices"][number];
export type CorrectionInput = NonNullable<InputOf<typeof pointDevices.checkCorrection>["body"]>;

/** How the time without a meter is counted; `kept`: as it was. */
export const gapChoices = ["kept", "not_counted", "load_before", "entered"] as const;

/** What a correction can change, with the reason for it. */
export interface CorrectionValues {
  readonly from: number | null;
  readonly to: number | null;
  readonly opening: number | null;
  readonly closing: number | null;
  readonly meterless: (typeof gapChoices)[number];
  readonly meterless_amount: number | null;
  readonly reason: string;
}

export const storedValues = (interval: Interval): CorrectionValues => ({
  from: interval.from,
  to: interval.to,
  opening: interval.opening_value,
  closing: interval.closing_value,
  meterless: "kept",
  meterless_amount: null,
  reason: "",
});

/** The changed fields as the call takes them; null without a change, or without a moment. */
export function correctionInput(
  pointId: number,
  interval: Interval,
  values: CorrectionValues,
): CorrectionInput | null {
  const { from, to, opening, closing, meterless, meterless_amount: amount } = values;
  if (from === null || (to === null && interval.to !== null)) return null;
  const changed = {
    ...(from === interval.from ? {} : { from }),
    ...(to === null || to === interval.to ? {} : { to }),
    ...(opening === interval.opening_value ? {} : { opening: readings(interval, interval.opening, opening) }),
    ...(closing === interval.closing_value ? {} : { closing: readings(interval, interval.closing, closing) }),
  };
  if (Object.keys(changed).length === 0) return null;
  return {
    accounting_point_id: pointId,
    tie_number: interval.id,
    ...changed,
    ...(meterless === "kept" ? {} : { meterless }),
    ...(amount === null ? {} : { meterless_amount: amount }),
  };
}

/** Readings of an end with another one of the main register; those of other registers stay. */
function readings(
  { field }: Interval,
  stored: Interval["opening"],
  value: number | null,
): Record<string, number> {
  const others = Object.entries(stored).filter(([name]) => name !== field);
  return Object.fromEntries(value === null ? others : [...others, [field, value]]);
}
