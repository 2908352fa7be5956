import type { InputOf } from "@metrum/contract/core";
import { deviceRecord, deviceTrash, devices, readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { computeVirtualDevices, ingest } from "#metering/messages";
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

type Properties = NonNullable<InputOf<typeof deviceRecord.create>["body"]>["properties"];
let made = 0;
const create = (name: string, properties: Properties = {}, more: object = {}) => {
  made += 1;
  const isVirtual = Object.keys(properties).some((each) => each.startsWith("virtual"));
  const address = isVirtual ? {} : { inside_addr: "1" };
  const body = { name, deviceID: `virtual-${String(made)}`, model_id: 101, properties, ...address, ...more };
  return api.ask(deviceRecord.create, { token, input: { body } });
};
const aDevice = async (name: string, properties: Properties = {}): Promise<DeviceId> => {
  const { data, text, status } = await create(name, properties);
  if (status !== 200) throw new Error(text);
  return data.metering_device.id as DeviceId;
};
const edit = (id: number, properties: Properties) =>
  api.ask(deviceRecord.edit, { token, input: { body: { id, properties } } });
const sum = (...ids: number[]) => ({
  virtual_fields_map_multiple: {
    tariff0: ids.map((device_id) => ({ device_id, field: "tariff0", coefficient: 1 })),
  },
});
const start = Date.UTC(2026, 9, 1) / 1000;
const read = (deviceId: DeviceId, hour: number, value: number, field = "tariff0") => ({
  ...{ deviceId, msgType: 100, ts: start + hour * 3600, receivedAt: start + hour * 3600 + 1 },
  source: "polled" as const,
  values: { [field]: value },
});
const list = async (device_id: number, shape?: "columns") =>
  (
    await api.ask(readings.list, {
      token,
      input: {
        body: {
          device_id,
          msgType: 100,
          startDate: start,
          stopDate: start + 86_400,
          ...(shape ? { shape } : {}),
        },
      },
    })
  ).data;

it("DEV-060 a device is made of others: its readings appear, follow them, and a changed definition recomputes all", async () => {
  const [a, b] = [await aDevice("A"), await aDevice("B")];
  await ingest(api.services, [read(a, 1, 10), read(b, 1, 5), read(a, 2, 12)]);

  const v = await aDevice("A + B", sum(a, b));
  await computeVirtualDevices(api.services);
  const first = await list(v);
  await edit(v, {
    virtual_fields_map_multiple: null,
    virtual_fields_map: { tariff0: { device_id: a, field: "tariff0", coefficient: 0.5 } },
  });
  await computeVirtualDevices(api.services);
  const second = await list(v);

  const valuesOf = (answer: typeof first) =>
    "data" in answer ? answer.data.map(({ tariff0, source }) => [tariff0, source]) : [];
  expect(valuesOf(first)).toEqual([[15, "calculated"]]);
  expect(valuesOf(second)).toEqual([
    [5, "calculated"],
    [6, "calculated"],
  ]);
});

it("DEV-060 a definition that makes no sense is refused at its field", async () => {
  const a = await aDevice("Source");
  const v = await aDevice("Virtual", sum(a));
  const w = await aDevice("Virtual of a virtual", sum(v));
  const term = (field: string, more: object = {}) => ({ device_id: a, field, coefficient: 1, ...more });

  const answers = [
    await create("Unknown", { virtual_fields_map: { nothing: term("tariff0") } }),
    await create("Units", { virtual_fields_map: { tariff0: term("power_a_plus") } }),
    await create("Zero", { virtual_fields_map: { tariff0: term("tariff0", { coefficient: 0 }) } }),
    await create("Fine", { virtual_fields_map: { tariff0: term("tariff0", { coefficient: 0.0001 }) } }),
    await create("Twice", { virtual_fields_map: { tariff0: term("tariff0") }, ...sum(a) }),
    await create("With a gateway", sum(a), { gateway_id: fixture.ours.gateway }),
    await edit(v, sum(a, w)),
    await edit(v, sum(v)),
  ];

  expect(
    answers.map(({ status, attributes }) => [status, Object.keys(attributes)[0]?.replace(/\.tariff0.*/, "")]),
  ).toEqual([
    [422, "properties.virtual_fields_map"],
    [422, "properties.virtual_fields_map"],
    [422, "properties.virtual_fields_map"],
    [422, "properties.virtual_fields_map"],
    [422, "properties.virtual_fields_map_multiple"],
    [422, "gateway_id"],
    [422, "properties.virtual_fields_map_multiple"],
    [422, "properties.virtual_fields_map_multiple"],
  ]);
});

it("DEV-060 DEV-061 a device of another company is answered like an unknown one", async () => {
  const own = await aDevice("Own");
  const asked = async (id: number) => [
    (await edit(own, sum(id))).text,
    (await edit(own, { concat_device: id })).text,
  ];

  const foreign = await asked(fixture.theirs.device);

  expect(foreign).toEqual(await asked(2_000_000_000));
  expect(foreign[0]).toContain("not_found");
});

it("DEV-060 virtual devices are nested four levels at most", async () => {
  let last = await aDevice("Level 0");
  for (let level = 1; level <= 4; level++) last = await aDevice(`Level ${String(level)}`, sum(last));

  expect((await create("Level 5", sum(last))).attributes).toHaveProperty(
    "properties.virtual_fields_map_multiple",
  );
});

it("DEV-060 a source of a virtual device in use does not go to the trash; together with it, it does", async () => {
  const a = await aDevice("Kept");
  const v = await aDevice("User", sum(a));
  const trash = (ids: number[]) =>
    api.ask(deviceTrash.move, { token, input: { body: { ids, is_deleted: true } } });

  const refused = await trash([a]);

  expect([refused.status, refused.code, refused.msg.includes("User")]).toEqual([
    409,
    "device_is_source",
    true,
  ]);
  expect((await trash([a, v])).status).toBe(200);
  expect((await api.ask(devices.get, { token, input: { params: { id: String(a) } } })).status).toBe(200);
});

it("DEV-061 rows of a device get the columns of a second one, under its name, with its own status; missing stays null", async () => {
  const [own, second] = [await aDevice("Active"), await aDevice("Reactive")];
  await ingest(api.services, [
    ...[1, 2, 3].map((hour) => read(own, hour, 100 + hour)),
    { ...read(second, 1, 7), status: "estimated" },
    read(second, 3, 9),
    read(second, 4, 10),
  ]);
  await edit(own, { concat_device: second });

  const answer = await list(own, "columns");
  const rows = await list(own);

  const columns = "columns" in answer ? answer.columns : {};
  expect(columns).toMatchObject({
    tariff0: [101, 102, 103],
    concat_tariff0: [7, null, 9],
    concat_status: ["estimated", null, "measured"],
    status: ["measured", "measured", "measured"],
  });
  expect(answer.fields_headers.find(({ name }) => name === "concat_tariff0")?.title).toMatch(/^Reactive, /);
  expect("data" in rows ? rows.data.map((row) => Reflect.get(row, "concat_tariff0")) : []).toEqual([
    7,
    null,
    9,
  ]);
  await edit(own, { concat_device: null });
  expect(JSON.stringify(await list(own))).not.toContain("concat_");
});

it("DEV-061 a user tied to the first device only does not see the second", async () => {
  const [own, second] = [await aDevice("Seen"), await aDevice("Hidden")];
  await ingest(api.services, [read(own, 1, 1), read(second, 1, 2)]);
  await edit(own, { concat_device: second });
  const { system } = api.services.database;
  await sql`insert into device_user (device_id, user_id, company_id)
    select ${own}, id, company_id from users where email = 'operator@metrum.example'`.execute(system);

  const { data } = await api.ask(readings.list, {
    token: await api.token("operator@metrum.example"),
    input: { body: { device_id: own, msgType: 100, startDate: start, stopDate: start + 86_400 } },
  });

  expect(JSON.stringify(data)).not.toContain("concat_");
});
