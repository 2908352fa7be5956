import type { PeriodSummary } from "@metrum/contract/metering";
import { fieldOf, isFieldName, type ResourceKey } from "@metrum/vocabulary";
import type { DataColumn } from "./dataTable.ts";

type Total = PeriodSummary["totals"][number];

/** One figure of the strip above the table, computed by the server; the page formats it. */
export type Figure =
  | {
      readonly kind: Total["kind"];
      readonly column: DataColumn;
      readonly total: Total & { readonly value: number };
    }
  | { readonly kind: "tg"; readonly value: number };

const shownLatest = 3;

/** Energy and maximum of a profile, growth of the main counter of readings, the newest values of states. */
export function figuresOf(
  columns: readonly DataColumn[],
  summary: PeriodSummary,
  resource: ResourceKey,
): readonly Figure[] {
  const take = (kind: Total["kind"], column: DataColumn | undefined): readonly Figure[] => {
    const found = summary.totals.find((total) => total.kind === kind && total.name === column?.name);
    return column && found && found.value !== null
      ? [{ kind, column, total: { ...found, value: found.value } }]
      : [];
  };
  const find = (name: string) => columns.find((column) => column.name === name);
  const [active, reactive] = [find("power_a_plus"), find("power_r_plus")];
  const energies = [...take("energy", active), ...take("energy", reactive)];
  if (energies.length > 0) {
    const tg: readonly Figure[] =
      active && reactive && summary.tg_phi !== null ? [{ kind: "tg", value: summary.tg_phi }] : [];
    return [...energies, ...take("maximum", active), ...tg];
  }
  const plain = columns.filter((column) => isFieldName(column.name));
  const counter = plain.find((column) => isCounter(column.name, resource));
  const growth = take("growth", counter);
  const newest = plain.slice(0, growth.length === 0 ? shownLatest : 1);
  return [...growth, ...newest.flatMap((column) => take("latest", column))];
}

const isCounter = (name: string, resource: ResourceKey): boolean =>
  isFieldName(name) && fieldOf(name, resource).kind === "counter";
