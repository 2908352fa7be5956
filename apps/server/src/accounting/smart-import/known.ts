import { objectBounds } from "@metrum/contract/accounting";
import { fieldFault, problem } from "@metrum/contract/core";
import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { loweredTexts, type Ctx } from "#core";
import { pathsOf, type Path } from "#accounting/objects";
import { thingsNumbered, type RowValues } from "#metering/sheets";
import { picturesOf, pointsNamed, type Picture } from "./pictureStore.ts";
import { ofEach } from "./stages.ts";

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const given = (values: RowValues): RowValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** A row of the file, and what exists already of it. */
export interface Row {
  readonly values: RowValues;
  readonly path: Path;
  readonly device: DeviceId | undefined;
  readonly point: AccountingPointId | undefined;
}

/** Rows with pictures of all that exists of them. */
export interface Known {
  readonly rows: readonly Row[];
  readonly before: readonly Picture[];
  /** Two rows name the same device or point, so that the second finds what the first has made. */
  readonly isRepeated: boolean;
}

/** Looks up what rows name. Problem: wrong_input. */
export async function knownOf(ctx: Ctx, all: readonly RowValues[]): Promise<Known> {
  const { db, scope } = ctx;
  const paths = await pathsOf(
    ctx,
    ofEach(all, ({ path }) => namesOf(path)),
  );
  const numbers = all.map(({ deviceID }) => textOf(deviceID).toLowerCase());
  const wanted = numbers.filter((number) => number !== "");
  const devices = wanted.length === 0 ? new Map() : await thingsNumbered(db, scope, "devices", wanted);
  const names = all.map(({ point_name }) => textOf(point_name));
  const lower = await loweredTexts(db, names);
  const places = paths.map(({ names: way, found }, at) => ({
    object: found.length === way.length ? found.at(-1) : undefined,
    key: lower(names[at] ?? ""),
  }));
  const points = await pointsNamed(db, scope, places);
  const rows = all.flatMap((values, at): Row[] => {
    const path = paths[at];
    const device = devices.get(numbers[at] ?? "") as DeviceId | undefined;
    return path ? [{ values, path, device, point: points[at] }] : [];
  });
  const before = await picturesOf(db, {
    nodes: [...new Set(paths.flatMap(({ found }) => found))],
    devices: rows.flatMap(({ device }) => (device === undefined ? [] : [device])),
    points: rows.flatMap(({ point }) => (point === undefined ? [] : [point])),
    consumers: [],
    suppliers: [],
  });
  const named = paths.flatMap(({ keys }, at) =>
    names[at] === "" ? [] : [[...keys, places[at]?.key].join("/")],
  );
  return { rows, before, isRepeated: hasTwice(wanted) || hasTwice(named) };
}

const hasTwice = (texts: readonly string[]): boolean => new Set(texts).size < texts.length;

/** The names of a path, from the top. Problem: wrong_input. */
function namesOf(path: unknown): string[] {
  const names = textOf(path)
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0 || names.length > objectBounds.depth || names.some((name) => name.length > 255))
    throw problem("wrong_input", {
      attributes: { path: [fieldFault("path_deep", { most: objectBounds.depth })] },
    });
  return names;
}
