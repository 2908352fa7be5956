import { fieldOf, isFieldName, type ResourceKey } from "@metrum/vocabulary";
import { extremesOf } from "#ui/chart";
import { baseName, type DataColumn, type DataTable } from "./dataTable.ts";
import { energyOf, growthOf } from "./rows.ts";

/** One figure of the strip above the table; how it is worded is the page's business. */
export type Figure =
  | {
      readonly kind: "energy";
      readonly column: DataColumn;
      readonly value: number;
      readonly unit: "kWh" | "kvarh";
    }
  | { readonly kind: "growth"; readonly column: DataColumn; readonly value: number }
  | { readonly kind: "maximum"; readonly column: DataColumn; readonly value: number; readonly at: number }
  | { readonly kind: "latest"; readonly column: DataColumn; readonly value: number; readonly at: number }
  | { readonly kind: "tg"; readonly value: number };

const shownLatest = 3;

/** Energy and maximum of a profile, growth of the main counter of readings, the newest values of states. */
export function figuresOf(
  table: DataTable,
  stepSec: number | null,
  resource: ResourceKey,
): readonly Figure[] {
  const find = (name: string) => table.columns.find((column) => column.name === name);
  const [active, reactive] = [find("power_a_plus"), find("power_r_plus")];
  if ((active ?? reactive) && stepSec !== null) return profileFigures(table, active, reactive, stepSec);
  const plain = table.columns.filter(
    (column) => column.name === baseName(column.name) && isFieldName(column.name),
  );
  const counter = plain.find((column) => kindOf(column.name, resource) === "counter");
  const growth = counter ? growthOf(counter.values) : null;
  const figures: Figure[] =
    counter && growth !== null ? [{ kind: "growth", column: counter, value: growth }] : [];
  for (const column of plain.slice(0, growth === null ? shownLatest : 1)) {
    const found = extremesOf(table.time, column.values);
    if (found) figures.push({ kind: "latest", column, value: found.last, at: found.lastAt });
  }
  return figures;
}

function kindOf(name: string, resource: ResourceKey) {
  return isFieldName(name) ? fieldOf(name, resource).kind : undefined;
}

function profileFigures(
  table: DataTable,
  active: DataColumn | undefined,
  reactive: DataColumn | undefined,
  stepSec: number,
): readonly Figure[] {
  const figures: Figure[] = [];
  const energies = [active, reactive].map((column) => (column ? energyOf(column.values, stepSec) : 0));
  const [kwh = 0, kvarh = 0] = energies;
  if (active) figures.push({ kind: "energy", column: active, value: kwh, unit: "kWh" });
  if (reactive) figures.push({ kind: "energy", column: reactive, value: kvarh, unit: "kvarh" });
  const highest = active && extremesOf(table.time, active.values);
  if (active && highest)
    figures.push({ kind: "maximum", column: active, value: highest.max, at: highest.maxAt });
  const tg = active && reactive ? ratioOf(reactive.values, active.values) : null;
  if (tg !== null) figures.push({ kind: "tg", value: tg });
  return figures;
}

/** Of the intervals that have both: a missing value on one side alone would bend the ratio. */
function ratioOf(over: Float64Array, under: Float64Array): number | null {
  let [above, below] = [0, 0];
  for (const [at, value] of under.entries()) {
    const other = over[at] ?? Number.NaN;
    if (Number.isNaN(value) || Number.isNaN(other)) continue;
    above += other;
    below += value;
  }
  return below > 0 ? above / below : null;
}
