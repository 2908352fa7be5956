/** A column of a table of readings: the value of a field, or what is computed of it row by row. */
export interface ColumnName {
  readonly field: string;
  readonly part: "value" | "start" | "end" | "growth";
  /** Multiplied by the ratio of the transformers. */
  readonly isWithRatio: boolean;
  /** With the losses of the network. */
  readonly isWithLosses: boolean;
}

const parts = { start_: "start", end_: "end", delta_: "growth" } as const;
const withRatio = "_kkt";
const withLosses = "_loss_factor";

/** What a column shows, by its name on the wire: `delta_tariff0_kkt` is the growth of tariff0 with the ratio. */
export function columnOf(name: string): ColumnName {
  const [prefix, part] = Object.entries(parts).find(([each]) => name.startsWith(each)) ?? ["", "value"];
  const isWithLosses = name.endsWith(withLosses);
  const isWithRatio = name.endsWith(withRatio);
  const suffix = isWithLosses ? withLosses : isWithRatio ? withRatio : "";
  return { field: name.slice(prefix.length, name.length - suffix.length), part, isWithRatio, isWithLosses };
}
