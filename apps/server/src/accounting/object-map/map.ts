import {
  mapBounds,
  mapStates,
  type MapCounts,
  type MapObject,
  type MapRectangle,
  type objectMap,
} from "@metrum/contract/accounting";
import { pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { resolve, type Ctx } from "#core";
import { nodesAbove, stationsOf, type StationRow } from "./besideStore.ts";
import * as store from "./mapStore.ts";
import {
  cellsAcross,
  coordinatesOf,
  metresAcross,
  onPlane,
  rectangleOf,
  type PlaneRectangle,
} from "./plane.ts";

type View = ReplyOf<typeof objectMap.view>;

/** Objects with coordinates for clients that draw clusters themselves. */
export async function allObjects({ db, scope, clock }: Ctx): Promise<ReplyOf<typeof objectMap.all>> {
  const { rows, total } = await store.oldestObjects(db, scope, clock.now());
  return {
    objects: rows.map((row) => {
      const { _id, name, coordinates, state } = shownObject(row);
      return { _id, name, coordinates, state };
    }),
    total,
  };
}

export async function startOfMap({ db, scope, config }: Ctx): Promise<ReplyOf<typeof objectMap.start>> {
  const { area, placed, all } = await store.extentOf(db, scope);
  return {
    bounds: area ? rectangleOf(area) : null,
    total: placed,
    without: all - placed,
    tiles_url: config.mapTilesUrl ?? null,
    tiles_attribution: config.mapAttribution,
  };
}

/** Problems: wrong_input, not_found. */
export async function mapView(
  ctx: Ctx,
  { zoom, south, west, north, east, ...filter }: ParsedOf<typeof objectMap.view>["body"],
): Promise<View> {
  const { db, scope, clock } = ctx;
  await resolve(ctx, "object", filter.object_ids ?? []);
  const area = areaOf({ south, west, north, east });
  const asked = { filter, area, now: clock.now() };
  const cells = await store.cellsOf(db, scope, asked, cellsAcross(area, zoom));
  const singles = cells.filter(({ count }) => count === 1);
  const stations = await stationsOf(db, scope);
  return {
    total: cells.reduce((sum, { count }) => sum + count, 0),
    counts: sumOf(cells),
    clusters: cells.filter(({ count }) => count > 1).map(shownCluster),
    objects: (await store.singleObjects(db, scope, singles)).map(shownObject),
    stations: stations.filter((station) => reaches(station, area)).map(shownStation),
    names: await namesOf({ db, scope }, cells, zoom),
  };
}

/** Problems: wrong_input, not_found. */
export async function mapList(
  ctx: Ctx,
  { page = 1, per_page = 25, south, west, north, east, ...filter }: ParsedOf<typeof objectMap.list>["body"],
): Promise<ReplyOf<typeof objectMap.list>> {
  const { db, scope, clock } = ctx;
  await resolve(ctx, "object", filter.object_ids ?? []);
  const limit = pageSize(per_page, 2_500);
  const asked = { filter, area: areaOf({ south, west, north, east }), now: clock.now() };
  const { rows, total } = await store.objectPage(db, scope, asked, { limit, offset: (page - 1) * limit });
  return {
    objects: {
      data: rows.map(shownObject),
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / limit)),
      per_page: limit,
      total,
    },
  };
}

/** A rectangle does not cross the date line: the map shows the world once. */
function areaOf(rectangle: MapRectangle): PlaneRectangle {
  const wrong = {
    ...(rectangle.south > rectangle.north ? { south: ["wrong"] } : {}),
    ...(rectangle.west > rectangle.east ? { west: ["wrong"] } : {}),
  };
  if (Object.keys(wrong).length > 0) throw problem("wrong_input", { attributes: wrong });
  return onPlane(rectangle);
}

function sumOf(cells: readonly store.Cell[]): MapCounts {
  const sums = { silent: 0, partly: 0, ok: 0, none: 0 };
  for (const cell of cells) for (const state of mapStates) sums[state] += cell[state];
  return sums;
}

function shownCluster({
  key,
  count,
  x,
  y,
  silent,
  partly,
  ok,
  none,
  ...area
}: store.Cell): View["clusters"][number] {
  const counts = { silent, partly, ok, none };
  return {
    key,
    coordinates: coordinatesOf(x, y),
    bounds: rectangleOf(area),
    count,
    counts,
    state: store.worstOf(counts),
  };
}

function shownObject({ id, latitude, longitude, ...row }: store.MapRow): MapObject {
  const { name, type, address, devices, silent, state } = row;
  return { _id: String(id), name, type, address, devices, silent, state, coordinates: [latitude, longitude] };
}

function shownStation({ latitude, longitude, ...station }: StationRow): View["stations"][number] {
  return { ...station, coordinates: [latitude, longitude] };
}

/** Whether the circle of a station touches an area. */
function reaches({ latitude, longitude, radius }: StationRow, { x0, y0, x1, y1 }: PlaneRectangle): boolean {
  const { x0: x, y0: y } = onPlane({ south: latitude, north: latitude, west: longitude, east: longitude });
  const r = radius / metresAcross(latitude);
  const nearest = (at: number, from: number, to: number) => at - Math.max(from, Math.min(to, at));
  return Math.hypot(nearest(x, x0, x1), nearest(y, y0, y1)) <= r;
}

/** Kinds of nodes whose names a map shows, by the zoom from which on. */
const namedKinds: readonly { readonly from: number; readonly types: readonly string[] }[] = [
  { from: 13.5, types: ["street", "settlement", "city_district"] },
  { from: 10.5, types: ["city_district", "settlement", "area", "city"] },
  { from: 6, types: ["city", "area", "settlement", "region"] },
  { from: 0, types: ["region", "country", "city"] },
];

/** Names of districts, streets and the like above the objects that are drawn, each once at their middle. */
async function namesOf(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  cells: readonly store.Cell[],
  zoom: number,
): Promise<View["names"]> {
  const types = namedKinds.find(({ from }) => zoom >= from)?.types ?? [];
  const largest = cells.toSorted((a, b) => b.count - a.count).slice(0, 500);
  const above = await nodesAbove(
    db,
    scope,
    largest.map(({ sample }) => sample),
  );
  const sums = new Map<string, { x: number; y: number; count: number }>();
  for (const { x, y, count, sample } of largest) {
    const own = above.filter(({ of }) => of === sample);
    const name = types.flatMap((type) => own.find((each) => each.type === type)?.name ?? [])[0];
    if (name === undefined) continue;
    const sum = sums.get(name) ?? { x: 0, y: 0, count: 0 };
    sums.set(name, { x: sum.x + x * count, y: sum.y + y * count, count: sum.count + count });
  }
  return [...sums]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .slice(0, mapBounds.names)
    .map(([text, { x, y, count }]) => ({ text, coordinates: coordinatesOf(x / count, y / count) }));
}
