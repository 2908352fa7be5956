import { fieldOf, fields, units, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { difference, rounded, type Ctx } from "#core";
import {
  counterRange,
  expectedGrowth,
  knowingLoads,
  readLoads,
  verdictOf,
  withoutRollover,
  type Point,
} from "#metering/messages";
import { modelOf } from "#metering/models";
import { valuesAfter, valuesAt } from "./load.ts";
import { countersOf, type RegisterValues } from "../records/index.ts";
import { tariffSum } from "./tariffSum.ts";

/** Readings that were given for an end of an interval. */
export interface Checked {
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
 * Readings that were given against the nearest ones that the device has told, before and after. `expected` is what the
 * load of the point gives, the verdict goes by the usual load of the register if that is known.
 */
export async function registerChecks(ctx: Ctx, of: Checked) {
  const { deviceId, modelId, at, given, main, side, load } = of;
  const model = modelOf(modelId);
  const names = countersOf(model);
  const last = await valuesAt(ctx, { deviceId, names, at });
  const next = await valuesAfter(ctx, { deviceId, names, at });
  const device = (await ctx.parts.readingStore.metadata.of([deviceId])).get(deviceId);
  const unitOf = (field: FieldName) => fieldOf(field, model.resource).unit;
  const loadGives = (field: FieldName, told: Point | undefined, later: Point | undefined): number | null => {
    const until = side === "opening" ? later && later.ts - at : told && at - told.ts;
    const isLike = unitOf(field) === unitOf(main) && isExport(field) === isExport(main);
    return load !== null && until !== undefined && isLike ? rounded((load * until) / 3600) : null;
  };
  const checks = await knowingLoads(readLoads(ctx.db), (samplesOf) =>
    names.map((field) => {
      const [value, told, later] = [given[field] ?? null, last.get(field), next.get(field)];
      const range = device ? counterRange(device, field, samplesOf(device.id, field)) : withoutRollover;
      const byLoad = loadGives(field, told, later);
      const usual = told ? expectedGrowth(told, at, range) : null;
      const expected = usual ?? (side === "closing" ? byLoad : null);
      const verdict = verdictOf({ value, told, later, at, expected, range });
      return {
        field,
        unit: units[unitOf(field)][ctx.language],
        given: value,
        difference: value === null || !told ? null : difference(value, told.value),
        expected: field === main ? byLoad : null,
        ...pollsOf(told, side === "opening" || verdict === "beyond" ? later : undefined),
        verdict,
      };
    }),
  );
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
