/** A cell by the number of its row and of its day. */
export interface Cell {
  readonly row: number;
  readonly day: number;
}

interface Bounds {
  readonly last: Cell;
  /** Rows in sight. */
  readonly pageRows: number;
}

/** Where a key takes the cursor; undefined for a key that does not move it. The first move comes to the first cell. */
export function moved(
  { key }: { readonly key: string },
  from: Cell | null,
  { last, pageRows }: Bounds,
): Cell | undefined {
  const steps: Readonly<Record<string, readonly [rows: number, days: number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-pageRows, 0],
    PageDown: [pageRows, 0],
    Home: [0, -last.day],
    End: [0, last.day],
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (!step || last.row < 0) return undefined;
  if (!from) return { row: 0, day: last.day };
  const [rows, days] = step;
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return { row: within(from.row + rows, last.row), day: within(from.day + days, last.day) };
}
