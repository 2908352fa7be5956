import type { InputOf } from "@metrum/contract/core";
import { baseStations, devices } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

let api: TestApi;
let fixture: Fixture;
let token: string;

beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

type Created = NonNullable<InputOf<typeof baseStations.create>["body"]>;
const create = (body: Created) => api.ask(baseStations.create, { token, input: { body } });
const edit = (body: NonNullable<InputOf<typeof baseStations.edit>["body"]>) =>
  api.ask(baseStations.edit, { token, input: { body } });
const get = (id: number) => api.ask(baseStations.get, { token, input: { params: { id: String(id) } } });
const by = (call: typeof baseStations.toTrash, id: number) =>
  api.ask(call, { token, input: { params: { id: String(id) } } });
const list = async (body: NonNullable<InputOf<typeof baseStations.list>["body"]>) =>
  (await api.ask(baseStations.list, { token, input: { body } })).data;
const audited = async (id: number) =>
  (
    await sql<{ action: string; before: unknown }>`
      select action, before from audit where subject = ${`base_station ${String(id)}`} order by id`.execute(
      api.services.database.system,
    )
  ).rows;

describe("base stations", () => {
  test("BS-003 BS-004 BS-007 BS-008 are created of name, radius and description, stripped of whitespace, and opened by id", async () => {
    const { status, data, msg } = await create({ name: "  Roof 7 ", radius: 4000, desc: " north mast\n" });

    const shown = (await get(data.base_station.id)).data.base_station;

    expect([status, msg]).toEqual([200, "Базовая станция создана"]);
    expect(shown).toEqual(data.base_station);
    expect(shown).toMatchObject({
      name: "Roof 7",
      radius: 4000,
      desc: "north mast",
      model_id: null,
      device_id: "",
      is_deleted: false,
      devices_count: 0,
    });
  });

  test("BS-009 are edited: absent fields stay, and the log has both values", async () => {
    const { data } = await create({ name: "Mast", radius: 100, model_id: 701, device_id: " 1c49 7bff " });
    const { id } = data.base_station;

    const after = (await edit({ id, radius: 250, poll_pause: 5 })).data.base_station;

    expect(after).toMatchObject({
      name: "Mast",
      radius: 250,
      poll_pause: 5,
      model_title: "BS-1.2",
      device_id: "1c497bff",
    });
    expect(await audited(id)).toMatchObject([
      { action: "baseStation.create" },
      { action: "baseStation.update", before: { radius: 100 } },
    ]);
  });

  test("BS-008 a number is unique in the company, a model is one of the catalogue", async () => {
    await create({ name: "One", device_id: "aa-1" });

    const again = await create({ name: "Two", device_id: "AA-1" });
    const model = await create({ name: "Three", model_id: 601 });
    const unnamed = await create({ name: "   " });

    expect([again.status, again.code, Object.keys(again.attributes)]).toEqual([
      409,
      "identifier_taken",
      ["device_id"],
    ]);
    expect([model.code, unnamed.status]).toEqual(["unknown_model", 422]);
  });

  test("BS-001 are listed: paged, sorted, searched, in and outside the trash", async () => {
    for (const [name, radius] of [
      ["Listed C", 1],
      ["Listed A", 3],
      ["Listed B", 2],
    ] as const)
      await create({ name, radius });
    const namesOf = async (body: Parameters<typeof list>[0]) =>
      (await list({ search_string: "LISTED", ...body })).base_stations.data.map(({ name }) => name);
    const [gone] = (await list({ search_string: "Listed B" })).base_stations.data;
    const sorted = await namesOf({ sort_field: "radius", sort: "desc" });
    await by(baseStations.toTrash, gone?.id ?? 0);

    expect(sorted).toEqual(["Listed A", "Listed B", "Listed C"]);
    expect(await namesOf({})).toEqual(["Listed A", "Listed C"]);
    expect(await namesOf({ is_deleted: true })).toEqual(["Listed B"]);
    expect((await list({ search_string: "listed" })).base_stations.total).toBe(2);
    expect((await list({})).counts.deleted).toBeGreaterThan(0);
  });

  test("BS-002 BS-010 BS-011 can be trashed, restored, and removed for good only from the trash", async () => {
    const { data } = await create({ name: "Trashed", device_id: "trash-1" });
    const { id } = data.base_station;

    const early = await by(baseStations.remove, id);
    await by(baseStations.toTrash, id);
    const edited = await edit({ id, radius: 1 });
    const back = await by(baseStations.restore, id);
    await by(baseStations.toTrash, id);
    const removed = await by(baseStations.remove, id);

    expect([early.status, early.code]).toEqual([409, "base_station_not_in_trash"]);
    expect([edited.status, edited.code]).toEqual([409, "base_station_in_trash"]);
    expect([back.status, removed.status, (await get(id)).status]).toEqual([200, 200, 404]);
    expect((await audited(id)).map(({ action }) => action)).toEqual([
      "baseStation.create",
      "baseStation.trash",
      "baseStation.restore",
      "baseStation.trash",
      "baseStation.remove",
    ]);
  });

  test("BS-011 devices and gateways of a removed station stay, without one", async () => {
    const { data } = await create({ name: "Leaving" });
    const { id } = data.base_station;
    const { device, gateway } = fixture.ours;
    const { system } = api.services.database;
    await sql`update device set base_station_id = ${id} where id = ${device}`.execute(system);
    await sql`update gateway set base_station_id = ${id} where id = ${gateway}`.execute(system);
    const assigned = (await get(id)).data.base_station.devices_count;

    await by(baseStations.toTrash, id);
    await by(baseStations.remove, id);
    const left = await api.ask(devices.get, { token, input: { params: { id: String(device) } } });

    expect(assigned).toBe(1);
    expect(left.data.metering_device.base_station).toBeNull();
    expect((await audited(id)).at(-1)).toMatchObject({ before: { device_ids: [device] } });
  });
});
