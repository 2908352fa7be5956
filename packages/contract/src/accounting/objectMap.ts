import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, listInput, paged, ObjectFilter } from "../core/values.ts";

/** Bounds of one answer of the map. */
export const mapBounds = {
  /** Objects of the plain list of all. */
  objects: 10_000,
  /** Screen pixels of a viewport, and of the cell in which objects are one cluster. */
  viewport: 2_560,
  cell: 64,
  zoom: 20,
  stations: 500,
  names: 40,
} as const;

/**
 * State of an object by its active devices, those below it included, worst first: all silent (or never heard),
 * some silent, none silent, and no active device.
 */
export const mapStates = ["silent", "partly", "ok", "none"] as const;
export type MapState = (typeof mapStates)[number];

const State = z.enum(mapStates);
const Latitude = z.number().check(z.gte(-90), z.lte(90));
const Longitude = z.number().check(z.gte(-180), z.lte(180));
const Coordinates = z.tuple([Latitude, Longitude]).check(z.describe("latitude and longitude, degrees"));
const Rectangle = z.object({ south: Latitude, west: Longitude, north: Latitude, east: Longitude });
export type MapRectangle = z.infer<typeof Rectangle>;

const OnMap = z.object({ _id: z.string(), name: z.string(), coordinates: Coordinates, state: State });

/** An object on the map or in the list beside it. */
const MapObject = z.extend(OnMap, {
  address: z.string(),
  type: z.string(),
  devices: z.int().check(z.describe("at the object and below it, outside trash and archive")),
  silent: z.int().check(z.describe("active ones without data for longer than their warning period, or ever")),
});
export type MapObject = z.infer<typeof MapObject>;

const Counts = z.object({ silent: z.int(), partly: z.int(), ok: z.int(), none: z.int() });
export type MapCounts = z.infer<typeof Counts>;

/** Objects that are too near each other to be drawn apart. */
const Cluster = z.object({
  key: z.string(),
  coordinates: Coordinates.check(z.describe("centre of its objects")),
  bounds: Rectangle,
  count: z.int(),
  counts: Counts,
  state: State.check(z.describe("the worst of its objects")),
});
export type MapCluster = z.infer<typeof Cluster>;

const Station = z.object({
  id: Id,
  name: z.string(),
  coordinates: Coordinates,
  radius: z.number().check(z.describe("metres")),
  is_active: z.boolean(),
  devices: z.int(),
});
export type MapStation = z.infer<typeof Station>;

const PlaceName = z.object({ text: z.string(), coordinates: Coordinates });

const filter = {
  search_string: listInput.search_string,
  states: z.optional(z.array(State).check(z.maxLength(mapStates.length))),
  object_ids: ObjectFilter,
};
const right = "6:read|6:access_all";

/** Objects on a map. */
export const objectMap = {
  all: call({
    id: "object.map",
    method: "GET",
    path: "objects/map",
    right,
    reach: "branch",
    summary: `Objects with coordinates, at most ${String(mapBounds.objects)}: the oldest`,
    reply: z.object({
      objects: z.array(OnMap),
      total: z.int().check(z.describe("with coordinates, of all")),
    }),
    perMinute: 60,
  }),
  start: call({
    id: "object.mapStart",
    isOwn: true,
    method: "POST",
    path: "objects/map/start",
    right,
    reach: "branch",
    summary: "What the map needs at its start: the rectangle of all objects, and the layer of tiles",
    body: z.object({}),
    reply: z.object({
      bounds: z.nullable(Rectangle),
      total: z.int().check(z.describe("objects with coordinates")),
      without: z.int().check(z.describe("objects without")),
      tiles_url: z
        .nullable(z.string())
        .check(z.describe("template of raster tiles with {z}, {x} and {y}; null: the plain base layer")),
      tiles_attribution: z.string(),
    }),
  }),
  view: call({
    id: "object.mapView",
    isOwn: true,
    method: "POST",
    path: "objects/map/view",
    right,
    reach: "branch",
    summary:
      "What a viewport shows at a zoom: clusters counted by state, single objects, base stations, and names of places from the tree",
    body: z.extend(Rectangle, {
      zoom: z.number().check(z.gte(0), z.lte(mapBounds.zoom), z.describe("as of raster tiles of 256 pixels")),
      ...filter,
    }),
    reply: z.object({
      total: z.int().check(z.describe("objects in the rectangle")),
      counts: Counts,
      clusters: z.array(Cluster),
      objects: z.array(MapObject),
      stations: z.array(Station),
      names: z.array(PlaceName),
    }),
    problems: ["not_found"],
  }),
  list: call({
    id: "object.mapList",
    isOwn: true,
    rows: "objects.data",
    method: "POST",
    path: "objects/map/list",
    right,
    reach: "branch",
    summary: "The objects of a rectangle, the worst first",
    body: z.extend(Rectangle, { page: listInput.page, per_page: listInput.per_page, ...filter }),
    reply: z.object({ objects: paged(MapObject) }),
    problems: ["not_found"],
  }),
};
