import { once } from "node:events";
import { connect } from "node:net";
import { modelById } from "@metrum/catalogue";
import { adminBroker, inbox, polledFields } from "@metrum/contract/headend";
import { readings } from "@metrum/contract/metering";
import { demoPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enterPresence, freeProcesses } from "#headend/channels";
import type { Dialogue } from "#headend/dialogue";
import { startPlanner } from "../polling/planner.ts";
import type { TestApi } from "#testing/api";
import { openTestDialogue } from "#testing/dialogue";
import { registerPark } from "#testing/park";
import { until } from "#testing/until";

const demo = demoPlan(5);
/** A three-phase meter behind a registered modem, and one behind an unregistered one. */
const [ours, theirs] = demo.devices
  .filter(({ modelId, gateway }) => modelId === 101 && gateway !== undefined)
  .reduce<typeof demo.devices>(
    (found, each) => (found.some(({ gateway }) => gateway === each.gateway) ? found : [...found, each]),
    [],
  );
if (!ours || !theirs) throw new Error("the demonstration has too few modems");
const planOf = (device: typeof ours, insideAddr = device.insideAddr): Plan => ({
  baseStations: [],
  devices: [{ ...device, insideAddr }],
  gateways: demo.gateways.filter(({ key }) => key === device.gateway),
});
const oursPlan = planOf(ours);
const theirsPlan = planOf(theirs, "1");
const imeiOf = (plan: Plan): string => plan.gateways[0]?.deviceID ?? "";

const staff = "admin@metrum.example";
const engineer = "engineer@metrum.example";

let api: TestApi;
let dialogue: Dialogue;
let parks: Park[];
let stopPlanner: () => Promise<void>;
let token: string;
let port: number;

beforeAll(async () => {
  ({ api, dialogue, modemPort: port } = await openTestDialogue());
  const { services } = api;
  await registerPark(services.database, api.companies.first, oursPlan);
  parks = await Promise.all([oursPlan, theirsPlan].map(startModem));
  token = await api.token(staff);
  stopPlanner = startPlanner(services);
});
afterAll(async () => {
  await stopPlanner();
  await dialogue.stop();
  await Promise.all(parks.map((each) => each.stop()));
  await api.close();
});

const startModem = (plan: Plan): Promise<Park> =>
  startPark(plan, { host: "127.0.0.1", ports: { modem: port }, faults: { delayMs: [1, 5] } });

async function rowOf(imei: string, isOnline = true) {
  return until(async () => {
    const { data } = await api.ask(adminBroker.connectedGateways, { token, input: { body: {} } });
    return data.find(({ device_id, connect_status }) => device_id === imei && connect_status === isOnline);
  });
}

const poll = (imei: string, language = "en") =>
  api.ask(adminBroker.requestData, { token, language, input: { body: { port, imei } } });

