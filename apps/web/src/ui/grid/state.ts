/** State of a table in the address bar. It survives a reload and a pasted link. */
export interface GridState {
  readonly q: string;
  readonly sort: GridSort | null;
  readonly page: number;
  readonly size: number;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Visible columns in order; null is the saved set of the user, or the default one. */
  readonly cols: readonly string[] | null;
}

export interface GridSort {
  readonly field: string;
  readonly desc: boolean;
}

/** Page sizes of every table. */
export const pageSizes = [10, 25, 100] as const;

export interface GridDefaults {
  readonly sort: GridSort | null;
  readonly size: number;
  readonly sortFields: readonly string[];
  readonly filters: readonly string[];
  readonly sizes?: readonly number[];
}

/** Stored per user and table. The address bar takes precedence. */
export interface GridMemory {
  readonly size?: number;
  readonly cols?: readonly string[];
  readonly widths?: Readonly<Record<string, number>>;
  readonly sort?: string;
}

type Search = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
const listOf = (value: unknown): readonly string[] => {
  const parts = Array.isArray(value) ? value.map(textOf) : textOf(value).split(",");
  return parts.filter((each) => each !== "");
};

export function sortText(sort: GridSort): string {
  return `${sort.desc ? "-" : ""}${sort.field}`;
}

function parseSort(text: string, fields: readonly string[]): GridSort | undefined {
  const desc = text.startsWith("-");
  const field = desc ? text.slice(1) : text;
  return fields.includes(field) ? { field, desc } : undefined;
}

/** Reads the state from the address; missing parts come from the stored settings, then from the defaults. */
export function readGridState(search: Search, defaults: GridDefaults, memory: GridMemory = {}): GridState {
  const sizes: readonly number[] = defaults.sizes ?? pageSizes;
  const size = Number(textOf(search["size"]));
  const page = Math.floor(Number(textOf(search["page"])));
  const remembered = memory.size !== undefined && sizes.includes(memory.size) ? memory.size : defaults.size;
  const filters = Object.fromEntries(
    defaults.filters
      .map((name) => [name, listOf(search[`f.${name}`])] as const)
      .filter(([, values]) => values.length > 0),
  );
  const cols = listOf(search["cols"]);
  return {
    q: textOf(search["q"]),
    sort:
      parseSort(textOf(search["sort"]), defaults.sortFields) ??
      parseSort(memory.sort ?? "", defaults.sortFields) ??
      defaults.sort,
    page: page >= 1 ? page : 1,
    size: sizes.includes(size) ? size : remembered,
    filters,
    cols: cols.length > 0 ? cols : (memory.cols ?? null),
  };
}

/**
 * The address for a change of the state. Only differences from an empty address are written, so links stay
 * short; every change but that of the page returns to the first one.
 */
export function writeGridState(
  search: Search,
  change: Partial<GridState>,
  defaults: GridDefaults,
  memory: GridMemory = {},
): Record<string, unknown> {
  const next: GridState = {
    ...readGridState(search, defaults, memory),
    ...(change.page === undefined ? { page: 1 } : {}),
    ...change,
  };
  const plain = readGridState({}, defaults, memory);
  const own = new Set(["q", "sort", "page", "size", "cols", ...defaults.filters.map((name) => `f.${name}`)]);
  const written: Record<string, unknown> = Object.fromEntries(
    Object.entries(search).filter(([name]) => !own.has(name)),
  );
  if (next.q !== "") written["q"] = next.q;
  if (next.sort && (!plain.sort || sortText(next.sort) !== sortText(plain.sort)))
    written["sort"] = sortText(next.sort);
  if (next.page > 1) written["page"] = next.page;
  if (next.size !== plain.size) written["size"] = next.size;
  if (next.cols && next.cols.join() !== plain.cols?.join()) written["cols"] = next.cols.join();
  for (const [name, values] of Object.entries(next.filters))
    if (values.length > 0) written[`f.${name}`] = values.join();
  return written;
}

/** Ascending first, then descending, then the default order. */
export function nextSort(current: GridSort | null, field: string): GridSort {
  return current?.field === field ? { field, desc: !current.desc } : { field, desc: false };
}

export function isFiltered(state: GridState): boolean {
  return state.q !== "" || Object.keys(state.filters).length > 0;
}

/** Visible columns in order: the requested ones that exist, with those that cannot be hidden first. */
export function shownColumns(
  columns: readonly { readonly id: string; readonly isFixed?: boolean; readonly isOptional?: boolean }[],
  wanted: readonly string[] | null,
): readonly string[] {
  if (!wanted) return columns.filter((each) => each.isOptional !== true).map((each) => each.id);
  const known = wanted.filter((id) => columns.some((each) => each.id === id));
  const fixed = columns
    .filter((each) => each.isFixed === true && !known.includes(each.id))
    .map((each) => each.id);
  return [...fixed, ...known];
}
