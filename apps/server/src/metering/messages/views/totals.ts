import { fieldOf, units, type FieldName, type Language, type ResourceKey } from "@metrum/vocabulary";
import { product, rounded, sum } from "#core";
import {
  growthBetween,
  higherOf,
  type CounterRange,
  type Fall,
  type Falls,
  type Point,
} from "../growth/index.ts";
import type { SeriesRow } from "../read/index.ts";
import { valuesByField } from "./table.ts";
import { statusOfValue, trustedValues } from "../rows/index.ts";

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
export function totalsOf(rows: readonly SeriesRow[], how: How): Totals {
  const columns = valuesByField(rows, trustedValues);
  const totals = [...columns].flatMap(([name, column]) => ofColumn(name, { rows, column }, how));
  return { totals, tg_phi: tgPhi(columns.get("power_a_plus"), columns.get("power_r_plus")) };
}

/** Values of a field by row. */
interface OfField {
  readonly rows: readonly SeriesRow[];
  readonly column: Column;
}

function ofColumn(name: FieldName, { rows, column }: OfField, how: How): Total[] {
  const isKnown = (value: number | null): boolean => value !== null;
  const timeAt = (at: number): number => rows[at]?.ts ?? 0;
  const [first, last] = [column.findIndex(isKnown), column.findLastIndex(isKnown)];
  if (first < 0) return [];
  const field = fieldOf(name, how.resource);
  const unit = units[field.unit][how.language];
  const span = { from: timeAt(first), to: timeAt(last) };
  const at = { from: timeAt(last), to: timeAt(last) };
  const latest: Total = { name, kind: "latest", value: column[last] ?? null, unit, ...at };
  if (field.kind === "counter" && last > first) {
    const points = pointsOf(name, { rows, column });
    const value = growthOver(points, { range: how.rangeOf(name), falls: how.falls.get(name) });
    return [{ name, kind: "growth", value, unit, ...span }, latest];
  }
  if (how.intervalHours === undefined || (field.unit !== "kW" && field.unit !== "kvar")) return [latest];
  const known = column.filter((value) => value !== null);
  const highest = known.reduce((most, value) => (value > most ? value : most));
  const when = timeAt(column.indexOf(highest));
  return [
    {
      name,
      kind: "energy",
      value: product(sum(known), how.intervalHours),
      unit: units[energyUnits[field.unit]][how.language],
      ...span,
    },
    { name, kind: "maximum", value: highest, unit, from: when, to: when },
    latest,
  ];
}

const pointsOf = (name: FieldName, { rows, column }: OfField): Point[] =>
  rows.flatMap((row, at): Point[] => {
    const value = column[at] ?? null;
    return value === null ? [] : [{ ts: row.ts, value, status: statusOfValue(row, name) }];
  });

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
