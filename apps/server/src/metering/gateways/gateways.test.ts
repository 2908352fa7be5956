import { users } from "@metrum/contract/access";
import type { InputOf } from "@metrum/contract/core";
import { devices, gateways } from "@metrum/contract/metering";
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

type Body<C> = NonNullable<InputOf<C> extends { readonly body?: infer B } ? B : never>;

let made = 0;
const aGateway = (over: Partial<Body<typeof gateways.create>> = {}) => ({
  name: "Basement",
  device_id: `3567${String(++made).padStart(11, "0")}`,
  model_id: 601,
  ...over,
});
const create = (over: Partial<Body<typeof gateways.create>> = {}) =>
  api.ask(gateways.create, { token, input: { body: aGateway(over) } });
const idOf = async (over: Partial<Body<typeof gateways.create>> = {}) => (await create(over)).data.gateway.id;
const edit = (body: Body<typeof gateways.edit>) => api.ask(gateways.edit, { token, input: { body } });
const get = (id: number, as = token) =>
  api.ask(gateways.get, { token: as, input: { params: { id: String(id) } } });
const list = async (body: Body<typeof gateways.list> = {}, as = token) =>
  (await api.ask(gateways.list, { token: as, input: { body } })).data;
const namesOf = async (body: Body<typeof gateways.list>) =>
  (await list(body)).gateways.data.map(({ name }) => name);
const by = (call: typeof gateways.toTrash, id: number, as = token) =>
  api.ask(call, { token: as, input: { params: { id: String(id) } } });
const audited = async (id: number) =>
  (
    await sql<{ action: string; before: unknown; after: unknown }>`
      select action, before, after from audit where subject = ${`gateway ${String(id)}`} order by id`.execute(
      api.services.database.system,
    )
  ).rows;

