import type { InputOf } from "@metrum/contract/core";
import { deviceRecord, devices, gateways } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { neverPolled } from "#metering/device-state";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

/** Models: a dial-in modem with RS-485, an M-Bus converter, a meter on RS-485, a heat meter on M-Bus. */
const [modem, converter, meter, heat] = [601, 604, 101, 201];

let api: TestApi;
let fixture: Fixture;
let token: string;
let ids: Record<"first" | "second" | "mbus" | "trashed" | "meterA" | "meterB" | "heat", number>;

beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  token = await api.token("engineer@metrum.example");
  const company = api.companies.first;
  const { rows } = await sql<{ name: keyof typeof ids; id: number }>`
    with g as (
      insert into gateway (company_id, model_id, interface_id, name, device_id, deleted_at)
      values (${company}, ${modem}, 10, 'first', 'g-1', null), (${company}, ${modem}, 10, 'second', 'g-2', null),
        (${company}, ${converter}, 6, 'mbus', 'g-3', null), (${company}, ${modem}, 10, 'trashed', 'g-4', now())
      returning id, name
    ), d as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", inside_addr)
      values (${company}, ${meter}, 'SDM630-Modbus', 4, 3, 4, 'meterA', 'd-1', '1'),
        (${company}, ${meter}, 'SDM630-Modbus', 4, 3, 4, 'meterB', 'd-2', '2'),
        (${company}, ${heat}, 'MULTICAL 403', 3, 4, 6, 'heat', 'd-3', '3')
      returning id, name
    )
    select * from g union all select * from d`.execute(api.services.database.system);
  ids = Object.fromEntries(rows.map(({ name, id }) => [name, id])) as typeof ids;
});
afterAll(() => api.close());

type Item = NonNullable<InputOf<typeof gateways.replace>["body"]>;
const replace = (body: Item) => api.ask(gateways.replace, { token, input: { body } });
const massReplace = (items: Item[]) => api.ask(gateways.massReplace, { token, input: { body: { items } } });
const compatible = async (body: NonNullable<InputOf<typeof gateways.compatible>["body"]>) =>
  (await api.ask(gateways.compatible, { token, input: { body } })).data.gateways.map(({ name }) => name);
const deviceOf = async (id: number) =>
  (await api.ask(devices.get, { token, input: { params: { id: String(id) } } })).data.metering_device;

test("GW-004 a device moves to another gateway with its address; what is not given stays", async () => {
  const moved = await replace({ device_id: ids.meterA, gateway_id: ids.first, inside_addr: " 17 " });
  const first = await deviceOf(ids.meterA);
  await replace({ device_id: ids.meterA, gateway_id: ids.second });
  const second = await deviceOf(ids.meterA);
  const { rows } = await sql`select before, after from audit
    where action = 'device.gateway' and subject = ${`device ${String(ids.meterA)}`} order by id`.execute(
    api.services.database.system,
  );

  expect([moved.status, moved.msg]).toEqual([200, "Приборов перенесено на другой шлюз: 1"]);
  expect([first.gateway, first.inside_addr]).toEqual([{ id: ids.first, name: "first" }, "17"]);
  expect([second.gateway?.id, second.inside_addr]).toEqual([ids.second, "17"]);
  expect(rows).toMatchObject([
    { before: { gateway_id: null, inside_addr: "1" }, after: { gateway_id: ids.first, inside_addr: "17" } },
    { before: { gateway_id: ids.first }, after: { gateway_id: ids.second } },
  ]);
});

test("GW-004 a device without a line gets its first poll slot with its gateway", async () => {
  const { system } = api.services.database;
  const ofHeat = sql`where device_id = ${ids.heat}`;
  await sql`update device_state set next_poll_at = ${neverPolled}, poll_failures = 3 ${ofHeat}`.execute(
    system,
  );

  await replace({ device_id: ids.heat, gateway_id: ids.mbus });

  const { rows } = await sql`select next_poll_at, poll_failures from device_state ${ofHeat}`.execute(system);
  expect(rows).toEqual([{ next_poll_at: null, poll_failures: 0 }]);
});

test("UI-063 a form that was opened before a device moved does not move it back", async () => {
  const { id, version } = await deviceOf(ids.meterA);
  await replace({ device_id: id, gateway_id: ids.first });
  await replace({ device_id: id, gateway_id: ids.second });

  const late = await api.ask(deviceRecord.edit, {
    token,
    input: { body: { id, version, gatewayID: "g-1" } },
  });

  expect([late.status, late.code]).toEqual([409, "conflict"]);
  expect((await deviceOf(id)).gateway?.id).toBe(ids.second);
});

