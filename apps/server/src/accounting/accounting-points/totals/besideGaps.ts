import { dayOf, startOfDay, type Day } from "#core";
import { isNear, nearest, nodesOfTie, registersOf, type Node, type Register } from "../days/index.ts";
import { isDayKnown, type ReadPoint } from "./known.ts";

type Side = "before" | "after";

/** Reads what was not read yet of a point. */
export interface Reader {
  /** With what was read so far. */
  readonly point: () => ReadPoint;
  /** Readings of these days and around them; `isFar`: of all that tell how far apart values usually are. */
  readonly read: (from: Day, to: Day, isFar?: boolean) => Promise<void>;
  /** The next day of a register with a value or a gap. */
  readonly valuedDay: (field: string, day: Day, side: Side) => Promise<Day | null>;
}

/** Days with a value or a gap that are searched for the nearest value. */
const mostDays = 60;

/**
 * Days beside a window that a gap over its edge joins with it: those in which the gap begins and ends, and those whose
 * rows were counted of other gaps. What these days follow from is read.
 */
export async function daysBeside(reader: Reader, field: string): Promise<Day[]> {
  const { zone, from, to } = reader.point().window;
  const found = new Set<Day>();
  for (const side of ["before", "after"] as const) {
    const [own, edge] = side === "before" ? [from, startOfDay(zone, from)] : [to, startOfDay(zone, to + 1)];
    const { visited, node } = await valueBeside(reader, { field, side, edge, day: own });
    if (isBridged(reader.point(), { field, edge })) continue;
    for (const day of visited) found.add(day);
    if (!node) continue;
    // A value at midnight ends the day before it.
    const day = dayOf(zone, node.ts);
    found.add(day).add(side === "before" ? from - 1 : day - 1);
    // The midnight from which the gap goes on is of the day after the value.
    found.add(side === "before" ? day + 1 : to + 1);
    for (const ts of monthEndsOver(reader.point(), { field, edge }))
      found.add(dayOf(zone, ts)).add(dayOf(zone, ts - 1));
    const next = side === "before" ? startOfDay(zone, day) : startOfDay(zone, day + 1);
    await valueBeside(reader, { field, side, edge: next, day });
    if (!isDayKnown(reader.point(), field, day)) await reader.read(day, day, true);
  }
  return [...found].filter((day) => day < from || day > to).sort((a, b) => a - b);
}

interface Edge {
  readonly field: string;
  readonly edge: number;
}

/** The nearest value of a register before or after an edge; read day by day where none lies near. */
async function valueBeside(
  reader: Reader,
  { side, day, ...of }: Edge & { readonly side: Side; readonly day: Day },
): Promise<{ readonly visited: readonly Day[]; readonly node: Node | undefined }> {
  const { field, edge } = of;
  const { zone } = reader.point().window;
  const visited: Day[] = [];
  let [limit, last] = [side === "before" ? edge - nearest : edge + nearest, day];
  while (registerOver(reader.point(), of)) {
    const nodes = nodesOver(reader.point(), of);
    const node =
      side === "before"
        ? nodes.findLast(({ ts }) => ts <= edge && ts >= limit)
        : nodes.find(({ ts }) => ts >= edge && ts <= limit);
    const next = node || visited.length >= mostDays ? null : await reader.valuedDay(field, last, side);
    if (next === null) return { visited, node };
    visited.push(next);
    // A gap may end at the midnight before the value that ends it.
    await reader.read(next, side === "before" ? next : next + 1);
    limit = side === "before" ? startOfDay(zone, next) : startOfDay(zone, next + 2);
    last = next;
  }
  return { visited, node: undefined };
}

/** A value at the edge, or interpolation over it: no gap goes over it. */
function isBridged(point: ReadPoint, of: Edge): boolean {
  const register = registerOver(point, of);
  if (!register) return true;
  const nodes = nodesOver(point, of);
  const last = nodes.findLast(({ ts }) => ts <= of.edge);
  const next = nodes.find(({ ts }) => ts >= of.edge);
  return last !== undefined && next !== undefined && isNear(register.nodes, { from: last.ts, to: next.ts });
}

/** Where the gap over an edge is divided at ends of months. */
function monthEndsOver(point: ReadPoint, of: Edge): readonly number[] {
  const nodes = nodesOver(point, of);
  const last = nodes.findLast(({ ts }) => ts < of.edge);
  const next = nodes.find(({ ts }) => ts > of.edge);
  if (!last || !next) return [];
  return registerOver(point, of)?.monthEnds({ from: last.ts, to: next.ts }) ?? [];
}

/** The register in the tie that goes over an edge. */
function registerOver(point: ReadPoint, { field, edge }: Edge): Register | undefined {
  return registersOf({ ...point, zone: point.window.zone }, field).find(
    ({ tie }) => tie.from < edge && (tie.to === null || tie.to > edge),
  );
}

function nodesOver(point: ReadPoint, of: Edge): readonly Node[] {
  const register = registerOver(point, of);
  return register ? nodesOfTie(register) : [];
}
