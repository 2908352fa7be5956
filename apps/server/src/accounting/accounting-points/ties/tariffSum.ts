import type { pointDevices } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { tariffsOf, type FieldName } from "@metrum/vocabulary";
import { difference, sum } from "#core";
import type { Point } from "#metering/messages";
import type { RegisterValues } from "../records/index.ts";

type TariffSum = ReplyOf<typeof pointDevices.checkReplacement>["closing_sum"];

/** A display shows three decimals at most; each tariff is rounded on its own. */
const roundingOfOne = 0.001;

/**
 * Whether the tariffs that were given add up to the main register that was given. Null unless the main register is a
 * total with its tariffs, at least two of them are given, and every one that has ever counted.
 */
export function tariffSum(
  given: RegisterValues,
  of: {
    readonly names: readonly FieldName[];
    readonly main: FieldName;
    /** What the device has told last. */
    readonly last: ReadonlyMap<FieldName, Point>;
  },
): TariffSum {
  const { names, main, last } = of;
  const total = given[main];
  const all = tariffsOf(main);
  if (total === undefined || all.length === 0) return null;
  const tariffs = names.filter((name) => all.includes(name));
  const parts = tariffs.filter((name) => given[name] !== undefined);
  const hasAll = tariffs.every((name) => given[name] !== undefined || (last.get(name)?.value ?? 0) === 0);
  if (parts.length < 2 || !hasAll) return null;
  const whole = sum(parts.map((name) => given[name] ?? 0));
  const apart = difference(total, whole);
  return {
    total: main,
    parts,
    sum: whole,
    difference: apart,
    adds_up: Math.abs(apart) <= roundingOfOne * (parts.length + 1) + 1e-9,
  };
}