test("GW-004 a starting value is accepted only by models that have one", async () => {
  const { status, attributes } = await replace({
    device_id: ids.meterA,
    gateway_id: ids.first,
    starting_value: 5,
  });

  expect([status, Object.keys(attributes)]).toEqual([422, ["starting_value"]]);
});

test("GW-004 an address invalid for the model is refused, and so is an archived device", async () => {
  const { system } = api.services.database;
  const wrong = await replace({ device_id: ids.meterB, gateway_id: ids.first, inside_addr: "0" });
  await sql`update device set is_archived = true where id = ${ids.meterB}`.execute(system);
  const archived = await replace({ device_id: ids.meterB, gateway_id: ids.first });
  await sql`update device set is_archived = false where id = ${ids.meterB}`.execute(system);

  expect([wrong.status, Object.keys(wrong.attributes)]).toEqual([422, ["inside_addr"]]);
  expect([archived.status, archived.code]).toEqual([409, "device_put_away"]);
});

test("GW-004 a gateway that cannot carry the device, or is in the trash, is refused by name", async () => {
  const wrong = await replace({ device_id: ids.heat, gateway_id: ids.first });
  const trashed = await replace({ device_id: ids.meterA, gateway_id: ids.trashed });

  expect([wrong.status, wrong.code, Object.keys(wrong.attributes)]).toEqual([
    422,
    "gateway_incompatible",
    ["gateway_id"],
  ]);
  expect(wrong.msg).toContain("first");
  expect([trashed.status, trashed.code]).toEqual([409, "gateway_in_trash"]);
});

test("GW-005 many devices move at once, all or none; both spellings of the path are served", async () => {
  const items = [ids.meterA, ids.meterB].map((device_id) => ({ device_id, gateway_id: ids.first }));
  const moved = await massReplace(items);
  const behind = [(await deviceOf(ids.meterA)).gateway?.id, (await deviceOf(ids.meterB)).gateway?.id];

  const refused = [
    await massReplace([
      { device_id: ids.meterA, gateway_id: ids.second },
      { device_id: ids.heat, gateway_id: ids.second },
    ]),
    await massReplace([
      { device_id: ids.meterA, gateway_id: ids.second },
      { device_id: fixture.theirs.device, gateway_id: ids.second },
    ]),
    await massReplace([{ device_id: ids.meterA, gateway_id: fixture.theirs.gateway }]),
  ];
  const slashed = await api.fastify.inject({
    method: "POST",
    url: "/api/device/gateway/mass_replace/",
    headers: { authorization: `Bearer ${token}` },
    payload: { items },
  });

  expect([moved.status, moved.msg]).toEqual([200, "Приборов перенесено на другой шлюз: 2"]);
  expect(behind).toEqual([ids.first, ids.first]);
  expect(refused.map(({ status }) => status)).toEqual([422, 404, 404]);
  expect((await deviceOf(ids.meterA)).gateway?.id).toBe(ids.first);
  expect(slashed.statusCode).toBe(200);
});

test("GW-006 compatible gateways share an interface with all devices, or with a model", async () => {
  expect(await compatible({ device_ids: [ids.meterA, ids.meterB] })).toEqual(["Gateway", "first", "second"]);
  expect(await compatible({ device_ids: [ids.heat] })).toEqual(["mbus"]);
  expect(await compatible({ device_ids: [ids.meterA, ids.heat] })).toEqual([]);
  expect(await compatible({ model_id: heat })).toEqual(["mbus"]);
  expect(await compatible({ model_id: meter, search_string: "SECOND" })).toEqual(["second"]);
  expect(await compatible({ interface_id: 6 })).toEqual(["mbus"]);
  const unknown = await api.ask(gateways.compatible, { token, input: { body: { model_id: 601 } } });
  expect([unknown.status, unknown.code]).toEqual([422, "unknown_model"]);
});

test("GW-012 a gateway does not become a model that cannot carry the devices behind it", async () => {
  await replace({ device_id: ids.meterB, gateway_id: ids.second });

  const refused = await api.ask(gateways.edit, {
    token,
    input: { body: { id: ids.second, model_id: converter } },
  });
  const other = await api.ask(gateways.edit, { token, input: { body: { id: ids.second, model_id: 602 } } });

  expect([refused.status, refused.code]).toEqual([422, "gateway_incompatible"]);
  expect(refused.msg).toContain("meterB");
  expect([other.status, other.data.gateway.model_id]).toEqual([200, 602]);
});
