import { devices, push } from "@metrum/contract/metering";
import { buildChirpStackUp, formatChirpStackTopic } from "@metrum/protocols/chirpstack";
import { vegaSi11 } from "@metrum/protocols/vega";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import mqtt, { type MqttClient } from "mqtt";
import { afterEach, beforeEach, expect, test } from "vitest";
import { issueMqttCredentials } from "#headend/channels";
import { createLog } from "#core";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { startPlanner } from "../../polling/planner.ts";
import { openTestApi, type TestApi } from "#testing/api";
import { openBreakableLink, type BreakableLink } from "#testing/peers/breakableLink";
import { registerPark } from "#testing/park";
import { until } from "#testing/until";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const devEui = counter.deviceID.toLowerCase();
const driver = vegaSi11();

let api: TestApi;
let link: BreakableLink;
let dialogue: Dialogue;
let stops: (() => Promise<unknown>)[];
let publisher: MqttClient;
let prefix: string;
let logged: { readonly msg: string; readonly err?: { readonly message: string } }[];

beforeEach(async () => {
  // Only of this test: log lines of an earlier one do not count.
  const lines: typeof logged = (logged = []);
  api = await openTestApi({
    connectOver: async (connection) => {
      link = await openBreakableLink(connection);
      return link.connection;
    },
  });
  await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [counter],
  });
  const log = createLog("warn", { write: (line) => void lines.push(JSON.parse(line) as (typeof logged)[0]) });
  const services = { ...api.services, log };
  dialogue = await openDialogue(services);
  stops = [startPlanner(services), services.database.watch(log)];
  const account = await issueMqttCredentials(api.services.database, api.companies.first);
  ({ prefix } = account);
  publisher = await mqtt.connectAsync(`mqtt://127.0.0.1:${String(dialogue.ports.mqttPort)}`, account);
});
afterEach(async () => {
  link.restore();
  await publisher.endAsync(true);
  await dialogue.stop();
  for (const stop of stops) await stop();
  // First: PostgreSQL waits a minute for a client that falls silent while signing in, and so would the
  // shutdown of the database.
  await link.close();
  await api.close();
});

/** The nth uplink of the counter, with its own time. */
function publish(n: number): Promise<unknown> {
  const at = 1_795_250_000 + n;
  const address = { deviceID: devEui, insideAddr: "", impulseWeight: 1, startingValue: 0 };
  const { fport, payload } = driver.encode(address, (field) => (field === "in1" ? n : 0), at);
  const body = buildChirpStackUp({
    deduplicationId: crypto.randomUUID(),
    at,
    devEui,
    deviceName: "",
    applicationId: "a",
    devAddr: "",
    fCnt: n,
    fPort: fport,
    dr: 0,
    confirmed: false,
    payload,
    receptions: [],
  });
  const topic = formatChirpStackTopic({ prefix, applicationId: "a", devEui, event: "up" });
  return publisher.publishAsync(topic, body, { qos: 1 });
}

const failures = (): string[] => logged.flatMap(({ msg, err }) => (err ? `${msg}: ${err.message}` : []));

async function stored(): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from message where msg_type = 1`.execute(api.services.database.system);
  return rows[0]?.n ?? 0;
}

test.each([
  ["is cut", () => link.cut()],
  ["swallows everything", () => link.swallow()],
])(
  "uplinks that come while the link to the database %s are acknowledged after its return, and the log says it once",
  async (_, take) => {
    await publish(0);

    take();
    let acknowledged = 0;
    const sent = Array.from({ length: 20 }, (_, n) => publish(n + 1).then(() => (acknowledged += 1)));
    await until(() => failures().length > 0);
    // By then every timer that queries the database has fired.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(acknowledged).toBe(0);
    link.restore();
    await Promise.all(sent);

    expect(await stored()).toBe(21);
    expect(failures()).toEqual([expect.any(String)]);
  },
);

test("while the disk is full writes are refused for a while, reads go on, and nothing is lost", async () => {
  const token = await api.token("engineer@metrum.example");
  const pushed = () =>
    api.ask(push.readings, {
      token,
      input: { body: { readings: [{ deviceID: devEui, time: 1_795_240_000, values: { in1: 5 } }] } },
    });
  await sql`create function disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(
    api.services.database.system,
  );
  await sql`update session set last_seen_at = now() - interval '10 minutes'`.execute(
    api.services.database.system,
  );
  for (const [event, table] of [
    ["insert", "message"],
    ["update", "session"],
  ])
    await sql`create trigger disk_full before ${sql.raw(`${event} on ${table}`)}
      for each row execute function disk_full()`.execute(api.services.database.system);

  let isAcknowledged = false;
  const sent = publish(1).then(() => (isAcknowledged = true));
  const refused = await pushed();
  await until(() => failures().length > 0);
  const list = await api.ask(devices.list, { token, input: { body: {} } });

  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect(list.status).toBe(200);
  expect(isAcknowledged).toBe(false);
  await sql`drop trigger disk_full on message`.execute(api.services.database.system);
  await sent;
  expect(await pushed()).toMatchObject({ status: 200 });
  expect(await stored()).toBe(2);
  expect(failures()).toEqual([expect.any(String)]);
});
