/** Content of a cell. Times are epoch seconds UTC; null is an empty cell. */
export type Cell = string | number | null;

export interface SheetColumn {
  readonly title: string;
  /** How its numbers are shown: as they are, or as a time or day in the zone of the sheet. */
  readonly shows: "plain" | "time" | "day";
  /** Its amounts are shown with so many decimals; without: its numbers as they are. */
  readonly decimals?: number | undefined;
}

/** A table on its way to a file; its rows come in batches, so that a long one is never held as a whole. */
export interface Sheet {
  readonly title: string;
  readonly columns: readonly SheetColumn[];
  /** IANA zone of the times. */
  readonly zone: string;
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Title of a column in the file: a time says its zone (XLS-014). */
export function headingOf({ title, shows }: SheetColumn, zone: string): string {
  return shows === "time" ? `${title} (${zone})` : title;
}
