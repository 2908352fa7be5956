import { attributeBounds, attributes, deviceLog, deviceTrash } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

let api: TestApi;
let fixture: Fixture;
let token: string;
let device_id: number;
beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  token = await api.token("engineer@metrum.example");
  device_id = fixture.ours.device;
});
afterAll(() => api.close());

const add = (name: string, value: string, device = device_id) =>
  api.ask(attributes.add, { token, input: { body: { device_id: device, name, value } } });
const ofDevice = async (device = device_id) =>
  (await api.ask(attributes.ofDevice, { token, input: { body: { device_id: device } } })).data.attributes;

it("DEV-045 DEV-016 an attribute is added to a device and listed with it, once by its name", async () => {
  const first = await add(" Feeder ", " 4 ");
  const again = await add("Feeder", "5");

  expect([first.status, again.status, again.code]).toEqual([200, 409, "attribute_taken"]);
  expect(Object.keys(again.attributes)).toEqual(["name"]);
  expect(await ofDevice()).toEqual([{ name: "Feeder", value: "4" }]);
});

it("DEV-046 an attribute is updated, only if the device has it", async () => {
  const update = (name: string, value: string) =>
    api.ask(attributes.update, { token, input: { body: { device_id, name, value } } });

  const known = await update("Feeder", "6");
  const unknown = await update("Year", "2019");

  expect([known.status, unknown.code]).toEqual([200, "not_found"]);
  expect(await ofDevice()).toEqual([{ name: "Feeder", value: "6" }]);
});

it("DEV-019 ACL-017 changes are in the log of the device, of which only administrators see addresses", async () => {
  const log = async (email: string, body = {}) =>
    (
      await api.ask(deviceLog.read, {
        token: await api.token(email),
        language: "en",
        input: { body: { device_id, ...body } },
      })
    ).data;

  const { log: rows, total } = await log("engineer@metrum.example");
  const viewed = await log("operator@metrum.example", { per_page: 10 });
  const early = await log("operator@metrum.example", { stop_date: 1000 });

  expect(rows.map(({ action_title, before, after }) => [action_title, before, after])).toEqual([
    ["Changing an attribute of a device", { Feeder: "4" }, { Feeder: "6" }],
    ["Changing an attribute of a device", null, { Feeder: "4" }],
  ]);
  expect(rows[0]).toMatchObject({
    user_name: "Engineer",
    object_id: String(device_id),
    ip_address: "127.0.0.1",
  });
  expect(viewed).toMatchObject({ total, per_page: 10, last_page: 1 });
  expect(viewed.log.map(({ ip_address }) => ip_address)).toEqual([null, null]);
  expect(early).toMatchObject({ log: [], total: 0 });
});

it("DEV-048 DEV-067 values, names and models of the attributes in use are those of the own company, without the trash", async () => {
  const { system } = api.services.database;
  await sql`insert into device_attribute (company_id, device_id, name, value)
    values (${api.companies.second}, ${fixture.theirs.device}, 'Secret', 'x'), (${api.companies.first}, ${fixture.ours.trashedDevice}, 'Feeder', '9')`.execute(
    system,
  );
  const values = async (search_string?: string) =>
    (
      await api.ask(attributes.values, {
        token,
        input: { body: { name: "Feeder", ...(search_string ? { search_string } : {}) } },
      })
    ).data.values;

  expect(await values()).toEqual(["6"]);
  expect(await values("7")).toEqual([]);
  const { data } = await api.ask(attributes.catalogue, { token });
  expect(data.attributes).toEqual([{ name: "Feeder", value: "6", device_count: 1 }]);
  const ofModels = await api.ask(attributes.ofModels, { token: await api.token("norights@metrum.example") });
  expect(ofModels.data.attributes).toMatchObject([{ name: "Feeder", value: "" }]);
  expect(ofModels.data.attributes[0]?.model_ids).toHaveLength(1);
  await api.ask(deviceTrash.restore, {
    token,
    input: { params: { id: String(fixture.ours.trashedDevice) } },
  });
  expect(await values()).toEqual(["6", "9"]);
});

it("DEV-047 an attribute is deleted; deleting it again is answered with not found", async () => {
  const remove = () => api.ask(attributes.delete, { token, input: { body: { device_id, name: "Feeder" } } });

  const answers = [await remove(), await remove()];

  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  expect(await ofDevice()).toEqual([]);
});

it("a device has a hundred attributes at most, also when the last two are added at once", async () => {
  await sql`insert into device_attribute (company_id, device_id, name, value)
    select ${api.companies.first}, ${device_id}, 'a' || n, '' from generate_series(2, ${attributeBounds.perDevice}) n`.execute(
    api.services.database.system,
  );

  const codes = (await Promise.all([add("last", "1"), add("one more", "1")])).map(({ code }) => code);

  expect(codes).toContain("attribute_limit");
  expect(await ofDevice()).toHaveLength(attributeBounds.perDevice);
});

it("ACL-017 changing attributes needs update on 4", async () => {
  const viewer = await api.token("viewer@metrum.example");
  const body = { device_id, name: "Feeder", value: "1" };

  const codes = [
    (await api.ask(attributes.add, { token: viewer, input: { body } })).code,
    (await api.ask(attributes.update, { token: viewer, input: { body } })).code,
    (await api.ask(attributes.delete, { token: viewer, input: { body } })).code,
  ];

  expect(new Set(codes)).toEqual(new Set(["right_missing"]));
  const operator = await api.token("operator@metrum.example");
  expect(
    (await api.ask(attributes.delete, { token: operator, input: { body: { device_id, name: "a2" } } }))
      .status,
  ).toBe(200);
});