describe("gateways", () => {
  test("GW-008 GW-010 GW-011 are created with all fields, opened by id and written to the log", async () => {
    const given = {
      interface_id: 4,
      deviceTimezone: 8,
      desc: "Under the stairs",
      report_period_update: 900,
      warning_report_period: 7200,
      poll_pause: 15,
      phone_number: "+79991234567",
      base_station_id: fixture.ours.baseStation,
    };

    const { status, data, msg } = await create({ name: " Boiler house ", ...given });
    const shown = (await get(data.gateway.id)).data.gateway;

    expect([status, msg]).toEqual([200, "Шлюз создан"]);
    expect(shown).toEqual(data.gateway);
    expect(shown).toMatchObject({
      ...given,
      name: "Boiler house",
      timezone_name: "Asia/Ulaanbaatar",
      base_station: { id: fixture.ours.baseStation, name: "Base station" },
      model_title: "ATM21",
      state: "never",
      is_connected: false,
      is_active: true,
      is_deleted: false,
    });
    expect((await audited(shown.id)).map(({ action }) => action)).toEqual(["gateway.create"]);
  });

  test("DEV-059 X-67 get a number of the common space, which no call for another kind knows", async () => {
    const id = await idOf();

    const asDevice = await api.ask(devices.get, { token, input: { params: { id: String(id) } } });

    expect(asDevice.status).toBe(404);
    expect((await get(fixture.ours.device)).status).toBe(404);
    expect((await get(fixture.ours.baseStation)).status).toBe(404);
  });

  test("GW-012 are edited: absent fields stay, and the log has both values", async () => {
    const id = await idOf({ desc: "old", phone_number: "+79990000000", timezone_name: "Asia/Tokyo" });

    const { data } = await edit({ id, desc: "new", timezone_name: "", is_active: false });

    expect(data.gateway).toMatchObject({ desc: "new", phone_number: "+79990000000", state: "off" });
    expect(data.gateway.timezone_name).not.toBe("Asia/Tokyo");
    expect((await audited(id)).at(-1)).toMatchObject({
      action: "gateway.update",
      before: { desc: "old", timezone_name: "Asia/Tokyo", is_active: true },
      after: { desc: "new", is_active: false },
    });
  });

  test("GW-012 a pause between polls is 0 to 3600 seconds", async () => {
    const id = await idOf();

    const { status, attributes } = await edit({ id, poll_pause: 3601 });

    expect([status, attributes]).toEqual([422, { poll_pause: [expect.any(String)] }]);
    expect((await edit({ id, poll_pause: 0 })).data.gateway.poll_pause).toBe(0);
  });

  test("an identifier is unique in the installation, whatever spaces it is entered with", async () => {
    const { data } = await create();
    const number = data.gateway.device_id;
    const other = await idOf();
    const { rows } = await sql<{ device_id: string }>`
      select device_id from gateway where id = ${fixture.theirs.gateway}`.execute(
      api.services.database.system,
    );

    const again = await create({ device_id: ` ${number.slice(0, 4)} ${number.slice(4)}` });
    const edited = await edit({ id: other, device_id: number });
    const foreign = await create({ device_id: rows[0]?.device_id ?? "" });

    expect([again.status, again.code, again.attributes]).toEqual([
      409,
      "identifier_taken",
      { device_id: expect.anything() as unknown },
    ]);
    expect(again.msg).toContain("Basement");
    expect([edited.status, edited.code]).toEqual([409, "identifier_taken"]);
    expect(foreign.msg).not.toContain("Gateway");
  });

  test("model and interface must be of the catalogue and fit together", async () => {
    const meter = await create({ model_id: 101 });
    const foreign = await create({ interface_id: 1 });
    const zone = await create({ timezone_name: "Mars/Base" });

    expect([meter.status, meter.code, Object.keys(meter.attributes)]).toEqual([
      422,
      "unknown_model",
      ["model_id"],
    ]);
    expect([foreign.code, Object.keys(foreign.attributes)]).toEqual(["wrong_input", ["interface_id"]]);
    expect([zone.code, Object.keys(zone.attributes)]).toEqual(["wrong_input", ["timezone_name"]]);
  });

  test("GW-007 login and password belong to ethernet_uspd, are needed there, and no answer has the password", async () => {
    const uspd = { model_id: 621, interface_id: 42 };
    const without = await create({ ...uspd, login: " " });
    const { data, text } = await create({ ...uspd, login: "reader", password: "s3cret-uspd" });
    const id = data.gateway.id;

    const kept = await edit({ id, login: "reader2" });
    const emptied = await edit({ id, password: "" });
    const plain = await create({ login: "reader", password: "s3cret-uspd" });
    const texts = [text, kept.text, (await get(id)).text, JSON.stringify(await list({ ids: [id] }))];
    const { rows } = await sql<{ all: string }>`
      select (select jsonb_agg(a)::text from audit a) || (select jsonb_agg(s)::text from gateway_secret s) as all`.execute(
      api.services.database.system,
    );

    expect([without.status, Object.keys(without.attributes)]).toEqual([422, ["login", "password"]]);
    expect(kept.data.gateway).toMatchObject({ login: "reader2", has_password: true });
    expect([emptied.status, Object.keys(emptied.attributes)]).toEqual([422, ["password"]]);
    expect(plain.data.gateway).not.toHaveProperty("login");
    expect(plain.data.gateway).not.toHaveProperty("has_password");
    for (const each of [...texts, rows[0]?.all ?? ""]) expect(each).not.toContain("s3cret");
  });

  test("GW-007 the password goes with the interface", async () => {
    const { data } = await create({ model_id: 621, interface_id: 42, login: "reader", password: "s3cret" });
    const { id } = data.gateway;

    await edit({ id, interface_id: 7 });
    const back = await edit({ id, interface_id: 42, login: "reader" });

    expect([back.status, Object.keys(back.attributes)]).toEqual([422, ["password"]]);
  });

  test("the role of the API writes the sealed password and never reads it", async () => {
    const { database } = api.services;
    const { rows } = await sql<{ select: boolean; insert: boolean }>`
      select has_column_privilege('metrum_api', 'gateway_secret', 'sealed', 'select') as select,
        has_column_privilege('metrum_api', 'gateway_secret', 'sealed', 'insert') as insert`.execute(
      database.system,
    );

    expect(rows).toEqual([{ select: false, insert: true }]);
  });
});

