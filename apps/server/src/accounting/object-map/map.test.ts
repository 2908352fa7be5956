import { mapBounds, objectMap, objectTies, objects, type TreeObject } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "../../core/http/security.ts";
import { openTree, type TreeApi } from "#testing/objectTree";

const now = 1_790_000_000;
let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree({ clock: { now: () => now } });
  await sql`delete from object_node`.execute(tree.api.services.database.system);
});
afterAll(() => tree.api.close());

const world = { south: -85, west: -180, north: 85, east: 180 };
const at = (latitude: number, longitude: number) => ({
  address: { coordinates: [latitude, longitude] as [number, number] },
});

/** Devices at a node with the instant from which each is silent; null: never heard, "off": switched off. */
async function withDevices(node: string, ...silentAt: readonly (number | null | "off")[]): Promise<number[]> {
  const ids: number[] = [];
  for (const each of silentAt) {
    const id = await tree.aDevice();
    ids.push(id);
    const isOff = each === "off";
    await sql`update device set is_active = ${!isOff} where id = ${id}`.execute(
      tree.api.services.database.system,
    );
    const silent = isOff || each === null ? null : each;
    await sql`update device_state set silent_at = ${silent}, last_data_at = ${silent === null ? null : now - 90_000}
      where device_id = ${id}`.execute(tree.api.services.database.system);
  }
  await tree.tie(node, ...ids);
  return ids;
}

const view = async (zoom: number, more: object = {}) =>
  (await tree.ask(objectMap.view, { ...world, zoom, ...more })).data;

describe("state of an object", () => {
  it("DASH-006 follows from its active devices and those below it; objects without coordinates stay away", async () => {
    const top = await tree.add("Erdenet", null, { type: "city", ...at(49.03, 104.08) });
    const silent = await tree.add("All silent", top, at(49.031, 104.081));
    const partly = await tree.add("Some silent", top, at(49.032, 104.082));
    const fine = await tree.add("On time", top, at(49.033, 104.083));
    const empty = await tree.add("Without devices", top, at(49.034, 104.084));
    const off = await tree.add("Switched off", top, at(49.035, 104.085));
    const below = await tree.add("Flat", partly);
    await withDevices(silent, now - 10, null);
    await withDevices(partly, now + 500);
    await withDevices(below, now - 10, "off");
    await withDevices(fine, now + 500, "off");
    await withDevices(off, "off");

    const { data } = await tree.ask(objectMap.all);

    expect(data.objects.map(({ name, state }) => [name, state])).toEqual([
      ["Erdenet", "partly"],
      ["All silent", "silent"],
      ["Some silent", "partly"],
      ["On time", "ok"],
      ["Without devices", "none"],
      ["Switched off", "none"],
    ]);
    expect(data.objects[1]).toEqual({
      _id: silent,
      name: "All silent",
      coordinates: [49.031, 104.081],
      state: "silent",
    });
    expect([data.total, empty]).toEqual([6, expect.any(String)]);
    const { data: start } = await tree.ask(objectMap.start);
    expect(start).toMatchObject({ total: 6, without: 1, tiles_url: null });
    expect(start.bounds).toEqual({ south: 49.03, west: 104.08, north: 49.035, east: 104.085 });
  });
});

/** A device whose values are computed from those of another one. */
async function aVirtualDevice(node: string, silentAt: number): Promise<void> {
  const [id] = await withDevices(node, silentAt);
  await sql`insert into virtual_source (virtual_id, source_id, company_id)
    values (${id}, ${tree.fixture.ours.device}, ${tree.api.companies.first})`.execute(
    tree.api.services.database.system,
  );
}

