import type { SheetField, SheetImport } from "@metrum/contract/metering";

/** Field of each column by its position; empty: the column is ignored. */
export type Mapping = Readonly<Record<string, string>>;

export const valuesOf = ({ mapping }: Pick<SheetImport, "mapping">): Mapping =>
  Object.fromEntries(mapping.map((field, at) => [String(at), field ?? ""]));

export const mappingOf = (values: Mapping, count: number): (string | null)[] =>
  Array.from({ length: count }, (_, at) => {
    const field = values[String(at)] ?? "";
    return field === "" ? null : field;
  });

/** A field may be in one column only, and that of the key must be in one. */
export function faultsOf(values: Mapping, key: string | undefined): Readonly<Record<string, string>> {
  const used = new Set<string>();
  const twice = Object.entries(values).filter(([, field]) => {
    const isTwice = field !== "" && used.has(field);
    used.add(field);
    return isTwice;
  });
  const faults = Object.fromEntries(twice.map(([at]) => [at, "twice"]));
  if (key === undefined || used.has(key)) return faults;
  // Said at the first column that is still free, where it can be chosen.
  const free = Object.keys(values).find((at) => values[at] === "") ?? "0";
  return { ...faults, [free]: "key" };
}

/** Titles of the fields that a new thing needs and no column has. */
export const missingOf = (values: Mapping, fields: readonly SheetField[]): readonly string[] =>
  fields
    .filter(({ field, is_key, is_needed }) => (is_key || is_needed) && !Object.values(values).includes(field))
    .map(({ title }) => title);
