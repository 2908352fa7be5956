import { fieldOf, fields, units, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { difference, rounded, type Ctx } from "#core";
import { verdictOf, type Point } from "#metering/messages";
import { modelOf } from "#metering/models";
import { valuesAfter, valuesAt } from "./load.ts";
import { countersOf } from "./registers.ts";
import type { RegisterValues } from "./tables.ts";
import { tariffSum } from "./tariffSum.ts";

interface Checked {
  readonly deviceId: DeviceId;
  readonly modelId: number;
  readonly at: number;
  readonly given: RegisterValues;
  readonly main: FieldName;
  readonly side: "closing" | "opening";
  /** Of the main register, in its units an hour, without the ratio; null: not known. */
  readonly load: number | null;
}

/**
 * Readings that were given against those that the device has told: the last one before, of the new device also
 * the first one after.
 */
export async function registerChecks(ctx: Ctx, of: Checked) {
  const { deviceId, modelId, at, given, main, side, load } = of;
  const model = modelOf(modelId);
  const names = countersOf(model);
  const last = await valuesAt(ctx, { deviceId, names, at });
  const next =
    side === "opening" ? await valuesAfter(ctx, { deviceId, names, at }) : new Map<FieldName, Point>();
  const unitOf = (field: FieldName) => fieldOf(field, model.resource).unit;
  const checks = names.map((field) => {
    const [value, told, later] = [given[field] ?? null, last.get(field), next.get(field)];
    const until = side === "opening" ? later && later.ts - at : told && at - told.ts;
    const isLike = unitOf(field) === unitOf(main) && isExport(field) === isExport(main);
    const isOfLoad = load !== null && until !== undefined && isLike;
    const expected = isOfLoad ? rounded((load * until) / 3600) : null;
    return {
      field,
      unit: units[unitOf(field)][ctx.language],
      given: value,
      difference: value === null || !told ? null : difference(value, told.value),
      expected: field === main ? expected : null,
      ...pollsOf(told, later),
      verdict: verdictOf({ value, told, later, at, expected: side === "closing" ? expected : null }),
    };
  });
  return { checks, last, sum: tariffSum(given, { names, main, last }) };
}

/** What a site delivers tells nothing about what it draws. */
const isExport = (field: FieldName): boolean => fields[field].direction === "reverse";

const pollsOf = (told: Point | undefined, later: Point | undefined) => ({
  last_value: told?.value ?? null,
  last_at: told?.ts ?? null,
  next_value: later?.value ?? null,
  next_at: later?.ts ?? null,
});