describe("silent devices of a node", () => {
  it("TREE-001 TREE-026 DASH-006 DEV-058 are as many in the tree and on its page as on the map", async () => {
    const city = await tree.add("Darkhan", null, { type: "city", ...at(-49, 105) });
    const house = await tree.add("Darkhan 7", city, at(-49.001, 105.001));
    await withDevices(house, now - 10, now, now + 1, null, "off");
    await withDevices(city, null, now + 500);
    await aVirtualDevice(city, now - 1);
    await aVirtualDevice(house, now + 900);
    const [archived, trashed] = await withDevices(house, now - 10, null);
    await sql`update device set is_archived = id = ${archived}::int,
        deleted_at = case when id = ${trashed}::int then now() end where id in (${archived}, ${trashed})`.execute(
      tree.api.services.database.system,
    );

    const shown = await tree.ask(objectMap.list, { south: -50, west: 104, north: -48, east: 106 });
    const built = await tree.build({ with_stats: true, search_string: "darkhan" });
    const opened = await Promise.all(
      [city, house].map((object_id) => tree.ask(objects.get, { object_id, with_stats: true })),
    );

    const silent = ({ devices_info, childs_devices_info }: TreeObject) =>
      (devices_info.silent ?? 0) + (childs_devices_info.silent ?? 0);
    const onMap = new Map(shown.data.objects.data.map((each) => [each._id, each.silent]));
    expect([city, house].map((id) => onMap.get(id))).toEqual([5, 3]);
    expect(built.map((each) => [each._id, silent(each)])).toEqual([
      [city, 5],
      [house, 3],
    ]);
    expect(opened.map(({ data }) => silent(data.object))).toEqual([5, 3]);
    await tree.ask(objects.remove, { object_id: city });
  });
});

describe("viewport", () => {
  it("DASH-007 groups near objects with counts by state, and shows them apart when one comes nearer", async () => {
    const far = await view(3);
    const near = await view(19, { south: 49.0305, west: 104.0805, north: 49.0355, east: 104.0855 });

    expect(far.objects).toEqual([]);
    expect(far.clusters).toMatchObject([
      { count: 6, state: "silent", counts: { silent: 1, partly: 2, ok: 1, none: 2 } },
    ]);
    expect(far.clusters[0]?.bounds).toEqual({ south: 49.03, west: 104.08, north: 49.035, east: 104.085 });
    expect(near.clusters).toEqual([]);
    expect(near.objects.map(({ name, devices, silent }) => [name, devices, silent])).toEqual([
      ["All silent", 2, 2],
      ["Some silent", 3, 1],
      ["On time", 2, 0],
      ["Without devices", 0, 0],
      ["Switched off", 1, 0],
    ]);
    expect(near.counts).toEqual({ silent: 1, partly: 1, ok: 1, none: 2 });
  });

  it("DASH-007 keeps the number of cells bounded, and objects at one place together", async () => {
    const place = await tree.add("Twin house", null, at(-10, 20));
    await tree.add("Twin house B", null, at(-10, 20));

    const whole = await view(mapBounds.zoom);

    expect(whole.clusters.find(({ count }) => count === 2)).toMatchObject({
      coordinates: [-10, 20],
      bounds: { south: -10, north: -10, west: 20, east: 20 },
    });
    expect(whole.total).toBe(8);
    await tree.ask(objects.remove, { object_id: place });
  });

  it("DASH-006 narrows by text, state and branch; a moved object is where its address says", async () => {
    const top = await tree.add("Choir", null, { type: "city" });
    const house = await tree.add("Choir 5", top, at(46.36, 108.36));
    const narrowed = async (more: object) => (await view(2, more)).total;

    expect(await narrowed({ search_string: "choir" })).toBe(1);
    expect(await narrowed({ object_ids: [Number(top)] })).toBe(1);
    expect(await narrowed({ states: ["partly"] })).toBe(2);
    await tree.ask(objects.update, { _id: house, ...at(10, 11) });
    const moved = await view(2, { search_string: "choir" });
    expect(moved.objects).toMatchObject([{ coordinates: [10, 11] }]);
    expect(moved.names).toMatchObject([{ text: "Choir" }]);
    await tree.ask(objects.update, { _id: house, address: null });
    expect(await narrowed({ search_string: "choir" })).toBe(0);
  });

  it("DASH-006 refuses a rectangle that is turned over, and shows both poles at the edge", async () => {
    const { status, attributes } = await tree.ask(objectMap.view, {
      ...world,
      south: 50,
      north: 40,
      zoom: 3,
    });
    const pole = await tree.add("Pole", null, at(90, 0));

    expect([status, Object.keys(attributes)]).toEqual([422, ["south"]]);
    expect((await view(1, { north: 90, south: 80 })).objects).toMatchObject([
      { name: "Pole", coordinates: [90, 0] },
    ]);
    await tree.ask(objects.remove, { object_id: pole });
  });

  it("DASH-006 lists the objects of a rectangle, the worst first, page by page", async () => {
    const list = async (page: number) =>
      (await tree.ask(objectMap.list, { south: 49, west: 104, north: 50, east: 105, per_page: 10, page }))
        .data.objects;

    expect((await list(1)).data.map(({ name }) => name)).toEqual([
      "All silent",
      "Erdenet",
      "Some silent",
      "On time",
      "Switched off",
      "Without devices",
    ]);
    expect(await list(2)).toMatchObject({ data: [], total: 6, last_page: 1 });
  });
});

