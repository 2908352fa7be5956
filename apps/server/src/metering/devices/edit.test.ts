import { auditLog } from "@metrum/contract/access";
import { deviceRecord, devices, deviceTrash, type NewDeviceInput } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

/** Modbus, M-Bus heat, pulse water of LoRaWAN, encrypted wM-Bus water, and a P1 reader with a login. */
const models = { modbus: 101, heat: 201, pulses: 301, radio: 311, p1: 551 };
const key = "000102030405060708090a0b0c0d0e0f";
let api: TestApi;
let fixture: Fixture;
let token: string;
let made = 0;
beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const create = (given: Partial<NewDeviceInput>, as = token) =>
  api.ask(deviceRecord.create, {
    token: as,
    language: "en",
    input: {
      body: {
        name: "Meter",
        deviceID: `N-${String(++made)}`,
        model_id: models.modbus,
        ...(given.model_id === undefined || given.model_id === models.modbus ? { inside_addr: "1" } : {}),
        ...given,
      },
    },
  });
type Edit = NonNullable<
  NonNullable<NonNullable<Parameters<typeof api.ask<typeof deviceRecord.edit>>[1]>["input"]>["body"]
>;
const edit = (body: Edit, as = token) =>
  api.ask(deviceRecord.edit, { token: as, language: "en", input: { body } });
async function created(given: Partial<NewDeviceInput> = {}) {
  const { status, data, text } = await create(given);
  expect(status, text).toBe(200);
  return data.metering_device;
}
const logged = async (action: string) =>
  (await api.ask(auditLog.log, { token, input: { body: { action } } })).data.log;
const stateOf = async (id: number) => {
  const { rows } = await sql<{ next_poll_at: number | null; silent_at: number | null }>`
    select next_poll_at, silent_at from device_state where device_id = ${id}`.execute(
    api.services.database.system,
  );
  return rows[0];
};

describe("the line of a device", () => {
  it("DEV-064 echo and a fixed speed are set in the form and removed again; a device that is not polled has none", async () => {
    const { id } = await created({ properties: { echo: true, fixed_baud: 2400, averaging_pp: 60 } });
    const shown = async () =>
      (await api.ask(devices.get, { token, input: { params: { id: String(id) } } })).data.metering_device
        .properties;

    const before = await shown();
    await edit({ id, properties: { echo: false, fixed_baud: null } });
    const after = await shown();
    const refused = await create({ model_id: models.pulses, properties: { echo: true, fixed_baud: 300 } });

    expect(before).toMatchObject({ echo: true, fixed_baud: 2400, averaging_pp: 60 });
    expect(after).toEqual({ averaging_pp: 60 });
    expect([refused.status, Object.keys(refused.attributes).toSorted()]).toEqual([
      422,
      ["properties.echo", "properties.fixed_baud"],
    ]);
  });
});