describe("the list of gateways", () => {
  test("GW-001 GW-003 GW-015 is paged, sorted, searched and filtered, in and outside the trash", async () => {
    const ids = [
      await idOf({ name: "Zulu", desc: "list-test roof" }),
      await idOf({ name: "Alpha", desc: "list-test cellar", model_id: 602 }),
      await idOf({ name: "Mike", desc: "list-test 100%", is_active: false }),
    ];
    const gone = await idOf({ name: "Gone", desc: "list-test gone" });
    await by(gateways.toTrash, gone);
    const mine = { search_string: "LIST-TEST" };

    const first = await list({ ...mine, per_page: 10, page: 1 });

    expect(await namesOf(mine)).toEqual(["Alpha", "Mike", "Zulu"]);
    expect(await namesOf({ ...mine, sort: "desc" })).toEqual(["Zulu", "Mike", "Alpha"]);
    expect(await namesOf({ ...mine, sort_field: "id" })).toEqual(["Zulu", "Alpha", "Mike"]);
    expect(await namesOf({ search_string: "100%" })).toEqual(["Mike"]);
    expect(await namesOf({ search_string: String(ids[0]) })).toContain("Zulu");
    expect(await namesOf({ ...mine, device_state: "inactive" })).toEqual(["Mike"]);
    expect(await namesOf({ ...mine, model_id: 602 })).toEqual(["Alpha"]);
    expect(await namesOf({ ...mine, model_id: [602, 601], device_state: "active" })).toEqual([
      "Alpha",
      "Zulu",
    ]);
    expect(await namesOf({ ids: [ids[2] ?? 0, ids[0] ?? 0], per_page: 1000 })).toEqual(["Mike", "Zulu"]);
    expect(await namesOf({ ...mine, is_deleted: true, per_page: 100 })).toEqual(["Gone"]);
    expect(await namesOf({ ...mine, paginate: false })).toHaveLength(3);
    expect(first.gateways).toMatchObject({ total: 3, current_page: 1, last_page: 1, per_page: 10 });
    expect(first.counts.all).toBeGreaterThan(3);
    expect(first.counts.deleted).toBeGreaterThan(0);
  });

  test("GW-009 counts the devices behind, and shows state, signal and last contact", async () => {
    const { system } = api.services.database;
    const now = api.services.clock.now();
    const { data } = await create({ name: "Card", warning_report_period: 3600 });
    const { id, device_id } = data.gateway;
    await sql`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, gateway_id, name, "deviceID", is_archived)
      select ${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, ${id}, 'Behind ' || n, 'behind-' || n, n = 3
      from generate_series(1, 3) n`.execute(system);
    await sql`
      update device_state set last_data_at = ${now - 60}, silent_at = ${now + 600}
      where device_id = (select id from device where name = 'Behind 1')`.execute(system);
    const behind = (await get(id)).data.gateway;
    await sql`
      insert into modem_connection (port, identity, profile, state, is_online, ip_address, connected_at, last_at, rssi)
      values (1, ${device_id}, 'imei', 'live', true, '10.0.0.1', ${now - 900}, ${now - 5}, -71)`.execute(
      system,
    );
    const connected = (await get(id)).data.gateway;
    await sql`update modem_connection set is_online = false, last_at = ${now - 7200} where identity = ${device_id}`.execute(
      system,
    );
    await sql`update device_state set last_data_at = ${now - 7200}, silent_at = ${now - 60} where last_data_at = ${now - 60}`.execute(
      system,
    );
    const silent = (await get(id)).data.gateway;

    expect(behind).toMatchObject({ devices_count: 2, silent_count: 1, state: "online", is_connected: false });
    expect(behind.last_contact_at).toBe(now - 60);
    expect(connected).toMatchObject({ state: "online", is_connected: true, signal: -71 });
    expect(connected.last_contact_at).toBe(now - 5);
    expect(silent).toMatchObject({ state: "silent", silent_count: 2, is_connected: false });
  });
});

describe("the trash of gateways", () => {
  test("GW-002 GW-013 GW-014 a gateway can be trashed, restored, and removed for good only from the trash", async () => {
    const id = await idOf({ name: "Trashed" });

    const early = await by(gateways.remove, id);
    const gone = await by(gateways.toTrash, id);
    const inTrash = (await get(id)).data.gateway;
    const edited = await edit({ id, desc: "no" });
    const back = await by(gateways.restore, id);
    const restored = (await get(id)).data.gateway;
    await by(gateways.toTrash, id);
    const removed = await by(gateways.remove, id);

    expect([early.status, early.code]).toEqual([409, "gateway_not_in_trash"]);
    expect([gone.status, inTrash.is_deleted]).toEqual([200, true]);
    expect([edited.status, edited.code]).toEqual([409, "gateway_in_trash"]);
    expect([back.status, restored.is_deleted]).toEqual([200, false]);
    expect([removed.status, (await get(id)).status]).toEqual([200, 404]);
    expect((await audited(id)).map(({ action }) => action)).toEqual([
      "gateway.create",
      "gateway.trash",
      "gateway.restore",
      "gateway.trash",
      "gateway.remove",
    ]);
  });

  test("GW-013 a gateway whose identifier was reused stays in the trash", async () => {
    const { data } = await create();
    await by(gateways.toTrash, data.gateway.id);
    await create({ device_id: data.gateway.device_id, name: "Successor" });

    const back = await by(gateways.restore, data.gateway.id);

    expect([back.status, back.code]).toEqual([409, "identifier_taken"]);
    expect(back.msg).toContain("Successor");
  });

  test("GW-014 devices behind a removed gateway stay, without one, and the log names them", async () => {
    const id = await idOf();
    const device = fixture.ours.device;
    await sql`update device set gateway_id = ${id} where id = ${device}`.execute(
      api.services.database.system,
    );

    await by(gateways.toTrash, id);
    await by(gateways.remove, id);
    const left = await api.ask(devices.get, { token, input: { params: { id: String(device) } } });

    expect(left.data.metering_device.gateway).toBeNull();
    expect((await audited(id)).at(-1)).toMatchObject({ before: { device_ids: [device] } });
  });
});

