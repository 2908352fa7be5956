import { ownSessions } from "@metrum/contract/access";
import type { Call } from "@metrum/contract/core";
import { control, tasks, taskStates } from "@metrum/contract/headend";
import { gateways } from "@metrum/contract/metering";
import { commands as allCommands } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Actuator } from "#testing/actuator";
import { openTestCommands, type TestCommands } from "#testing/commands";
import { memberCalls } from "#testing/access/members";
import { until } from "#testing/until";
import { startCommands } from "./execution/rounds.ts";

type Rules = Parameters<ReturnType<typeof memberCalls>["aUser"]>[0]["rules"];

let commands: TestCommands;
let admin: string;
let device: { readonly id: number; readonly actuator: Actuator };
let gateway: number;
let aUser: ReturnType<typeof memberCalls>["aUser"];

beforeAll(async () => {
  commands = await openTestCommands(startCommands);
  const { api } = commands;
  admin = await api.token("engineer@metrum.example");
  ({ aUser } = memberCalls(() => ({ api, admin })));
  device = await commands.aDevice();
  const { rows } = await sql<{ id: number }>`
    insert into gateway (company_id, model_id, interface_id, name, device_id)
    values (${api.companies.first}, 622, 10, 'Router', 'gw-rights') returning id`.execute(system());
  gateway = rows[0]?.id ?? 0;
});
beforeEach(async () => {
  await commands.forget();
  // Limits of the minutes before are over.
  commands.clock.ahead += 3_600;
  admin = await commands.api.token("engineer@metrum.example");
});
afterAll(() => commands.stop());

const system = () => commands.api.services.database.system;

