import type { NewDeviceInput } from "@metrum/contract/metering";
import type { Picked } from "#ui/picker";

/** A term of a sum: a field of another device times a coefficient. */
export interface TermValues {
  readonly device: Picked | null;
  readonly field: string;
  readonly coefficient: number | null;
}

/** A field of a virtual device. */
export interface SumValues {
  readonly field: string;
  readonly terms: readonly TermValues[];
}

type Properties = Readonly<Record<string, unknown>>;

export const emptyTerm: TermValues = { device: null, field: "", coefficient: 1 };

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** The definition of a virtual device as the form shows it; the names of its devices follow. */
export function sumsOf(properties: Properties): readonly SumValues[] {
  const one = entriesOf(properties["virtual_fields_map"]).map(([field, term]) => ({ field, terms: [term] }));
  const several = entriesOf(properties["virtual_fields_map_multiple"]).map(([field, terms]) => ({
    field,
    terms: Array.isArray(terms) ? (terms as unknown[]) : [],
  }));
  return [...one, ...several].map(({ field, terms }) => ({ field, terms: terms.map(termOf) }));
}

function termOf(value: unknown): TermValues {
  const term = (typeof value === "object" && value !== null ? value : {}) as Properties;
  const { device_id, field, coefficient } = term;
  return {
    device: pickedOf(device_id),
    field: typeof field === "string" ? field : "",
    coefficient: typeof coefficient === "number" ? coefficient : null,
  };
}

/** A device by its id, until its name is known. */
export const pickedOf = (id: unknown): Picked | null =>
  typeof id === "number" ? { id: String(id), title: `№ ${String(id)}` } : null;

export const isVirtual = (properties: Properties): boolean => sumsOf(properties).length > 0;

/** A sum that names a field, and a device, field and coefficient in every term. */
export const isWhole = ({ field, terms }: SumValues): boolean =>
  field !== "" &&
  terms.length > 0 &&
  terms.every((each) => each.device !== null && each.coefficient !== null);

/** Properties of the sums: those of one term and those of several; null removes them. */
export function mapsOf(
  sums: readonly SumValues[],
): Pick<NonNullable<NewDeviceInput["properties"]>, "virtual_fields_map" | "virtual_fields_map_multiple"> {
  const made = sums.map(({ field, terms }) => ({
    field,
    terms: terms.map((each) => ({
      device_id: Number(each.device?.id),
      field: each.field === "" ? field : each.field,
      coefficient: each.coefficient ?? 1,
    })),
  }));
  const one = made.flatMap(({ field, terms: [first, ...rest] }) =>
    first && rest.length === 0 ? [[field, first] as const] : [],
  );
  const several = made
    .filter(({ terms }) => terms.length > 1)
    .map(({ field, terms }) => [field, terms] as const);
  return {
    virtual_fields_map: one.length === 0 ? null : Object.fromEntries(one),
    virtual_fields_map_multiple: several.length === 0 ? null : Object.fromEntries(several),
  };
}
