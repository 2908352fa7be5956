import { lines } from "@metrum/contract/headend";
import {
  baseStations,
  gateways,
  type BaseStationListInput,
  type BaseStationSelection,
  type CarrierAction,
  type GatewayListInput,
  type GatewaySelection,
} from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askedDevice } from "#headend/exchanges";
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

let made = 0;
const aGateway = async (name: string) => {
  const body = { name, device_id: `3568${String(++made).padStart(11, "0")}`, model_id: 601 };
  return (await api.ask(gateways.create, { token, input: { body } })).data.gateway;
};
const aStation = async (name: string) =>
  (
    await api.ask(baseStations.create, {
      token,
      input: { body: { name, device_id: `eui-${String(++made)}` } },
    })
  ).data.base_station;
const archive = (ids: readonly number[], is_archived: boolean) =>
  api.ask(gateways.archive, { token, input: { body: { ids: [...ids], is_archived } } });
const changeMany = (action: CarrierAction, filter: GatewaySelection, as = token) =>
  api.ask(gateways.changeMany, { token: as, input: { body: { action, filter } } });
const list = async (body: GatewayListInput) =>
  (await api.ask(gateways.list, { token, input: { body } })).data;
const namesOf = async (body: GatewayListInput) =>
  (await list({ sort_field: "id", ...body })).gateways.data.map(({ name }) => name);
const stationsOf = async (body: BaseStationListInput) =>
  (await api.ask(baseStations.list, { token, input: { body } })).data;
const audited = async (subject: string) =>
  (
    await sql<{ action: string; after: unknown }>`
      select action, after from audit where subject = ${subject} order by id`.execute(
      api.services.database.system,
    )
  ).rows;

test("DEV-063 an archived gateway is hidden unless asked for, readable, and nothing behind it is polled", async () => {
  const { system } = api.services.database;
  const { id, device_id } = await aGateway("Closed down");
  const device = fixture.ours.device;
  await sql`update device set gateway_id = ${id} where id = ${device}`.execute(system);
  const before = await askedDevice(system, device);
  const counted = (await list({})).counts;

  const gone = await archive([id], true);
  const again = await archive([id], true);

  const { data } = await api.ask(gateways.get, { token, input: { params: { id: String(id) } } });
  const edited = await api.ask(gateways.edit, { token, input: { body: { id, desc: "no" } } });
  const replaced = await api.ask(gateways.replace, {
    token,
    input: { body: { device_id: device, gateway_id: id } },
  });
  const lined = await api.ask(lines.remove, { token, input: { params: { id: String(id) } } });
  expect([before?.isOn, (await askedDevice(system, device))?.isOn]).toEqual([true, false]);
  expect([gone.status, gone.msg, again.msg]).toEqual([200, "Шлюзов в архиве: 1", "Шлюзов в архиве: 0"]);
  expect(data.gateway).toMatchObject({ is_archived: true, is_deleted: false, state: "off" });
  expect([edited.code, replaced.code, lined.code]).toEqual(Array(3).fill("gateway_archived"));
  expect(await namesOf({ search_string: device_id })).toEqual([]);
  expect(await namesOf({ search_string: device_id, is_archived: true })).toEqual(["Closed down"]);
  expect((await list({})).counts).toEqual({
    all: counted.all - 1,
    archived: counted.archived + 1,
    deleted: counted.deleted,
  });
  await archive([id], false);
  expect((await askedDevice(system, device))?.isOn).toBe(true);
  expect((await audited(`gateway ${String(id)}`)).slice(1)).toMatchObject([
    { action: "gateway.archive", after: { is_archived: true } },
    { action: "gateway.archive", after: { is_archived: false } },
  ]);
});

test("DEV-063 archiving is all or none, and not of what is in the trash", async () => {
  const [kept, trashed] = [await aGateway("Kept"), await aGateway("Trashed")];
  await changeMany("trash", { ids: [trashed.id] });

  const refused = await archive([kept.id, trashed.id], true);

  expect([refused.status, refused.code]).toEqual([409, "gateway_in_trash"]);
  expect(await namesOf({ ids: [kept.id] })).toEqual(["Kept"]);
});

test("GW-002 GW-013 all gateways of a filter are switched, archived, trashed and restored; what cannot be is counted", async () => {
  for (const nth of [1, 2, 3]) await aGateway(`North ${String(nth)}`);
  await aGateway("South");
  const north = { search_string: "north" };

  const off = await changeMany("switch_off", { ...north, device_state: "active" });
  const archived = await changeMany("archive", north);
  const back = await changeMany("unarchive", { ...north, is_archived: true });
  const trashed = await changeMany("trash", north);
  const [first] = (await list({ ...north, is_deleted: true })).gateways.data;
  const heir = { name: "Heir", device_id: first?.device_id ?? "", model_id: 601 };
  await api.ask(gateways.create, { token, input: { body: heir } });
  const restored = await changeMany("restore", { ...north, is_deleted: true });

  expect([off, archived, back, trashed].map(({ data }) => data.changed_count)).toEqual([3, 3, 3, 3]);
  expect(restored.data).toEqual({
    changed_count: 2,
    refused: [{ reason: "identifier_taken", count: 1 }],
  });
  expect(restored.msg).toBe("Изменено: 2, не изменено: 1");
  expect(await namesOf({ search_string: "south", device_state: "active" })).toEqual(["South"]);
});

test("BS-002 BS-010 DEV-063 base stations are archived and changed by filter too", async () => {
  const [roof, mast] = [await aStation("Roof of 1"), await aStation("Mast of 1")];
  const change = (action: CarrierAction, filter: BaseStationSelection) =>
    api.ask(baseStations.changeMany, { token, input: { body: { action, filter } } });

  const archived = await api.ask(baseStations.archive, {
    token,
    input: { body: { ids: [roof.id], is_archived: true } },
  });
  const edited = await api.ask(baseStations.edit, { token, input: { body: { id: roof.id, radius: 1 } } });
  const shown = await stationsOf({ is_archived: true });
  const trashed = await change("trash", { ids: [mast.id] });
  const restored = await change("restore", { search_string: "mast of 1", is_deleted: true });

  expect([archived.status, edited.code]).toEqual([200, "base_station_archived"]);
  expect(shown.base_stations.data.map(({ name, is_archived }) => [name, is_archived])).toEqual([
    ["Roof of 1", true],
  ]);
  expect((await stationsOf({ search_string: "of 1" })).base_stations.data.map(({ name }) => name)).toEqual([
    "Mast of 1",
  ]);
  expect(shown.counts).toMatchObject({ archived: 1 });
  expect([trashed.data.changed_count, restored.data.changed_count]).toEqual([1, 1]);
});

test("ACL-016 switching many needs update, moving them delete", async () => {
  const { id } = await aGateway("Guarded");
  const statuses: number[][] = [];
  for (const right of ["update", "delete"]) {
    const rules = { read: [4], create: [], update: [], delete: [], access_all: [], [right]: [4] };
    await sql`update access_group set access_rules = ${JSON.stringify(rules)}::jsonb
      where name = 'Operators'`.execute(api.services.database.system);
    await sql`delete from device_user`.execute(api.services.database.system);
    const as = await api.token("operator@metrum.example");
    statuses.push([
      (await changeMany("switch_off", { ids: [id] }, as)).status,
      (await changeMany("archive", { ids: [id] }, as)).status,
    ]);
  }

  expect(statuses).toEqual([
    [200, 403],
    [403, 200],
  ]);
});