describe("a new device", () => {
  it("DEV-042 is created with all its fields, and answered as it was stored", async () => {
    const { gateway, baseStation } = fixture.ours;
    const device = await created({
      name: " Substation 4 ",
      place: "Basement",
      deviceID: "SN-100",
      interface_id: 4,
      inside_addr: "17",
      gateway_id: gateway,
      base_station_id: baseStation,
      timezone_name: "Asia/Hovd",
      report_period_update: 900,
      warning_report_period: 7200,
      transformation_ratio: 40,
      is_active: false,
      properties: { service_params: { seal: "A-7" }, min_value: 1, max_value: 90, averaging_pp: 60 },
    });

    expect(device).toMatchObject({
      name: "Substation 4",
      place: "Basement",
      deviceID: "SN-100",
      interface_id: 4,
      inside_addr: "17",
      gateway: { id: gateway },
      base_station: { id: baseStation },
      timezone_name: "Asia/Hovd",
      deviceTimezone: 7,
      report_period_update: 900,
      warning_report_period: 7200,
      transformation_ratio: 40,
      is_active: false,
      device_group_id: 4,
      model: { id: 101 },
    });
    const { data } = await api.ask(devices.get, {
      token,
      language: "en",
      input: { params: { id: String(device.id) } },
    });
    expect(data.metering_device).toEqual(device);
    expect((await logged("device.create"))[0]).toMatchObject({
      object_id: String(device.id),
      after: { name: "Substation 4", transformation_ratio: 40 },
    });
  });

  it("DEV-042 the gateway can be given by its identifier, of the own company only", async () => {
    const imei = `imei-${String(api.companies.first)}`;
    const device = await created({ gatewayID: imei });
    const foreign = await create({ gatewayID: `imei-${String(api.companies.second)}` });
    const without = await edit({ id: device.id, gatewayID: null });

    expect(device).toMatchObject({ gatewayID: imei, gateway: { id: fixture.ours.gateway } });
    expect([foreign.status, Object.keys(foreign.attributes)]).toEqual([422, ["gatewayID"]]);
    expect(without.data.metering_device).toMatchObject({ gatewayID: null, gateway: null });
  });

  it("DEV-062 service_params, min_value and max_value are properties; null removes them, the others stay", async () => {
    const properties = { service_params: { note: "x", by: ["a"] }, min_value: 2, max_value: 5 };
    const { id } = await created({ properties });

    const { data } = await edit({ id, properties: { max_value: null } });
    const crossed = await edit({ id, properties: { min_value: 9, max_value: 3 } });

    expect(data.metering_device.properties).toEqual({
      service_params: properties.service_params,
      min_value: 2,
    });
    expect(crossed.attributes).toHaveProperty(["properties.min_value"]);
  });

  it("has the first interface of its model, a period of an hour and the zone of the company by default", async () => {
    expect(await created()).toMatchObject({
      interface_id: 4,
      report_period_update: 3600,
      warning_report_period: 86_400,
      timezone_name: "Asia/Ulaanbaatar",
      is_active: true,
    });
  });

  it("DEV-033 invalid input is reported at its field", async () => {
    const answers = [
      await create({ name: "  " }),
      await create({ inside_addr: "300" }),
      await create({ interface_id: 1 }),
      await create({ impulse_weight: 10 }),
      await create({ keys: { encryption: key } }),
      await create({ keys: { encryption: "12" } }),
      await create({ timezone_name: "Mars/Olympus" }),
      await create({ report_period_update: 7200, warning_report_period: 3600 }),
      await create({ device_group_id: 1 }),
      await create({ properties: { type_water_meter: 1 } }),
      await create({ login: "reader" }),
      await create({ properties: { concat_device: 0 } }),
    ];

    expect(answers.map(({ status, attributes }) => [status, Object.keys(attributes)])).toEqual([
      [422, ["name"]],
      [422, ["inside_addr"]],
      [422, ["interface_id"]],
      [422, ["impulse_weight"]],
      [422, ["keys.encryption"]],
      [422, ["keys.encryption"]],
      [422, ["timezone_name"]],
      [422, ["warning_report_period"]],
      [422, ["device_group_id"]],
      [422, ["properties.type_water_meter"]],
      [422, ["login"]],
      [422, ["properties.concat_device"]],
    ]);
    expect((await create({ model_id: 999_999 })).code).toBe("unknown_model");
  });

  it("DEV-057 a second device with the same identifier is refused and the existing one named", async () => {
    const { deviceID } = await created({ name: "The first" });

    const { status, code, msg, attributes } = await create({ deviceID: deviceID.toLowerCase() });

    expect([status, code, Object.keys(attributes)]).toEqual([409, "identifier_taken", ["deviceID"]]);
    expect(msg).toContain("The first");
  });

  it("DEV-014 a default resource type 0 becomes 2 on saving", async () => {
    const water = await created({ model_id: models.pulses, resource_type_id: 0 });
    const hot = await edit({ id: water.id, resource_type_id: 1 });
    const again = await edit({ id: water.id, resource_type_id: 0 });
    const electricity = await created({ resource_type_id: 0 });

    expect([water.resource_type_id, water.properties["type_water_meter"]]).toEqual([2, 0]);
    expect(hot.data.metering_device.resource_type_id).toBe(1);
    expect(again.data.metering_device.resource_type_id).toBe(2);
    expect(electricity.resource_type_id).toBe(3);
    expect((await create({ resource_type_id: 2 })).attributes).toHaveProperty("resource_type_id");
  });

  it("DEV-013 models 551 and 552 need login and password, at the top or among the properties", async () => {
    const without = await create({ model_id: models.p1 });
    const half = await create({ model_id: models.p1, login: "reader" });
    const device = await created({ model_id: models.p1, login: "reader", password: "s3cret" });
    const other = await created({ model_id: 552, properties: { login: "two", password: "s3cret" } });

    expect(Object.keys(without.attributes).sort()).toEqual(["login", "password"]);
    expect(Object.keys(half.attributes)).toEqual(["password"]);
    for (const each of [device, other]) {
      expect(each.secrets).toEqual(["password"]);
      expect(JSON.stringify(each)).not.toContain("s3cret");
    }
    expect(other.properties).toEqual({ login: "two" });
    expect(Object.keys((await edit({ id: device.id, password: "" })).attributes)).toEqual(["password"]);
    expect((await edit({ id: device.id, name: "Renamed" })).status).toBe(200);
  });

  it("DEV-064 keys are written once and never answered; an empty one removes it", async () => {
    const device = await created({
      model_id: models.radio,
      keys: { encryption: `${key.slice(0, 16)} ${key.slice(16)}` },
    });
    const { text } = await api.ask(devices.get, { token, input: { params: { id: String(device.id) } } });
    const entry = JSON.stringify((await logged("device.create"))[0]);
    const removed = await edit({ id: device.id, keys: { encryption: "" } });

    expect(device.secrets).toEqual(["encryption"]);
    expect(text + entry + JSON.stringify(device)).not.toContain(key.slice(0, 16));
    expect(entry).toContain('"keys":{"encryption":"set"}');
    expect(removed.data.metering_device.secrets).toEqual([]);
  });

  it("ACL-018 adding needs create on 4, editing needs update", async () => {
    const operator = await api.token("operator@metrum.example");
    const { id } = await created();

    expect((await create({}, operator)).code).toBe("right_missing");
    expect((await edit({ id, place: "Roof" }, operator)).status).toBe(200);
    expect((await edit({ id, place: "Roof" }, await api.token("viewer@metrum.example"))).code).toBe(
      "right_missing",
    );
  });
});

