import type { DataColumn } from "./dataTable.ts";

type Named = Pick<DataColumn, "title" | "unit">;

/** Heading of a column: its own words, and those shared with its neighbours, with the unit. */
export interface Heading {
  readonly own: string;
  readonly shared?: string;
}

/** Parts of a title are separated by commas; the direction of an energy is a separate part. */
const partsOf = (title: string): readonly string[] => title.split(/, | (?=[AR][+−])/);
const joined = (parts: readonly string[]): string =>
  parts.reduce((text, part) => (/^[AR][+−]/.test(part) ? `${text} ${part}` : `${text}, ${part}`));

const withUnit = (text: string, unit: string): string => (unit === "" ? text : `${text}, ${unit}`);

/** Headings of columns in order: common words of neighbours with one unit are shown once, above them. */
export function headingsOf(columns: readonly Named[]): readonly Heading[] {
  return runsOf(columns).flatMap((run) => {
    const [first] = run;
    if (first === undefined || run.length === 1)
      return run.map(({ title, unit }) => ({ own: withUnit(title, unit) }));
    const parts = run.map(({ title }) => partsOf(title));
    const before = commonStart(parts);
    const rest = parts.map((each) => each.slice(before.length));
    const after = commonStart(rest.map((each) => each.toReversed())).toReversed();
    const shared = withUnit(joined([...before, ...after]), first.unit);
    return rest.map((each) => ({ own: joined(each.slice(0, each.length - after.length)), shared }));
  });
}

/** Neighbours of one unit whose titles share a beginning and differ afterwards. */
function runsOf(columns: readonly Named[]): readonly (readonly Named[])[] {
  const runs: Named[][] = [];
  for (const column of columns) {
    const last = runs.at(-1);
    if (last?.[0] && isAlike(last[0], column)) last.push(column);
    else runs.push([column]);
  }
  return runs;
}

function isAlike(one: Named, other: Named): boolean {
  const [parts, others] = [partsOf(one.title), partsOf(other.title)];
  return one.unit === other.unit && parts.length > 1 && others.length > 1 && parts[0] === others[0];
}

/** Common leading parts; each title keeps at least one distinct part. */
function commonStart(titles: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = titles;
  const most = Math.min(...titles.map((each) => each.length)) - 1;
  const differs = first.findIndex((part, at) => at >= most || titles.some((each) => each[at] !== part));
  return first.slice(0, differs);
}