describe("the broker as shown to staff", () => {
  test("PADMIN-026, PADMIN-027: ports are a map from title to id, by GET and by POST", async () => {
    const { data } = await api.ask(adminBroker.ports, { token });
    const alias = await api.fastify.inject({
      method: "POST",
      url: "/api/admin/broker/list/ports",
      headers: { authorization: `Bearer ${token}` },
    });

    expect(data).toEqual({ [`${String(port)} imei`]: port });
    expect(alias.json<{ data: unknown }>().data).toEqual(data);
  });

  test("PADMIN-026, PADMIN-028: connected modems are an array of all rows, online or not as a boolean", async () => {
    const row = await rowOf(imeiOf(oursPlan));

    expect(row).toMatchObject({
      broker_port: port,
      ip_address: "127.0.0.1",
      connect_status: true,
      end_device_type: modelById(101)?.title,
      is_known: true,
    });
    expect(Math.abs(row.last_date - Date.now() / 1000)).toBeLessThan(60);
    expect((await rowOf(imeiOf(theirsPlan))).is_known).toBe(false);
  });

  test("signal, type and firmware are stored for each modem whenever reported; without a report they are empty", async () => {
    const imei = "004401959999990";
    const modem = connect({ host: "127.0.0.1", port });
    await once(modem, "connect");
    modem.write(`${imei};TYPE=ATM21;VER=2.13;RSSI=-71`);

    const first = await rowOf(imei);
    modem.write("\r\n+CSQ: 14,0\r\n");
    const later = await until(async () => {
      const row = await rowOf(imei);
      return row.rssi === first.rssi ? undefined : row;
    });
    modem.destroy();

    expect(first).toMatchObject({ modem_type: "ATM21 2.13", rssi: -71, end_device_version: null });
    expect(later).toMatchObject({ modem_type: "ATM21 2.13", rssi: -85 });
    expect(await rowOf(imeiOf(theirsPlan))).toMatchObject({ modem_type: null, rssi: null });
    expect(await rowOf(imei, false), "as it was last").toMatchObject({ rssi: -85 });
  });

  test("modems can be filtered by port", async () => {
    const { data } = await api.ask(adminBroker.connectedGateways, {
      token,
      input: { body: { ports: [port === 65_535 ? 1 : port + 1] } },
    });

    expect(data).toEqual([]);
  });

  test("PADMIN-025: only staff may make these calls", async () => {
    const foreign = await api.token(engineer);

    const answers = await Promise.all([
      api.ask(adminBroker.ports, { token: foreign }),
      api.ask(adminBroker.connectedGateways, { token: foreign, input: { body: {} } }),
      api.ask(adminBroker.requestData, { token: foreign, input: { body: { port, imei: "1" } } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe("a poll by staff", () => {
  test("PADMIN-015, PADMIN-016: a known gateway answers with its first meter; nothing is stored but the exchange", async () => {
    await rowOf(imeiOf(oursPlan));

    const { data } = await poll(imeiOf(oursPlan));

    expect(data).toMatchObject({ result: true, error: "" });
    expect(data.answer).toMatchObject({ model: modelById(101)?.title, serial_number: ours.deviceID });
    // A meter without tariffs has one counter, which counts as that of the first tariff.
    for (const name of polledFields) expect(data.answer[name], name).toBeTypeOf("number");
    expect(data.answer.voltage3).toBeGreaterThan(200);
    expect(data.answer.datetime, "the meter has no clock").toBeUndefined();
  });

  test("for an unknown modem the possible models are tried until one returns a valid answer", async () => {
    await rowOf(imeiOf(theirsPlan));

    const { data } = await poll(imeiOf(theirsPlan));

    expect(data).toMatchObject({ result: true, error: "" });
    expect(data.answer.voltage1).toBeGreaterThan(200);
    expect(data.answer.serial_number).toBeUndefined();
    const { data: found } = await api.ask(inbox.list, { token });
    expect(found.inbox.find(({ identity }) => identity === imeiOf(theirsPlan))?.model_id).toBe(101);
  });

  test("PADMIN-013: a modem that is not connected is reported in the language of the interface", async () => {
    const english = await poll("004401959999999");
    const russian = await poll("004401959999999", "ru");

    expect(english.status).toBe(200);
    expect(english.data).toEqual({ answer: {}, result: false, error: "The line is down" });
    expect(russian.data.error).toBe("Нет связи с линией");
  });

  test("every poll is in the audit log of the caller", async () => {
    await poll("004401959999998");

    const { rows } = await sql`select from audit where action = 'modem.poll'
      and subject = ${`modem ${String(port)}/004401959999998`} and user_id is not null`.execute(
      api.services.database.system,
    );
    expect(rows).toHaveLength(1);
  });

  test("PADMIN-017: the directory has a title for every value of a poll", async () => {
    const { data } = await api.ask(readings.fieldTitles, { token });

    const titled = new Map(data.fields.map((field) => [field.name, field]));
    const wanted = ["model", "serial_number", "datetime", "tariff1", "voltage1", "voltage2", "voltage3"];
    expect([...wanted, "current1", "current2", "current3"].filter((name) => !titled.has(name))).toEqual([]);
    expect(data.fields.find(({ name }) => name === "voltage1")?.unit.title).not.toBe("");
  });
});

describe("the inbox of unknown callers", () => {
  test("a company does not see unregistered modems", async () => {
    const { data } = await api.ask(inbox.list, { token: await api.token(engineer) });

    expect(data.inbox.filter(({ kind }) => kind === "modem")).toEqual([]);
  });

  test("DEV-057: an identifier in use is refused, and the device that has it is named", async () => {
    const { status, code, msg } = await api.ask(inbox.create, {
      token: await api.token(engineer),
      language: "en",
      input: {
        body: { kind: "device", identity: ours.deviceID.toUpperCase(), name: "Twin", model_id: 301 },
      },
    });

    expect([status, code]).toEqual([409, "identifier_taken"]);
    expect(msg).toContain(ours.name);
  });

  test("the gateway of another company is named to staff only", async () => {
    const body = { kind: "modem" as const, identity: imeiOf(oursPlan), name: "Mine", model_id: 601 };

    const foreign = await api.ask(inbox.create, {
      token: await api.token("engineer2@metrum.example"),
      language: "en",
      input: { body },
    });
    const taken = await api.ask(inbox.create, { token, language: "en", input: { body } });

    expect([foreign.code, taken.code]).toEqual(["identifier_taken", "identifier_taken"]);
    expect(foreign.msg).not.toContain(oursPlan.gateways[0]?.name ?? "");
    expect(taken.msg).toContain(oursPlan.gateways[0]?.name ?? "");
  });

  test("an unknown device of a network is visible to its company only, and is not listed once it is registered", async () => {
    await sql`insert into uplink_aside (company_id, received_at, topic, payload, reason, network_id)
      values (${api.companies.first}, 1795000000, 'application/1/device/70b3d5/event/up', '', 'unknown device', '70b3d5'),
        (${api.companies.first}, 1795000060, 'application/1/device/70b3d5/event/up', '', 'unknown device', '70b3d5')`.execute(
      api.services.database.system,
    );
    const own = await api.token(engineer);
    const sees = async (of: string) =>
      (await api.ask(inbox.list, { token: of })).data.inbox.find(({ identity }) => identity === "70b3d5");

    expect(await sees(own)).toMatchObject({ kind: "device", count: 2, last_at: 1795000060 });
    expect(await sees(await api.token("engineer2@metrum.example"))).toBeUndefined();
    const { data } = await api.ask(inbox.create, {
      token: own,
      input: { body: { kind: "device", identity: "70B3D5", name: "Flat 12", model_id: 301 } },
    });

    expect(data.device_id).toBeGreaterThan(0);
    expect(await sees(own)).toBeUndefined();
  });

  test("a modem that is registered from the inbox is admitted at once and its meter is polled", async () => {
    const identity = imeiOf(theirsPlan);
    await rowOf(identity);

    const { data, status } = await api.ask(inbox.create, {
      token,
      input: {
        body: {
          kind: "modem",
          identity,
          company_id: api.companies.second,
          name: "Boiler house",
          model_id: 601,
          meter: { model_id: 101, name: "Boiler house, input", deviceID: theirs.deviceID, inside_addr: "1" },
        },
      },
    });
    const stored = await until(async () => {
      const { rows } = await sql<{ company_id: number }>`
        select d.company_id from device_latest l join device d on d.id = l.device_id
        where l.device_id = ${data.device_id}`.execute(api.services.database.system);
      return rows[0];
    });

    expect(status).toBe(200);
    expect(stored.company_id).toBe(api.companies.second);
    expect((await rowOf(identity)).is_known).toBe(true);
    for (const companyId of [api.companies.second, (await companyOf(staff)) ?? 0]) {
      const { rows } = await sql`select from audit where action = 'inbox.create' and company_id = ${companyId}
        and subject = ${`gateway ${String(data.gateway_id)}`}`.execute(api.services.database.system);
      expect(rows).toHaveLength(1);
    }
  });
});

async function companyOf(email: string): Promise<number | undefined> {
  const { rows } = await sql<{ company_id: number }>`
    select company_id from users where email = ${email}`.execute(api.services.database.system);
  return rows[0]?.company_id;
}

describe("connections that end", () => {
  test("a modem that hangs up is offline within seconds, and its row stays", async () => {
    await rowOf(imeiOf(oursPlan));

    await parks[0]?.stop();

    expect(await rowOf(imeiOf(oursPlan), false)).toMatchObject({ connect_status: false, is_known: true });
  });

  test("the modems and ports of a dead process are offline, whichever process notices", async () => {
    const { database, log } = api.services;
    const other = await enterPresence(database, log);
    await other.leave();
    await sql`insert into modem_port values (7999, ${other.id}, 'imei')`.execute(database.system);
    await sql`insert into modem_connection (port, identity, profile, state, is_online, process_id, ip_address, connected_at, last_at)
      values (7999, 'gone', 'imei', 'live', true, ${other.id}, '10.0.0.1', 1795000000, 1795000000)`.execute(
      database.system,
    );

    await freeProcesses(database, [other.id]);

    expect((await rowOf("gone", false)).broker_port).toBe(7999);
    const { rows } = await sql`select from modem_port where port = 7999`.execute(database.system);
    expect(rows).toEqual([]);
  });
});