describe("base stations", () => {
  it("BS-006 stand where their object or the nearest above has coordinates, with their radius", async () => {
    const { fixture, api } = tree;
    const { baseStation, device } = fixture.ours;
    const hill = await tree.add("Hill", null, at(47.9, 106.9));
    const mast = await tree.add("Mast", hill);
    const { system } = api.services.database;
    await sql`update base_station set radius = 5000 where id = ${baseStation}`.execute(system);
    await sql`update device set base_station_id = ${baseStation} where id = ${device}`.execute(system);
    await tree.ask(objectTies.tieBaseStations, { object_id: mast, base_station_ids: [baseStation] });
    const around = async (longitude: number) =>
      (await view(14, { south: 47.89, west: longitude, north: 47.91, east: longitude + 0.01 })).stations;

    expect(await around(106.9)).toMatchObject([
      { id: baseStation, coordinates: [47.9, 106.9], radius: 5000, devices: 1 },
    ]);
    expect(await around(106.95)).toHaveLength(1);
    expect(await around(107)).toEqual([]);
  });
});

describe("tied users", () => {
  it("DASH-006 see on the map only their branches", async () => {
    const { fixture } = tree;
    const mine = await tree.add("Mine", null, at(-40, 70));
    const before = (await tree.ask(objectMap.start)).data.total;
    await tree.ask(objectTies.tieUser, { user_id: fixture.ours.user }, { id: mine });
    const token = await tree.api.token("operator@metrum.example");
    const { rows } = await sql<{
      id: number;
    }>`select id from users where email = 'operator@metrum.example'`.execute(
      tree.api.services.database.system,
    );
    await tree.ask(objectTies.tieUser, { user_id: rows[0]?.id ?? 0 }, { id: mine });
    const asked = (call: typeof objectMap.view) =>
      tree.api.ask(call, { token, input: { body: { ...world, zoom: 2 } } });

    const seen = await asked(objectMap.view);
    const all = await tree.api.ask(objectMap.all, { token });
    const start = await tree.api.ask(objectMap.start, { token, input: { body: {} } });

    expect(before).toBeGreaterThan(1);
    expect([seen.status, seen.data.total, seen.data.stations]).toEqual([200, 1, []]);
    expect(all.data.objects.map(({ name }) => name)).toEqual(["Mine"]);
    expect(start.data).toMatchObject({ total: 1, without: 0, bounds: { south: -40, west: 70 } });
  });
});

it("DASH-007 pictures come from a tile server only if the operator has configured one", () => {
  const policy = (mapTilesUrl: string | undefined) => contentSecurityPolicy({ mapTilesUrl, socketUrl: "" });

  expect(policy(undefined)).toContain("img-src 'self' data: blob:;");
  expect(policy("https://tiles.example/{z}/{x}/{y}.png")).toContain(
    "img-src 'self' data: blob: https://tiles.example;",
  );
});