describe("an edited device", () => {
  it("DEV-043 keeps what is not named; the log holds the changed fields before and after", async () => {
    const { id } = await created({ name: "Before", place: "Cellar", transformation_ratio: 20 });

    const { data } = await edit({ id, name: "After", transformation_ratio: 30 });

    expect(data.metering_device).toMatchObject({ name: "After", place: "Cellar", transformation_ratio: 30 });
    const [entry] = await logged("device.edit");
    expect([entry?.before, entry?.after]).toEqual([
      { name: "Before", transformation_ratio: 20 },
      { name: "After", transformation_ratio: 30 },
    ]);
  });

  it("a whole record sent back as it was read changes nothing", async () => {
    const device = await created({ inside_addr: "9", gateway_id: fixture.ours.gateway });
    const entries = (await logged("device.edit")).length;
    const back = { ...device, gateway_id: device.gateway?.id };

    const { status, data, text } = await edit(back as unknown as Edit);

    expect(status, text).toBe(200);
    expect(data.metering_device).toEqual(device);
    expect((await logged("device.edit")).length).toBe(entries);
  });

  it("UI-063 the slower of two editors gets a conflict", async () => {
    const { id, version } = await created();
    const first = await edit({ id, version, name: "First" });
    const second = await edit({ id, version, name: "Second" });

    expect([first.status, second.status, second.code]).toEqual([200, 409, "conflict"]);
    expect((await edit({ id, version: first.data.metering_device.version, name: "Second" })).status).toBe(
      200,
    );
  });

  it("another model brings its interface and drops settings and secrets that it does not have", async () => {
    const { id } = await created({ model_id: models.radio, keys: { encryption: key } });

    const { data, text } = await edit({ id, model_id: models.heat, inside_addr: "5" });

    expect(data.metering_device, text).toMatchObject({
      model_id: models.heat,
      device_group_id: 3,
      interface_id: 6,
      secrets: [],
    });
    expect((await edit({ id, model_id: models.modbus })).status).toBe(200);
    expect((await edit({ id, model_id: models.modbus, inside_addr: "0" })).attributes).toHaveProperty(
      "inside_addr",
    );
  });

  it("gets a new slot with a new period, and is silent by its new warning period", async () => {
    const { id } = await created();
    await sql`update device_state set next_poll_at = 5, last_data_at = 1000, silent_at = 87400 where device_id = ${id}`.execute(
      api.services.database.system,
    );

    await edit({ id, name: "Only the name" });
    const untouched = await stateOf(id);
    await edit({ id, report_period_update: 300, warning_report_period: 600 });

    expect(untouched).toEqual({ next_poll_at: 5, silent_at: 87_400 });
    expect(await stateOf(id)).toEqual({ next_poll_at: null, silent_at: 1600 });
  });

  it("GW-002 cannot be assigned to a trashed gateway, by id or identifier; its present one may stay", async () => {
    const imei = `imei-${String(api.companies.first)}`;
    const gateway_id = fixture.ours.gateway;
    const [behind, free] = [await created({ gateway_id }), await created()];
    const { system } = api.services.database;
    await sql`update gateway set deleted_at = now() where id = ${gateway_id}`.execute(system);

    const answers = [
      await edit({ id: free.id, gateway_id }),
      await edit({ id: free.id, gatewayID: imei }),
      await create({ gateway_id }),
      await edit({ id: behind.id, gateway_id, place: "Roof" }),
    ];
    await sql`update gateway set deleted_at = null where id = ${gateway_id}`.execute(system);

    expect(answers.map(({ status }) => status)).toEqual([404, 422, 404, 200]);
  });

  it("ACL-039 a user tied to devices cannot assign them to a gateway they do not see, not by its identifier either", async () => {
    const { system } = api.services.database;
    const { id } = await created();
    await sql`insert into device_user (device_id, user_id, company_id)
      select ${id}, id, company_id from users where email = 'operator@metrum.example'`.execute(system);
    const operator = await api.token("operator@metrum.example");

    const answers = [
      await edit({ id, gateway_id: fixture.ours.gateway }, operator),
      await edit({ id, gatewayID: `imei-${String(api.companies.first)}` }, operator),
    ];
    await sql`delete from device_user where device_id = ${id}`.execute(system);

    expect(answers.map(({ status }) => status)).toEqual([404, 422]);
  });

  it("is refused while it is archived or in the trash", async () => {
    const [archived, trashed] = [await created(), await created()];
    await api.ask(deviceTrash.archive, { token, input: { body: { ids: [archived.id], is_archived: true } } });
    await api.ask(deviceTrash.add, { token, input: { params: { id: String(trashed.id) } } });

    const codes = [
      (await edit({ id: archived.id, name: "X" })).code,
      (await edit({ id: trashed.id, name: "X" })).code,
    ];

    expect(codes).toEqual(["device_put_away", "device_put_away"]);
  });
});

