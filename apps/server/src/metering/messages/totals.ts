import { fieldOf, units, type FieldName, type Language, type ResourceKey } from "@metrum/vocabulary";
import { product, rounded, sum } from "#core";
import type { CounterRange, Point } from "./counter.ts";
import { higherOf } from "./growth.ts";
import { growthBetween, type Fall, type Falls } from "./resets.ts";
import type { ShownRow } from "./shown.ts";
import { valuesByField } from "./table.ts";
import { statusOfValue, trustedValues } from "./trust.ts";

/** One number for a whole period. `from` and `to` are the time stamps of the first and last value used. */
export interface Total {
  readonly name: string;
  readonly kind: "growth" | "energy" | "maximum" | "latest";
  /** Null: unknown, because the counter was reset or replaced in between. */
  readonly value: number | null;
  readonly unit: string;
  readonly from: number;
  readonly to: number;
}

export interface Totals {
  readonly totals: readonly Total[];
  /** Reactive to active energy of the intervals that have both; null without any. */
  readonly tg_phi: number | null;
}

interface How {
  readonly resource: ResourceKey;
  readonly language: Language;
  readonly rangeOf: (name: FieldName) => CounterRange;
  /** Resets shown by the readings between the rows, if the rows are archives. */
  readonly falls: Falls;
  /**
   * Length in hours of the intervals whose average powers the rows are; undefined for anything but a profile.
   */
  readonly intervalHours: number | undefined;
}

type Column = readonly (number | null)[];

const energyUnits = { kW: "kWh", kvar: "kvarh" } as const;

/**
 * Growth of counters, energy and maxima of profiles, newest values, from trusted values alone; rows oldest
 * first.
 */
export function totalsOf(rows: readonly ShownRow[], how: How): Totals {
  const columns = valuesByField(rows, trustedValues);
  const totals = [...columns].flatMap(([name, column]) =>
    ofColumn(
      name,
      column.flatMap((value, at): Point[] => {
        const row = rows[at];
        return value === null || !row ? [] : [{ ts: row.ts, value, status: statusOfValue(row, name) }];
      }),
      how,
    ),
  );
  return { totals, tg_phi: tgPhi(columns.get("power_a_plus"), columns.get("power_r_plus")) };
}

function ofColumn(name: FieldName, points: readonly Point[], how: How): Total[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const field = fieldOf(name, how.resource);
  const unit = units[field.unit][how.language];
  const span = { from: first.ts, to: last.ts };
  const latest: Total = { name, kind: "latest", value: last.value, unit, from: last.ts, to: last.ts };
  if (field.kind === "counter" && points.length > 1) {
    const value = growthOver(points, { range: how.rangeOf(name), falls: how.falls.get(name) });
    return [{ name, kind: "growth", value, unit, ...span }, latest];
  }
  if (how.intervalHours === undefined || (field.unit !== "kW" && field.unit !== "kvar")) return [latest];
  const highest = points.reduce((best, each) => (each.value > best.value ? each : best));
  const total = sum(points.map(({ value }) => value));
  return [
    {
      name,
      kind: "energy",
      value: product(total, how.intervalHours),
      unit: units[energyUnits[field.unit]][how.language],
      ...span,
    },
    { name, kind: "maximum", value: highest.value, unit, from: highest.ts, to: highest.ts },
    latest,
  ];
}

/** Summed from value to value, so that rollovers are counted; null when one step is unknown. */
function growthOver(
  points: readonly Point[],
  how: { readonly range: CounterRange; readonly falls: readonly Fall[] | undefined },
): number | null {
  const steps: number[] = [];
  let last: Point | undefined;
  for (const point of points) {
    const step = last ? growthBetween(last, point, how) : 0;
    if (step === null) return null;
    steps.push(step);
    last = higherOf(last, point);
  }
  return sum(steps);
}

/** Intervals with only one of the two values would distort the ratio. */
function tgPhi(active: Column | undefined, reactive: Column | undefined): number | null {
  let [below, above] = [0, 0];
  for (const [at, a] of (active ?? []).entries()) {
    const r = reactive?.[at] ?? null;
    if (a === null || r === null) continue;
    below += a;
    above += r;
  }
  return below > 0 ? rounded(above / below) : null;
}
