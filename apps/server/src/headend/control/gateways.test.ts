import { control, tasks, taskStates, type DeviceCommand } from "@metrum/contract/headend";
import { gateways } from "@metrum/contract/metering";
import { startPark, type Faults, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Stop } from "#core";
import type { Dialogue } from "#headend/dialogue";
import type { TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { registerActuator } from "#testing/actuator";
import { askedTarget, lineOf } from "#headend/exchanges";
import { openTestDialogue } from "#testing/dialogue";
import { placeConverters, registerPark } from "#testing/park";
import { until } from "#testing/until";
import { startCommands } from "./execution/rounds.ts";

const [router, modem] = [622, 624] as const;
const planned = (modelId: number) => ({
  key: String(modelId),
  modelId,
  name: `Gateway ${String(modelId)}`,
  place: "",
  deviceID: `gw-${String(modelId)}`,
  port: 0,
  controlPort: 0,
});
const plan: Plan = { baseStations: [], devices: [], gateways: [planned(router), planned(modem)] };
/** Of the company, in Ulaanbaatar. */
const utcOffsetSec = 8 * 3600;

const clock = movableClock();
const faults: Partial<Faults> = { delayMs: [1, 5], lateMs: 8_000 };
let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let token: string;
let stopCommands: Stop;
const ids = new Map<number, number>();

beforeAll(async () => {
  ({ api, dialogue } = await openTestDialogue({ clock, env: { METRUM_OUTGOING_HOSTS: "127.0.0.1" } }));
  await registerPark(api.services.database, api.companies.first, plan);
  park = await startPark(plan, {
    host: "127.0.0.1",
    ports: { modem: 0 },
    faults,
    now: () => clock.nowMs() / 1000,
    utcOffsetSec,
  });
  await placeConverters(api.services.database, plan, park);
  const { rows } = await sql<{ id: number; model: number }>`
    select id, model_id as model from gateway where device_id like 'gw-%'`.execute(system());
  for (const { id, model } of rows) ids.set(model, id);
  stopCommands = startCommands(api.services);
});
beforeEach(async () => {
  Object.assign(faults, { refuse: 0, lie: 0, late: 0 });
  // Limits of the minutes before are over.
  clock.ahead += 3_600;
  token = await api.token("engineer@metrum.example");
});
afterEach(async () => {
  await sql`update device_command set state = 'cancelled', follow_at = null
    where state in ('queued', 'sending') or follow_at is not null`.execute(system());
});
afterAll(async () => {
  await stopCommands();
  await dialogue.stop();
  await park.stop();
  await api.close();
});

const system = () => api.services.database.system;
const idOf = (modelId: number): number => ids.get(modelId) ?? 0;
const send = (id: number, management: Record<string, unknown>, as = token) =>
  api.ask(control.device, { token: as, language: "en", input: { body: { id, management } } });

async function last(id: number): Promise<DeviceCommand | undefined> {
  const { data } = await api.ask(control.list, { token, input: { body: { device_id: id } } });
  return data.commands.data[0];
}
async function carriedOut(modelId: number, management: Record<string, unknown>): Promise<DeviceCommand> {
  const { status, text } = await send(idOf(modelId), management);
  if (status !== 200) throw new Error(text);
  return until(async () => {
    const found = await last(idOf(modelId));
    return found !== undefined && !["queued", "sending"].includes(found.state) && found;
  });
}
const executed = (modelId: number) =>
  park.controls
    .get(String(modelId))
    ?.log.filter(({ did }) => did === "obey")
    .map(({ order }) => order) ?? [];

const opened = async (modelId: number) =>
  (await api.ask(gateways.get, { token, input: { params: { id: String(idOf(modelId)) } } })).data.gateway;

describe("a gateway gets commands as a device does (X-67)", () => {
  test("GWCTRL-001 is restarted, once, over its own port, and the audit log names it", async () => {
    const done = await carriedOut(router, { reset: 1 });

    expect(done).toMatchObject({ state: "done", attempts: 1, device_id: idOf(router) });
    expect(executed(router)).toEqual([{ kind: "restart" }]);
    const { rows } = await sql`select 1 from audit
      where action = 'device.control' and subject = ${`gateway ${String(idOf(router))}`}`.execute(system());
    expect(rows).toHaveLength(1);
  });

  test("GWCTRL-007 GWCTRL-008 GWCTRL-011 an output is set with out and duration; without them nothing is sent", async () => {
    const refused = await Promise.all(
      [
        { setout: 1 },
        { setout: 1, duration: 5 },
        { setout: 2, out: 1 },
        { setout: 1, out: 1, duration: 256 },
        { setout: 1, out: 1, duration: -1 },
      ].map(async (management) => (await send(idOf(router), management)).code),
    );
    const before = executed(router).length;
    const done = await carriedOut(router, { setout: 1, out: 1, duration: 0 });

    expect(new Set(refused)).toEqual(new Set(["command_unsupported"]));
    expect(done).toMatchObject({ state: "done", management: { setout: 1, out: 1, duration: 0 } });
    expect(executed(router).slice(before)).toEqual([{ kind: "output", number: 1, isOn: true, seconds: 0 }]);
  });

  test("GWCTRL-002 GWCTRL-016 tells its parameters one by one, and switches its data transfer on", async () => {
    await carriedOut(router, { signal_level: 1 });
    await carriedOut(router, { board_temperature: 1 });
    const before = executed(router).length;
    await carriedOut(router, { mts_activate: 1 });

    const { status } = await opened(router);
    expect(status).toMatchObject({ gateway_settings: { signal_level: -71, board_temperature: 38.5 } });
    expect(executed(router).slice(before)).toEqual([{ kind: "set", name: "mobile_data", value: true }]);
  });

  test("GWCTRL-012 GWCTRL-013 GWCTRL-014 its clock is read, set and corrected", async () => {
    const now = clock.now();
    const local = new Date((now + utcOffsetSec + 600) * 1000).toISOString().slice(0, 19).replace("T", " ");

    const read = await carriedOut(modem, { get_datetime: 1 });
    const set = await carriedOut(modem, { time_set: local });
    const corrected = await carriedOut(modem, { time_correct: 25 });

    expect([read.state, set.state, corrected.state]).toEqual(["done", "done", "done"]);
    expect(Math.abs(Number(read.after?.["device_time"]) - now)).toBeLessThan(60);
    expect(Math.abs(Number(set.after?.["device_time"]) - now - 600)).toBeLessThan(60);
    expect(executed(modem).map(({ kind }) => kind)).toEqual(["clock", "clock"]);
    expect((await opened(modem)).status).toMatchObject({ device_time: corrected.after?.["device_time"] });
  });

  test("one that refuses has failed; one that lies about its clock is never done", async () => {
    faults.refuse = 1;
    const refused = await carriedOut(router, { reset: 1 });
    Object.assign(faults, { refuse: 0, lie: 1 });
    const before = executed(modem).length;
    const lied = await carriedOut(modem, { time_correct: 29 });

    expect(refused.state).toBe("failed");
    expect(lied.state).toBe("failed");
    expect(executed(modem)).toHaveLength(before);
  });

  test("one whose answer is late leaves the outcome unknown, and is restarted once", async () => {
    faults.late = 1;
    const before = executed(router).length;

    const late = await carriedOut(router, { reset: 1 });

    expect(late).toMatchObject({ state: "unknown", attempts: 1 });
    expect(executed(router)).toHaveLength(before + 1);
  });
});

describe("a request to gateways", () => {
  test("GWCTRL-003 GWCTRL-017 is refused for commands that its model does not have", async () => {
    const { rows } = await sql<{ id: number }>`
      insert into gateway (company_id, model_id, interface_id, name, device_id)
      values (${api.companies.first}, 601, 10, 'Old modem', 'gw-old') returning id`.execute(system());
    const old = rows[0]?.id ?? 0;

    const codes = [
      (await send(old, { reset: 1 })).code,
      (await send(idOf(router), { bytes: "0102" })).code,
      (await send(idOf(modem), { power: 0 })).code,
    ];

    expect(codes).toEqual(["command_unsupported", "command_unsupported", "command_unsupported"]);
  });

  test("CTRL-081 plans and sends one for many, with the name of each in its results", async () => {
    const device_ids = [idOf(router), idOf(modem)];
    const body = { management: { signal_level: 1 }, device_ids };
    const { data } = await api.ask(control.plan, {
      token,
      input: { body: { ...body, management: { uptime: 1 } } },
    });
    const created = await api.ask(tasks.create, {
      token,
      input: { body: { ...body, command_type: "control", title: "Signal" } },
    });
    const taskId = created.data.device_task.id;

    const results = await until(async () => {
      const { data: found } = await api.ask(tasks.results, {
        token,
        input: { body: { device_task_id: taskId } },
      });
      return found.counts.done === 2 && found.results.data;
    });
    expect(data.plan).toMatchObject({
      device_count: 2,
      able_count: 1,
      unable: [{ device_id: idOf(modem), reason: "model" }],
    });
    expect(results.map(({ device_name, status_id }) => [device_name, status_id]).sort()).toEqual([
      ["Gateway 622", taskStates.done.id],
      ["Gateway 624", taskStates.done.id],
    ]);
  });

  test("never mixes them with devices, and never reaches those of another company", async () => {
    const { rows } = await sql<{ id: number; company: number }>`
      insert into gateway (company_id, model_id, interface_id, name, device_id, host, port, is_line_entered)
      values (${api.companies.second}, 622, 10, 'Theirs', 'gw-theirs', '127.0.0.1', 4001, true) returning id`.execute(
      system(),
    );
    const theirs = rows[0]?.id ?? 0;

    const device = await registerActuator(api, { port: 9 });

    const foreign = await send(theirs, { reset: 1 });
    const mixed = await api.ask(control.plan, {
      token,
      input: { body: { management: { reset: 1 }, device_ids: [idOf(router), device] } },
    });

    expect([foreign.status, mixed.status]).toEqual([404, 404]);
  });

  test("a control port that a user has entered makes the address an entered one, whoever has set the host", async () => {
    const { rows } = await sql<{ id: number }>`
      insert into gateway (company_id, model_id, interface_id, name, device_id, host, port)
      values (${api.companies.first}, 622, 10, 'Set', 'gw-set', '127.0.0.2', 4001) returning id`.execute(
      system(),
    );
    const id = rows[0]?.id ?? 0;
    const target = async () => {
      const found = await askedTarget(system(), id);
      return found && lineOf(found)?.tcp;
    };
    const change = (control_port: number | null) =>
      api.ask(gateways.edit, { token, input: { body: { id, control_port } } });

    expect(await target()).toMatchObject({ port: 502, isEntered: false });
    expect((await change(502)).status).toBe(200);
    expect(await target()).toMatchObject({ port: 502, isEntered: false });
    const refused = await change(5432);
    expect([refused.status, Object.keys(refused.attributes)]).toEqual([422, ["control_port"]]);
    await sql`update gateway set control_port = 5432 where id = ${id}`.execute(system());
    expect(await target()).toMatchObject({ port: 5432, isEntered: true });
    await sql`update gateway set control_port = null, host = '93.184.216.34' where id = ${id}`.execute(
      system(),
    );
    expect((await change(5020)).status).toBe(200);
    expect(await target()).toMatchObject({ host: "93.184.216.34", port: 5020, isEntered: true });
    // The operator has put gateways of two companies behind one converter.
    await sql`insert into gateway (company_id, model_id, interface_id, name, device_id, host, port)
      values (${api.companies.second}, 622, 10, 'Beside', 'gw-beside', '93.184.216.34', 4002)`.execute(
      system(),
    );
    expect(await target()).toBeUndefined();
  });

  test("never reaches the control of a gateway that another company has entered before", async () => {
    const add = async (company: number, deviceID: string) => {
      const { rows } = await sql<{ id: number }>`
        insert into gateway (company_id, model_id, interface_id, name, device_id, host, port, is_line_entered)
        values (${company}, 622, 10, ${deviceID}, ${deviceID}, 'router.example.com', ${5_000 + company}, true) returning id`.execute(
        system(),
      );
      return rows[0]?.id ?? 0;
    };
    const theirs = await askedTarget(system(), await add(api.companies.second, "gw-first"));
    const ours = await askedTarget(system(), await add(api.companies.first, "gw-second"));

    expect(theirs && lineOf(theirs)?.key).toBe("tcp:router.example.com:502");
    expect(ours && lineOf(ours)).toBeUndefined();
  });
});