async function storedCommands(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device_command`.execute(
    system(),
  );
  return rows[0]?.count ?? 0;
}

interface Way {
  readonly call: Call;
  readonly body: object;
}

/** Every call that takes a management object, for a device or a gateway. */
const waysOf = (id: number, management: Record<string, unknown>): readonly Way[] => [
  { call: control.device, body: { id, management } },
  { call: control.plan, body: { device_ids: [id], management } },
  { call: tasks.create, body: { command_type: "control", title: "Walk", device_ids: [id], management } },
];

async function answersTo(token: string, ways: readonly Way[]): Promise<number[]> {
  const answers: number[] = [];
  for (const { call, body } of ways) {
    const { status } = await commands.api.ask(call, { token, input: { body } });
    answers.push(status);
  }
  return answers;
}

/** Everything on module 4 but the right to update. */
const withoutUpdate = { read: [4], create: [4], delete: [4], access_all: [4] };
const refused = (ways: readonly Way[]): number[] => ways.map(() => 403);

describe("ACL-010 without update on 4 no key that changes a device gets through", () => {
  const changing = allCommands.filter(({ changesDevice }) => changesDevice).map(({ key }) => key);

  test("CTRL-100 CTRL-102 by any call: every changing key of the vocabulary, unknown keys, and either beside one that reads", async () => {
    const { token } = await aUser({ rules: withoutUpdate });
    const before = await storedCommands();
    const asked = [
      ...changing.map((key) => ({ [key]: 1 })),
      { explode: 1 },
      { now_value: 1, power: 0 },
      { relay_state: 1, explode: 1 },
    ];

    for (const management of asked) {
      const ways = waysOf(device.id, management);
      expect([management, await answersTo(token, ways)]).toEqual([management, refused(ways)]);
    }
    const ofGateway = waysOf(gateway, { reset: 1 });
    expect(await answersTo(token, ofGateway)).toEqual(refused(ofGateway));
    expect(await storedCommands()).toBe(before);
    expect(device.actuator.requests).toBe(0);
  });

  test("in bulk: by the filter of a list, by a group, or as a request for readings", async () => {
    const { token } = await aUser({ rules: withoutUpdate });
    const before = await storedCommands();
    const task = { command_type: "control", title: "Bulk", management: { power: 0 } };
    const { rows } = await sql<{ id: number }>`
      insert into poll_group (company_id, name, model_id, connection_type, device_interface_id, report_period_update,
        warning_report_period, created_at)
      values (${commands.api.companies.first}, 'Walk', 101, 'polled', 4, 3600, 7200, 1) returning id`.execute(
      system(),
    );
    await sql`insert into poll_group_device (company_id, group_id, device_id)
      values (${commands.api.companies.first}, ${rows[0]?.id ?? 0}, ${device.id})`.execute(system());
    const ways = [
      { call: tasks.create, body: { ...task, filter: { ids: [device.id] } } },
      { call: tasks.create, body: { ...task, poll_group_id: rows[0]?.id ?? 0 } },
      { call: control.plan, body: { management: { power: 0 }, filter: { ids: [device.id] } } },
    ];

    expect(await answersTo(token, ways)).toEqual(refused(ways));
    await answersTo(token, [
      { call: tasks.create, body: { ...task, command_type: "poll", device_ids: [device.id] } },
    ]);
    expect(await storedCommands()).toBe(before);
  });

  test("by repeating what another user has requested", async () => {
    const { token } = await aUser({ rules: withoutUpdate });
    device.actuator.manner = "refuses";
    const { data } = await commands.send(admin, device.id, { power: 0 });
    await commands.ended(admin, device.id);
    device.actuator.manner = "obeys";
    const before = await storedCommands();

    const ways = [{ call: tasks.repeat, body: { device_task_id: data.device_task.id } }];

    expect(await answersTo(token, ways)).toEqual([403]);
    expect(await storedCommands()).toBe(before);
  });

  test("with an API token, under which a user has no more rights than without", async () => {
    const { email } = await aUser({ rules: withoutUpdate });
    await sql`update users set password_hash = (select password_hash from users where email = 'engineer@metrum.example')
      where email = ${email}`.execute(system());
    const { data } = await commands.api.ask(ownSessions.createToken, {
      token: await commands.api.token(email),
      input: { body: { name: "Script", days: 1, current_password: "Metrum!2026" } },
    });
    const ways = waysOf(device.id, { power: 0 });

    expect(await answersTo(data.access_token, ways)).toEqual(refused(ways));
    expect((await commands.send(data.access_token, device.id, { relay_state: 1 })).status).toBe(200);
  });
});

describe("ACL-010 with update on 4", () => {
  const updating: Rules = { read: [4], update: [4] };

  test("ACL-035 devices and gateways are controlled, whatever else a user may do: no other role decides", async () => {
    const { token } = await aUser({ rules: updating });
    const others = await aUser({
      rules: { read: [1, 4, 5, 6, 8], update: [1, 5, 6, 8], access_all: [1, 5, 6, 8] },
    });

    const own = await commands.send(token, device.id, { power: 1 });
    const ofGateway = await commands.api.ask(control.plan, {
      token,
      input: { body: { device_ids: [gateway], management: { reset: 1 } } },
    });
    const ofOthers = await commands.send(others.token, device.id, { power: 0 });

    expect([own.status, ofGateway.data.plan.able_count, ofOthers.status]).toEqual([200, 1, 403]);
    expect((await commands.ended(admin, device.id)).state).toBe("done");
  });

  test("only commands that the model offers: the others are refused before anything is stored", async () => {
    const { token } = await aUser({ rules: updating });
    const before = await storedCommands();

    const ofDevice = await commands.send(token, device.id, { valve: 0 });
    const { data } = await commands.api.ask(gateways.get, {
      token,
      input: { params: { id: String(gateway) } },
    });
    const ofGateway = await commands.send(token, gateway, { power: 0 });

    expect([ofDevice.code, ofGateway.code]).toEqual(["command_unsupported", "command_unsupported"]);
    expect(data.gateway.status).toEqual({});
    expect(await storedCommands()).toBe(before);
  });

  test("a user tied to devices controls those alone, and no gateway", async () => {
    const { id, token } = await aUser({ rules: updating });
    const own = await commands.aDevice();
    await sql`update device set gateway_id = ${gateway} where id = ${own.id}`.execute(system());
    await sql`insert into device_user (company_id, device_id, user_id)
      values (${commands.api.companies.first}, ${own.id}, ${id})`.execute(system());

    const ofGateway = await commands.send(token, gateway, { reset: 1 });
    const foreign = await commands.send(token, device.id, { relay_state: 1 });
    await sql`update device set gateway_id = null where id = ${own.id}`.execute(system());
    const hidden = await commands.send(token, gateway, { reset: 1 });
    const allowed = await commands.send(token, own.id, { relay_state: 1 });

    expect([ofGateway.code, foreign.status, hidden.status, allowed.status]).toEqual([
      "tied_devices_only",
      404,
      404,
      200,
    ]);
  });
});

test("CTRL-081 a bulk command tells each device its outcome, and is repeated only where nothing was carried out", async () => {
  const four = [
    await commands.aDevice(),
    await commands.aDevice(),
    await commands.aDevice(),
    await commands.aDevice(),
  ];
  const [obeying, refusing, mute, silent] = four;
  if (!obeying || !refusing || !mute || !silent) throw new Error("four devices");
  refusing.actuator.manner = "refuses";
  mute.actuator.manner = "mute";
  silent.actuator.manner = "deaf";
  const { api } = commands;
  const { data } = await api.ask(tasks.create, {
    token: admin,
    input: {
      body: {
        command_type: "control",
        title: "Seal",
        device_ids: four.map(({ id }) => id),
        management: { set_plomb: 1 },
      },
    },
  });
  const device_task_id = data.device_task.id;

  const results = await until(async () => {
    const found = await api.ask(tasks.results, { token: admin, input: { body: { device_task_id } } });
    return found.data.counts.waiting === 0 && found.data.results.data;
  });
  const outcome = ({ id }: { id: number }) => results.find(({ device_id }) => device_id === id)?.status_id;
  expect([obeying, refusing, mute, silent].map(outcome)).toEqual(
    (["done", "failed", "unknown", "unknown"] as const).map((state) => taskStates[state].id),
  );
  refusing.actuator.manner = "obeys";
  // The same again within five seconds is a double click.
  commands.clock.ahead += 60;
  const repeat = await api.ask(tasks.repeat, { token: admin, input: { body: { device_task_id } } });
  expect(repeat.data.device_task.device_ids).toEqual([refusing.id]);
  await commands.ended(admin, refusing.id);
  expect([obeying, refusing, mute].map(({ actuator }) => actuator.done)).toEqual([[7], [7], [7]]);
});
