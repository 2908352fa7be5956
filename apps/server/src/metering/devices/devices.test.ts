import { companyModels, devices, messageGroups, readings } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { insertDevices } from "./store.ts";

const engineer = "engineer@metrum.example";
const now = 1_790_000_000;
let api: TestApi;
let token: string;

interface Given {
  readonly name: string;
  readonly model?: number;
  readonly group?: number;
  readonly place?: string;
  readonly active?: boolean;
  readonly lastDataAt?: number;
  readonly silentAt?: number;
  readonly deleted?: boolean;
  readonly archived?: boolean;
}

async function aDevice(given: Given): Promise<number> {
  const { system } = api.services.database;
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, place,
      "deviceID", is_active, is_archived, deleted_at)
    values (${api.companies.first}, ${given.model ?? 101}, ${given.model === 201 ? "MULTICAL 403" : "SDM630-Modbus"},
      ${given.group ?? 4}, 3, ${given.group === 3 ? 6 : 4}, ${given.name}, ${given.place ?? ""}, ${`n-${given.name}`},
      ${given.active ?? true}, ${given.archived ?? false}, ${given.deleted ? sql`now()` : null})
    returning id
  `.execute(system);
  const id = rows[0]?.id ?? 0;
  await sql`
    update device_state set last_data_at = ${given.lastDataAt ?? null}, silent_at = ${given.silentAt ?? null}
    where device_id = ${id}
  `.execute(system);
  return id;
}

type Asked = NonNullable<Parameters<typeof api.ask<typeof devices.list>>[1]>["input"];
const listed = async (body: NonNullable<NonNullable<Asked>["body"]>) => {
  const answer = await api.ask(devices.list, { token, input: { body: { per_page: 100, ...body } } });
  expect(answer.status, answer.text).toBe(200);
  return answer.data.metering_devices;
};
const names = async (body: NonNullable<NonNullable<Asked>["body"]>) =>
  (await listed(body)).data.map((row) => row.name);

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now } });
  token = await api.token(engineer);
  await aDevice({ name: "Alpha", place: "School 4", lastDataAt: now - 60, silentAt: now + 800 });
  await aDevice({ name: "Bravo", model: 201, group: 3, lastDataAt: now - 9000, silentAt: now - 10 });
  await aDevice({ name: "Charlie", active: false, lastDataAt: now - 100, silentAt: now + 700 });
  await aDevice({ name: "Delta 100%", place: "Pump_station" });
  await aDevice({ name: "Echo", deleted: true });
  await aDevice({ name: "Foxtrot", archived: true, lastDataAt: now - 30, silentAt: now + 30 });
});
afterAll(() => api.close());

describe("the list of metering devices", () => {
  it("DEV-001 UI-039 is paged by the server and returns its position", async () => {
    const first = await api.ask(devices.list, { token, input: { body: { page: 1, per_page: 10 } } });
    const beyond = await api.ask(devices.list, { token, input: { body: { page: 7, per_page: 10 } } });

    expect(first.data.metering_devices).toMatchObject({
      current_page: 1,
      last_page: 1,
      per_page: 10,
      total: 4,
    });
    expect(beyond.data.metering_devices).toMatchObject({ current_page: 7, data: [], total: 4 });
  });

  it("clamps the page size to those that tables offer", async () => {
    expect((await listed({ per_page: 3 })).per_page).toBe(10);
    expect((await listed({ per_page: 99 })).per_page).toBe(50);
  });

  it("DEV-002 returns only the fields that were named", async () => {
    const { data } = await listed({ only: ["id", "name"] });

    for (const row of data) expect(Object.keys(row).sort()).toEqual(["id", "name"]);
  });

  it("DEV-037 UI-038 sorts on the server, nulls last ascending and first descending", async () => {
    const up = await names({ sort_field: "last_data_at", sort: "asc" });
    const down = await names({ sort_field: "last_data_at", sort: "desc" });

    expect(up).toEqual(["Bravo", "Charlie", "Alpha", "Delta 100%"]);
    expect(down).toEqual([...up].reverse());
  });

  it("DEV-038 searches name, place and number, with % and _ taken literally", async () => {
    expect(await names({ search_string: "SCHOOL" })).toEqual(["Alpha"]);
    expect(await names({ search_string: "n-bra" })).toEqual(["Bravo"]);
    expect(await names({ search_string: "0%" })).toEqual(["Delta 100%"]);
    expect(await names({ search_string: "p_s" })).toEqual(["Delta 100%"]);
    expect(await names({ search_string: "%" })).toEqual(["Delta 100%"]);
  });

  it("filters by state, model, options, interface, group, ids, archive and trash", async () => {
    const all = await listed({});
    const alpha = all.data.find((row) => row.name === "Alpha")?.id ?? 0;

    expect(await names({ device_state: "inactive" })).toEqual(["Charlie"]);
    expect(await names({ is_archived: true })).toEqual(["Foxtrot"]);
    expect(await names({ model_id: 201 })).toEqual(["Bravo"]);
    expect(await names({ model_id: [201, 101], device_group_id: [3] })).toEqual(["Bravo"]);
    expect(await names({ model_options: ["now_value"] })).toHaveLength(4);
    expect(await names({ model_options: ["valve"] })).toEqual([]);
    expect(await names({ interface_id: 6 })).toEqual(["Bravo"]);
    expect(await names({ ids: [alpha] })).toEqual(["Alpha"]);
    expect(await names({ is_deleted: true })).toEqual(["Echo"]);
    expect(await names({ gateway_ids: [1] })).toEqual([]);
  });

  it("shows a device as silent after its warning period, not before", async () => {
    const { data } = await listed({});
    const states: unknown = Object.fromEntries(data.map((row) => [row.name, row.state]));

    expect(states).toMatchObject({
      Alpha: "on_time",
      Bravo: "silent",
      Charlie: "off",
      "Delta 100%": "never",
    });
    expect(await names({ fields_filter: { state: ["silent"] } })).toEqual(["Bravo"]);
    expect(await names({ fields_filter: { state: ["never", "off"] } })).toEqual(["Charlie", "Delta 100%"]);
  });

  it("DEV-039 filters columns by a part of their text, and by values of attributes", async () => {
    const { data } = await listed({});
    const [alpha, bravo] = ["Alpha", "Bravo"].map((name) => data.find((row) => row.name === name)?.id ?? 0);
    await sql`
      insert into device_attribute (company_id, device_id, name, value)
      values (${api.companies.first}, ${alpha}, 'Feeder', '4'), (${api.companies.first}, ${bravo}, 'Feeder', '5'),
        (${api.companies.first}, ${bravo}, 'Year', '2019')`.execute(api.services.database.system);
    const found = (fields_filter: Record<string, unknown>) => names({ fields_filter });

    expect(await found({ name: "ALPH" })).toEqual(["Alpha"]);
    expect(await found({ name: "0%" })).toEqual(["Delta 100%"]);
    expect(await found({ place: "school" })).toEqual(["Alpha"]);
    expect(await found({ deviceID: "n-b" })).toEqual(["Bravo"]);
    expect(await found({ name: "school" })).toEqual([]);
    expect(await found({ inside_addr: "77" })).toEqual([]);
    expect(await found({ name: "a", state: ["silent"] })).toEqual(["Bravo"]);
    expect(await found({ attributes: { Feeder: ["4", "5"] } })).toEqual(["Alpha", "Bravo"]);
    expect(await found({ attributes: { Feeder: ["4", "5"], Year: ["2019"] } })).toEqual(["Bravo"]);
    expect(await found({ attributes: { Year: [] } })).toEqual([]);
    expect(await names({ search_string: "n-", fields_filter: { name: "brav" } })).toEqual(["Bravo"]);
  });

  it("DEV-040 adds the fields named in append_fields, also to named ones", async () => {
    const append_fields = ["model", "device_fields_titles", "attributes", "secrets"] as const;
    const { data } = await listed({ append_fields: [...append_fields], search_string: "alpha" });
    const only = await listed({ append_fields: ["model"], only: ["id"], search_string: "alpha" });
    const [plain] = (await listed({ search_string: "alpha" })).data;

    expect(data[0]).toMatchObject({
      model: { id: 101 },
      attributes: [{ name: "Feeder", value: "4" }],
      secrets: [],
    });
    expect(data[0]?.device_fields_titles?.[0]).toEqual({
      name: "voltage1",
      title: "Напряжение, фаза A",
      title_en: "Voltage, phase A",
      unit: { title: "В" },
      device_group_id: 4,
      device_type_id: 3,
      protocol_id: 0,
      device_id: data[0]?.id,
    });
    expect(Object.keys(only.data[0] ?? {}).sort()).toEqual(["id", "model"]);
    for (const name of append_fields) expect(plain).not.toHaveProperty(name);
  });

  it("reports the field of an invalid request", async () => {
    const wrong = { sort_field: "password" } as unknown as { sort_field: "name" };
    const answer = await api.ask(devices.list, { token, input: { body: wrong } });

    expect(answer.status).toBe(422);
    expect(Object.keys(answer.attributes)).toEqual(["sort_field"]);
  });

  it("ACL-039 shows a tied user only their devices, in the list and by address", async () => {
    const operator = await api.token("operator@metrum.example");
    const all = await listed({});
    const [tied, other] = all.data;
    await sql`
      insert into device_user (device_id, user_id, company_id)
      select ${tied?.id}, id, company_id from users where email = 'operator@metrum.example'
    `.execute(api.services.database.system);
    const fresh = await api.token("operator@metrum.example");

    const seen = await api.ask(devices.list, { token: fresh, input: { body: {} } });
    const refused = await api.ask(devices.get, {
      token: fresh,
      input: { params: { id: String(other?.id) } },
    });

    expect(operator).not.toBe(fresh);
    expect(seen.data.metering_devices.data.map((row) => row.id)).toEqual([tied?.id]);
    expect(refused.status).toBe(404);
  });
});

describe("one metering device", () => {
  it("DEV-003 DATA-043 opens with its model, tabs, controls and field titles", async () => {
    const { data } = await listed({ search_string: "alpha" });
    const answer = await api.ask(devices.get, { token, input: { params: { id: String(data[0]?.id) } } });
    const device = answer.data.metering_device;

    expect(device).toMatchObject({ name: "Alpha", deviceTimezone: 8, timezone_name: "Asia/Ulaanbaatar" });
    expect(device.model.tabs["tariffs"]).toEqual({ msgTypes: [1], chart_fields: ["tariff0"] });
    expect(device.model.options.control["now_value"]).toEqual({ active: true });
    expect(device.device_fields_titles.find((each) => each.name === "tariff0")).toMatchObject({
      title_en: "Energy A+, total",
    });
  });

  it("DEV-004 is switched off and on, which is stored and logged", async () => {
    const { data } = await listed({ search_string: "alpha" });
    const params = { id: String(data[0]?.id) };
    const off = await api.ask(devices.switch, {
      token,
      language: "en",
      input: { params, body: { is_active: false } },
    });
    const stored = await api.ask(devices.get, { token, input: { params } });
    const on = await api.ask(devices.switch, { token, input: { params, body: {} } });
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit where action = 'device.switch' and subject = ${`device ${params.id}`}
    `.execute(api.services.database.system);

    expect(off.msg).toBe("The device is switched off");
    expect(stored.data.metering_device).toMatchObject({ is_active: false, state: "off" });
    expect(on.status).toBe(200);
    expect(rows[0]?.n).toBe(2);
  });

  it("several are switched or, with one foreign id among them, none", async () => {
    const { data } = await listed({});
    const ids = data.flatMap((row) => row.id ?? []);
    const refused = await api.ask(devices.switchBulk, {
      token,
      input: { body: { device_ids: [...ids, 999_999], is_active: false } },
    });

    expect(refused.status).toBe(404);
    expect(await names({ device_state: "inactive" })).toEqual(["Charlie"]);
  });
});

