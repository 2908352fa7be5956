import { control, tasks } from "@metrum/contract/headend";
import { commands } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { memberCalls } from "#testing/access/members";

type Rights = "reads" | "updates" | "neither";

let api: TestApi;
let admin: string;
let device: number;
const users = {} as Record<Rights, { readonly id: number; readonly token: string }>;
const member = memberCalls(() => ({ api, admin }));

beforeAll(async () => {
  api = await openTestApi();
  admin = await api.token("engineer@metrum.example");
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Meter', 'command-1') returning id`.execute(
    api.services.database.system,
  );
  device = rows[0]?.id ?? 0;
  users.reads = await member.aUser({ rules: { read: [4] } });
  users.updates = await member.aUser({ rules: { read: [4], update: [4] } });
  users.neither = await member.aUser({ rules: { read: [6], update: [6] } });
});
afterAll(() => api.close());

const command = (who: Rights, management: Record<string, unknown>) =>
  api.ask(control.device, { token: users[who].token, input: { body: { id: device, management } } });
const task = (who: Rights, management: Record<string, unknown>) =>
  api.ask(tasks.create, {
    token: users[who].token,
    input: {
      body: { command_type: "control", title: "T", title_en: "T", device_ids: [device], management },
    },
  });
const answers = async (who: Rights, management: Record<string, unknown>) =>
  (await Promise.all([command(who, management), task(who, management)])).map(({ status, code }) =>
    status === 200 ? "taken" : code,
  );

test("CTRL-100 CTRL-102 an unlisted key counts as changing the device: it needs update on 4, alone and beside one that reads", async () => {
  for (const management of [{ power: 0 }, { no_such_key: 1 }, { now_value: 1, power: 0 }]) {
    expect(await answers("reads", management)).toEqual(["right_missing", "right_missing"]);
    // This release implements none of them: a user with the right gets that answer.
    expect(await answers("updates", management)).toEqual(["command_unsupported", "command_unsupported"]);
  }
});

test("CTRL-100 no command of the vocabulary that changes a device gets through without update on 4", async () => {
  const changing = commands.filter((each) => each.changesDevice);

  expect(changing.length).toBeGreaterThan(25);
  for (const { key } of changing) {
    expect(await answers("reads", { [key]: 1 }), key).toEqual(["right_missing", "right_missing"]);
    const input = { body: { device_ids: [device], management: { [key]: 1 } } };
    expect((await api.ask(control.plan, { token: users.reads.token, input })).code, key).toBe(
      "right_missing",
    );
  }
});

test("a command is accepted with the arguments of its fields in the vocabulary, and no others", async () => {
  for (const management of [{ now_value: 0 }, { read_info: 1 }, { now_value: 1, tariff: {} }])
    expect(await answers("reads", management)).toEqual(["command_unsupported", "command_unsupported"]);
});

test("CTRL-101 keys that only read need read on 4", async () => {
  const management = { now_value: 1, tariff: 1, read_info: true };

  expect(await answers("reads", management)).toEqual(["taken", "taken"]);
  expect(await answers("neither", management)).toEqual(["right_missing", "right_missing"]);
});

test("CTRL-085 every command is in the log with its user, time and values", async () => {
  const management = { now_value: 1, read_info: true };

  const { data } = await command("updates", management);

  const { rows } = await sql<{ user_id: number; age: number; subject: string; after: object }>`
    select user_id, extract(epoch from now() - at)::float8 as age, subject, after from audit
    where action = 'device.control' order by id desc limit 1`.execute(api.services.database.system);
  expect(rows).toMatchObject([
    {
      user_id: users.updates.id,
      subject: `device ${String(device)}`,
      after: { task: data.device_task.id, device_ids: [device], management },
    },
  ]);
  expect(Math.abs(rows[0]?.age ?? Infinity)).toBeLessThan(60);
});

test("CTRL-087 a command for one device and a task for many go through one service, by the id of the device", async () => {
  const management = { tariff: 1, now_value: 1 };

  const single = await command("updates", management);
  const listed = await task("updates", management);

  expect(single.data.device_task).toMatchObject({ device_ids: [device], management });
  expect(listed.data.device_task.id).toBe(single.data.device_task.id);
});