describe("ACL-039 a user tied to devices", () => {
  test("sees the gateways of their devices, and changes only those without other devices", async () => {
    const { system } = api.services.database;
    await sql`update access_group set access_rules = jsonb_build_object('read', '[4]'::jsonb, 'create', '[4]'::jsonb,
      'update', '[4]'::jsonb, 'delete', '[4]'::jsonb, 'access_all', '[]'::jsonb) where name = 'Operators'`.execute(
      system,
    );
    const operator = await api.token("operator@metrum.example");
    const userId = (await api.ask(users.info, { token: operator })).data.user.id;
    const [own, shared, other] = [await idOf({ name: "Own" }), await idOf({ name: "Shared" }), await idOf()];
    await sql`
      with made as (
        insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, gateway_id, name, "deviceID")
        select ${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, gateway, 'T', 'tied-' || gateway || is_tied
        from (values (${own}::int, true), (${shared}::int, true), (${shared}::int, false), (${other}::int, false)) v (gateway, is_tied)
        returning id, "deviceID"
      )
      insert into device_user (device_id, user_id, company_id)
      select id, ${userId}, ${api.companies.first} from made where "deviceID" like '%true'`.execute(system);
    const tied = await api.token("operator@metrum.example");
    const change = (id: number) =>
      api.ask(gateways.edit, { token: tied, input: { body: { id, desc: "mine" } } });

    const seen = await list({ sort_field: "id" }, tied);
    const made = await api.ask(gateways.create, { token: tied, input: { body: aGateway() } });

    expect(seen.gateways.data.map(({ id }) => id)).toEqual([own, shared]);
    expect(seen.gateways.data.map((each) => each.devices_count)).toEqual([1, 1]);
    expect(seen.counts.all).toBe(2);
    expect([(await get(own, tied)).status, (await get(other, tied)).status]).toEqual([200, 404]);
    expect([(await change(own)).status, (await change(other)).status]).toEqual([200, 404]);
    expect(await change(shared)).toMatchObject({ status: 403, code: "tied_devices_only" });
    expect(await by(gateways.toTrash, shared, tied)).toMatchObject({
      status: 403,
      code: "tied_devices_only",
    });
    expect(made).toMatchObject({ status: 403, code: "tied_devices_only" });
    expect((await by(gateways.toTrash, own, tied)).status).toBe(200);
  });
});

describe("rights of gateways", () => {
  const rulesOf = (
    rules: Partial<Record<"read" | "create" | "update" | "delete" | "access_all", number[]>>,
  ) =>
    sql`update access_group set access_rules = ${JSON.stringify({
      read: [],
      create: [],
      update: [],
      delete: [],
      access_all: [],
      ...rules,
    })}::jsonb where name = 'Operators'`.execute(api.services.database.system);

  test("ACL-015 ACL-016 read is read or access_all on 4, create is create or access_all on 4", async () => {
    await sql`delete from device_user`.execute(api.services.database.system);
    const outcomes: number[][] = [];
    for (const rules of [{ read: [4] }, { create: [4] }, { access_all: [4] }, { read: [6] }]) {
      await rulesOf(rules);
      const as = await api.token("operator@metrum.example");
      outcomes.push([
        (await api.ask(gateways.list, { token: as, input: { body: {} } })).status,
        (await api.ask(gateways.create, { token: as, input: { body: aGateway() } })).status,
      ]);
    }

    expect(outcomes).toEqual([
      [200, 403],
      [403, 200],
      [200, 200],
      [403, 403],
    ]);
  });
});