it("SESS-029 the models of a company are those of its devices, trash not counted, and of no other company", async () => {
  const other = await api.token("engineer2@metrum.example");

  const own = await api.ask(companyModels.devices, { token });
  const foreign = await api.ask(companyModels.devices, { token: other });

  const { rows } = await sql<{ model_id: number }>`
    select distinct model_id from device where company_id = ${api.companies.first} and deleted_at is null order by 1
  `.execute(api.services.database.system);
  expect(own.data.metering_devices.map(({ id }) => id)).toEqual(rows.map((row) => row.model_id));
  expect(foreign.data.metering_devices).toEqual([]);
});

it("SESS-028 groups of messages: 0 archives, 1 all others", async () => {
  const { data } = await api.ask(messageGroups.list, { token });

  expect(data.groups.map(({ id, title_en }) => [id, title_en])).toEqual([
    [0, "Archives"],
    [1, "Readings and profiles"],
  ]);
});

describe("devices added at once", () => {
  it.each([0, 2_000])("%i of them get their ids in the order given", async (count) => {
    const row = (at: number) => ({
      company_id: api.companies.second,
      model_id: 101,
      model_title: "SDM630-Modbus",
      device_group_id: 4,
      device_type_id: 3,
      interface_id: 4,
      name: `Meter ${String(at)}`,
      deviceID: `many-${String(at)}`,
    });
    const rows = Array.from({ length: count }, (_, at) => row(at));
    const { system } = api.services.database;

    const ids = await insertDevices(system, rows);

    const stored = await system
      .selectFrom("device")
      .select(["id", "name"])
      .where("deviceID", "like", "many-%")
      .orderBy("id")
      .execute();
    expect(ids).toEqual(stored.map(({ id }) => id));
    expect(stored.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
  });
});

it("DEV-015 DEV-029 a device carries every field of its entity; titles name unit, group, protocol, type and device", async () => {
  const [row] = (await listed({ search_string: "alpha" })).data;
  const { data } = await api.ask(devices.get, { token, input: { params: { id: String(row?.id) } } });

  for (const name of [
    ...["id", "name", "deviceTimezone", "inside_addr", "report_period_update", "warning_report_period"],
    ...["interface_id", "model_id", "device_type_id", "device_group_id", "properties", "starting_value"],
    ...["impulse_weight", "transformation_ratio", "deviceID", "gatewayID", "status", "model"],
    "device_fields_titles",
  ])
    expect(data.metering_device).toHaveProperty(name);
  const { data: all } = await api.ask(readings.fieldTitles, { token });
  const parts = [
    "name",
    "title",
    "title_en",
    "unit",
    "device_group_id",
    "device_type_id",
    "protocol_id",
    "device_id",
  ];
  for (const title of [...data.metering_device.device_fields_titles, ...all.fields])
    expect(Object.keys(title).sort()).toEqual([...parts].sort());
});
