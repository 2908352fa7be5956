import { users } from "@metrum/contract/access";
import { ties } from "@metrum/contract/accounting";
import { devices, readings } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

let api: TestApi;
let fixture: Fixture;
let admin: string;
let operator: { id: number; token: string };
let second: number;

beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  admin = await api.token("engineer@metrum.example");
  const token = await api.token("operator@metrum.example");
  operator = { id: (await api.ask(users.info, { token })).data.user.id, token };
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Second', 'second-1') returning id`.execute(
    api.services.database.system,
  );
  second = rows[0]?.id ?? 0;
  // Right of the call: read on 4, 1 and 6.
  await sql`update access_group set access_rules = jsonb_set(access_rules, '{read}', '[1, 4, 6]') where name = 'Operators'`.execute(
    api.services.database.system,
  );
});
afterAll(() => api.close());

const tie = (device_id: number, user_ids: number[], token = admin) =>
  api.ask(ties.set, { token, input: { body: { device_id, user_ids } } });
const tied = async (device_id: number, token = admin) =>
  (await api.ask(ties.get, { token, input: { body: { device_id } } })).data.users.map(({ id }) => id);
const seen = async () =>
  (await api.ask(devices.list, { token: operator.token, input: { body: { sort_field: "id" } } })).data
    .metering_devices;

describe("ties of users to a device", () => {
  test("ACL-024 DEV-018 DEV-051 are replaced as a whole, returned and written to the log", async () => {
    const device = fixture.ours.device;
    await tie(device, [operator.id]);
    const first = await tied(device);
    await tie(device, []);

    const { rows } = await sql`select before, after from audit
      where action = 'device.tieUser' and subject = ${`device ${String(device)}`} order by id`.execute(
      api.services.database.system,
    );

    expect(first).toEqual([operator.id]);
    expect(await tied(device)).toEqual([]);
    expect(rows).toEqual([
      { before: { user_ids: [] }, after: { user_ids: [operator.id] } },
      { before: { user_ids: [operator.id] }, after: { user_ids: [] } },
    ]);
  });

  test("ACL-024 need read on 4, 1 and 6, all three", async () => {
    const rulesWith = (read: number[]) =>
      sql`update access_group set access_rules = jsonb_set(access_rules, '{read}', ${JSON.stringify(read)}::jsonb)
        where name = 'Operators'`.execute(api.services.database.system);
    const statuses: number[] = [];

    for (const read of [
      [1, 4],
      [1, 6],
      [4, 6],
      [1, 4, 6],
    ]) {
      await rulesWith(read);
      const token = await api.token("operator@metrum.example");
      statuses.push((await tie(second, [], token)).status);
    }

    expect(statuses).toEqual([403, 403, 403, 200]);
  });

  test("ACL-037 a foreign user or device refuses the whole list and changes nothing", async () => {
    const device = fixture.ours.device;
    await tie(device, [operator.id]);

    const user = await tie(device, [fixture.theirs.user]);
    const other = await tie(fixture.theirs.device, [operator.id]);

    expect([user.status, other.status]).toEqual([404, 404]);
    expect(user.text).toBe(other.text);
    expect(await tied(device)).toEqual([operator.id]);
    await tie(device, []);
  });

  test("ACL-039 ACL-045 apply from the next request: list with its total, device, data, and the ties themselves", async () => {
    const device = fixture.ours.device;
    const before = await seen();
    await tie(device, [operator.id]);
    const after = await seen();
    const { token } = operator;

    const refused = [
      await api.ask(devices.get, { token, input: { params: { id: String(second) } } }),
      await api.ask(readings.list, {
        token,
        input: { body: { device_id: second, startDate: 1_793_491_200, stopDate: 1_793_577_600, msgType: 1 } },
      }),
      await api.ask(devices.switch, {
        token,
        input: { params: { id: String(second) }, body: { is_active: false } },
      }),
      await tie(second, [operator.id], token),
    ];

    expect(before.total).toBe(2);
    expect([after.total, after.data.map(({ id }) => id)]).toEqual([1, [device]]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
    await tie(device, []);
    expect((await seen()).total).toBe(2);
  });

  test("ACL-039 do not restrict users who have access_all on 4", async () => {
    await tie(fixture.ours.device, [operator.id]);
    await sql`update access_group set access_rules = jsonb_set(access_rules, '{access_all}', '[4]') where name = 'Operators'`.execute(
      api.services.database.system,
    );

    await expect.poll(async () => (await seen()).total).toBe(2);

    await sql`update access_group set access_rules = jsonb_set(access_rules, '{access_all}', '[]') where name = 'Operators'`.execute(
      api.services.database.system,
    );
    await expect.poll(async () => (await seen()).total).toBe(1);
    await tie(fixture.ours.device, []);
  });

  test("ACL-036 a user restricted to tied devices cannot untie anyone from the last one", async () => {
    const device = fixture.ours.device;
    await tie(device, [operator.id]);

    const freed = await tie(device, [], operator.token);
    await tie(second, [operator.id]);
    const kept = await tie(device, [], operator.token);

    expect(freed).toMatchObject({ status: 403, code: "right_not_held" });
    expect(kept.status).toBe(200);
    expect((await seen()).data.map(({ id }) => id)).toEqual([second]);
  });
});