describe("connection parameters", () => {
  const set = (id: number, body: object) =>
    api.ask(deviceRecord.setConnectionParams, { token, input: { params: { id: String(id) }, body } });

  it("DEV-011 are set one by one: interface, address, echo and a fixed speed", async () => {
    const { id } = await created();

    const { data, status, text } = await set(id, {
      interface_id: 4,
      poll_params: { inside_addr: "33", echo: true, fixed_baud: 9600 },
    });
    const back = await set(id, { poll_params: { echo: false, fixed_baud: null } });

    expect(status, text).toBe(200);
    expect(data.metering_device).toMatchObject({
      inside_addr: "33",
      properties: { echo: true, fixed_baud: 9600 },
    });
    expect(back.data.metering_device).toMatchObject({ inside_addr: "33", properties: {} });
    expect((await logged("device.edit"))[0]).toMatchObject({ before: { properties: { fixed_baud: 9600 } } });
  });

  it("DEV-011 invalid ones are reported at their fields, and nothing else can be set", async () => {
    const { id } = await created();
    const answers = [
      await set(id, { poll_params: { inside_addr: "999" } }),
      await set(id, { poll_params: { fixed_baud: 1 } }),
      await set(id, { poll_params: { host: "127.0.0.1", port: 5432 } }),
      await set(id, { interface_id: 1 }),
    ];

    expect(answers.map(({ status, attributes }) => [status, Object.keys(attributes)])).toEqual([
      [422, ["poll_params.inside_addr"]],
      [422, ["poll_params.fixed_baud"]],
      [422, ["poll_params.host", "poll_params.port"]],
      [422, ["interface_id"]],
    ]);
  });
});

it("DEV-023 UUIDs are time-based, of version 1, and never the same", async () => {
  const uuids = await Promise.all(
    Array.from({ length: 50 }, async () => (await api.ask(deviceRecord.uuid, { token })).data.uuid),
  );

  expect(new Set(uuids).size).toBe(uuids.length);
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const [low = "", mid = "", high = ""] = uuids[0]?.split("-") ?? [];
  const ticks = BigInt(`0x${high.slice(1)}${mid}${low}`);
  expect(Math.abs(Number(ticks / 10_000n) - 12_219_292_800_000 - Date.now())).toBeLessThan(60_000);
});
