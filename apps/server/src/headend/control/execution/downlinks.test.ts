import { control, tasks } from "@metrum/contract/headend";
import type { DownlinkOutcome } from "@metrum/protocols/lorawan";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { enterPresence, type Presence } from "#headend/channels";
import type { Stop } from "#core";
import { logExchanges } from "#headend/exchanges";
import { startNetwork, takeUplink } from "#headend/uplinks";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { until } from "#testing/until";
import { judgeOrders } from "./downlinks.ts";
import { commandRound, startCommands } from "./rounds.ts";

const clock = movableClock();
let api: TestApi;
let presence: Presence;
let token: string;
let staff: string;
let serial = 0;
let requests = 0;
const stops: Stop[] = [];
/** Type 1 of port 3, as the network server gets it. */
const requestForSettings = Buffer.of(1).toString("base64");

beforeAll(async () => {
  api = await openTestApi({ clock });
  presence = await enterPresence(api.services.database, api.services.log);
});
beforeEach(async () => {
  clock.ahead += 3_600;
  token = await api.token("engineer@metrum.example");
  staff = await api.token("admin@metrum.example");
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await sql`delete from downlink_order`.execute(api.services.database.system);
  await sql`update device_command set state = 'cancelled' where state in ('queued', 'sending')`.execute(
    api.services.database.system,
  );
});
afterAll(async () => {
  await presence.leave();
  await api.close();
});

/** A LoRaWAN counter that was received by the broker. */
async function aCounter(): Promise<number> {
  const { system } = api.services.database;
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${api.companies.first}, 301, 'SI-11', 1, 1, 5, 'Counter', ${`00000000000000c${String(serial++)}`})
    returning id`.execute(system);
  const id = rows[0]?.id ?? 0;
  await sql`insert into network_session (device_id, way, application, topic, dev_addr, last_fcnt, last_heard_at)
    values (${id}, 'chirpstack', 'a', ${`application/a/device/${String(id)}/command/down`}, '', 1, 1)`.execute(
    system,
  );
  return id;
}

/** The transport of this process; returns what it has sent. */
function transport(): string[] {
  const sent: string[] = [];
  const broker = {
    reaches: () => true,
    publish: (_: string, body: string) => {
      // A request for settings follows each setting.
      if (!body.includes(requestForSettings)) sent.push(body);
      else requests += 1;
      return Promise.resolve(true);
    },
  };
  stops.push(startNetwork({ services: api.services, broker, processId: () => presence.id }));
  return sent;
}

const request = (id: number, management: Record<string, unknown>) =>
  api.ask(tasks.create, {
    token,
    input: { body: { command_type: "control", title: "T", device_ids: [id], management } },
  });

async function last(id: number) {
  const { data } = await api.ask(control.list, { token, input: { body: { device_id: id } } });
  const [found] = data.commands.data;
  if (!found) throw new Error("no command");
  return found;
}

const orderState = async (): Promise<string | undefined> => {
  const { rows } = await sql<{ state: string }>`select state from downlink_order`.execute(
    api.services.database.system,
  );
  return rows[0]?.state;
};

/** `heldUpSec`: how long before its arrival here the network has heard it. */
const receive = (deviceId: number, received: string, { heldUpSec = 0 } = {}) =>
  logExchanges(api.services.database.system, [
    {
      deviceId,
      startedMs: clock.nowMs() + 1_000,
      receivedAt: null,
      kind: "uplink",
      result: "ok",
      tries: 1,
      durationMs: 0,
      line: "chirpstack",
      readings: 0,
      message: "",
      taskId: null,
      steps: [
        {
          label: { code: "uplink", n: 2, port: 3 },
          try: 1,
          tries: 1,
          at: 0,
          answered: 0,
          ended: 0,
          sent: "",
          received,
          fport: 3,
          heardAt: clock.now() - heldUpSec,
        },
      ],
    },
  ]);

/** What ChirpStack reports of the first order: "txack" is `sent`. */
async function report(deviceId: number, outcome: DownlinkOutcome): Promise<void> {
  const { rows } = await sql<{ reference: string; network: string }>`
    select reference, (select "deviceID" from device where id = ${deviceId}) as network from downlink_order
    order by id limit 1`.execute(api.services.database.system);
  const { reference = "", network = "" } = rows[0] ?? {};
  await takeUplink(api.services, {
    companyId: api.companies.first,
    networkId: network,
    way: "chirpstack",
    at: null,
    topic: "",
    raw: new Uint8Array(),
    content: {
      kind: "event",
      event: {
        ...{ devEui: network, at: null, deduplicationId: "", application: "", fCntDown: 1, reason: "" },
        ...{ event: "downlink", outcome, reference },
      },
    },
  });
}

test("CTRL-059 CTRL-106 a setting is sent once as a downlink, and done when an uplink shows it", async () => {
  const id = await aCounter();
  const sent = transport();
  await request(id, { vega_settings: 1, communication_period: 86_400 });
  await commandRound(api.services);
  await until(async () => (await orderState()) === "sent");
  await commandRound(api.services);

  expect(sent).toHaveLength(1);
  expect(await last(id)).toMatchObject({ state: "sending", attempts: 1 });

  await receive(id, "0010000101");
  await commandRound(api.services);
  expect(await last(id)).toMatchObject({ state: "sending" });

  await receive(id, "0010000104");
  await commandRound(api.services);
  expect(await last(id)).toMatchObject({
    state: "done",
    after: { vega_settings: { communication_period: 86_400 } },
  });
  expect(sent).toHaveLength(1);
});

test("CTRL-106 a setting that no uplink shows by itself is followed by a request for the settings", async () => {
  const id = await aCounter();
  const sent = transport();
  requests = 0;
  await request(id, { vega_settings: 1, uplink_repeats: 3 });
  await commandRound(api.services);
  await until(() => requests > 0);
  await commandRound(api.services);

  expect(sent).toHaveLength(1);
  expect(await last(id)).toMatchObject({ state: "sending" });

  await receive(id, "0008000103");
  await commandRound(api.services);

  expect(await last(id)).toMatchObject({ state: "done", after: { vega_settings: { uplink_repeats: 3 } } });
  expect(requests).toBe(1);
});

const bytes = (payload: string) => ({ send_raw_payload: 1, payload, fport: 2, class: "C" });
const ordersOf = async (id: number): Promise<readonly string[]> => {
  const { rows } = await sql<{
    state: string;
  }>`select state from downlink_order where device_id = ${id} order by id`.execute(
    api.services.database.system,
  );
  return rows.map(({ state }) => state);
};

test("CTRL-108 raw bytes, which no uplink can prove, are unknown once handed over, and hold up nothing", async () => {
  const id = await aCounter();
  const sent = transport();
  await request(id, bytes("0102"));
  await commandRound(api.services);
  await until(async () => (await orderState()) === "sent");
  await commandRound(api.services);

  expect(await last(id)).toMatchObject({
    state: "unknown",
    attempts: 1,
    message: "",
    message_code: "handed_over",
  });

  await request(id, bytes("0103"));
  await commandRound(api.services);
  await until(async () => (await ordersOf(id)).join() === "sent,sent");
  expect(sent).toHaveLength(2);
});

test("CTRL-108 what the network reports of a command that was handed over becomes its outcome", async () => {
  const [id, other] = [await aCounter(), await aCounter()];
  transport();
  await request(id, bytes("0102"));
  await commandRound(api.services);
  await until(async () => (await orderState()) === "sent");
  await commandRound(api.services);
  expect(await last(id)).toMatchObject({ state: "unknown", message_code: "handed_over" });

  // A report of another device with the same reference says nothing of this one.
  await report(other, "sent");
  await report(id, "queued");
  await commandRound(api.services);
  expect(await last(id)).toMatchObject({ message_code: "handed_over" });

  await report(id, "sent");
  await commandRound(api.services);
  expect(await last(id)).toMatchObject({ state: "unknown", message_code: "on_air" });

  // Repeated, or late: nothing is taken back.
  await report(id, "sent");
  await report(id, "queued");
  await commandRound(api.services);
  expect(await last(id)).toMatchObject({ state: "unknown", message_code: "on_air" });
});

test("CTRL-106 a command on the air without its proof in time says that it was sent to the air", async () => {
  const id = await aCounter();
  transport();
  await request(id, { vega_settings: 1, communication_period: 86_400 });
  await commandRound(api.services);
  await until(async () => (await orderState()) === "sent");
  await report(id, "sent");
  await judgeOrders(api.services, 10);
  expect(await last(id)).toMatchObject({ state: "sending" });

  await sql`update downlink_order set ended_at = ended_at - 259200`.execute(api.services.database.system);
  await sql`update device_command set order_ms = order_ms - 259200000 where device_id = ${id}`.execute(
    api.services.database.system,
  );
  await judgeOrders(api.services, 10);
  expect(await last(id)).toMatchObject({ message_code: "on_air_no_proof" });
});

test("CTRL-108 an outcome that is not known is answered as neither done nor failed", async () => {
  const id = await aCounter();
  transport();
  stops.push(startCommands(api.services));

  const { data } = await api.ask(control.device, {
    ...{ token, language: "en" },
    input: { body: { id, management: bytes("0102") } },
  });

  expect(data.control_set).toEqual({ result: expect.stringContaining("The outcome is unknown") as string });
});

test("CTRL-108 commands that are handed over without a proof do not stop the task that stops after failures", async () => {
  const [first, second] = [await aCounter(), await aCounter()];
  const { system } = api.services.database;
  // No way to the second one yet.
  await sql`update network_session set topic = '' where device_id = ${second}`.execute(system);
  transport();
  const management = bytes("0102");
  await api.ask(tasks.create, {
    token,
    input: {
      body: { command_type: "control", title: "T", device_ids: [first, second], management, stop_after: 1 },
    },
  });
  await commandRound(api.services);
  await until(async () => (await ordersOf(first)).join() === "sent");
  await commandRound(api.services);
  expect(await last(first)).toMatchObject({ state: "unknown" });

  await sql`update network_session set topic = 'application/a/device/x/command/down' where device_id = ${second}`.execute(
    system,
  );
  clock.ahead += 10;
  await commandRound(api.services);
  await until(async () => (await ordersOf(second)).join() === "sent");
});

test("CTRL-106 commands are judged however many older ones wait for their proof", async () => {
  const [older, newer] = [await aCounter(), await aCounter()];
  transport();
  for (const id of [older, newer]) {
    await request(id, { vega_settings: 1, communication_period: 86_400 });
    await commandRound(api.services);
    await until(async () => (await ordersOf(id))[0] === "sent");
  }
  await receive(older, "0010000101");
  await receive(newer, "0010000104");
  await judgeOrders(api.services, 1);

  expect(await last(older)).toMatchObject({ state: "sending" });
  expect(await last(newer)).toMatchObject({ state: "done" });
});

test("CTRL-106 an uplink that is logged late is looked at too, and a command without one is left in peace", async () => {
  const id = await aCounter();
  transport();
  await request(id, { vega_settings: 1, communication_period: 86_400 });
  await commandRound(api.services);
  await until(async () => (await ordersOf(id))[0] === "sent");
  await judgeOrders(api.services, 10);
  clock.ahead += 20;
  await judgeOrders(api.services, 10);
  expect(await last(id)).toMatchObject({ state: "sending" });

  clock.ahead += 7_000;
  await judgeOrders(api.services, 10);
  clock.ahead -= 10;
  await receive(id, "0010000104");
  clock.ahead += 10;
  await judgeOrders(api.services, 10);
  expect(await last(id)).toMatchObject({ state: "done" });
});

/** Commands of a device that listens only after its uplinks are handed over at no other time. */
const bytesForClassA = { send_raw_payload: 1, payload: "0102", fport: 2, class: "A" };

test("CTRL-065 CTRL-105 a device of class A gets its command right after an uplink, not before and not much later", async () => {
  const id = await aCounter();
  const sent = transport();
  await request(id, bytesForClassA);
  await commandRound(api.services);
  await commandRound(api.services);
  expect(await orderState()).toBeUndefined();
  expect(await last(id)).toMatchObject({ state: "queued", attempts: 0, message_code: "awaits_uplink" });

  await receive(id, "0010000101");
  clock.ahead += 30;
  await commandRound(api.services);
  expect(await orderState()).toBeUndefined();

  await receive(id, "0010000101", { heldUpSec: 120 });
  await commandRound(api.services);
  expect(await orderState()).toBeUndefined();

  clock.ahead += 30;
  await receive(id, "0010000101");
  await commandRound(api.services);
  await until(async () => (await orderState()) === "sent");
  expect(sent).toHaveLength(1);
  const { expires_at } = await last(id);
  // Should the device have stopped listening, the network server drops it in time.
  expect(JSON.parse(sent[0] ?? "")).toMatchObject({ expiresAt: new Date(expires_at * 1000).toISOString() });
});

test("CTRL-105 a device of class A that is not heard in time gets nothing: an uplink after the expiry changes nothing", async () => {
  const id = await aCounter();
  const sent = transport();
  await request(id, bytesForClassA);
  await commandRound(api.services);
  clock.ahead += 700;
  await receive(id, "0010000101");
  await commandRound(api.services);
  await commandRound(api.services);

  expect(await last(id)).toMatchObject({ state: "expired", attempts: 0, message_code: "not_heard" });
  expect(await orderState()).toBeUndefined();
  expect(sent).toEqual([]);
});

test("CTRL-105 an order for a device of class A does not outlive the seconds in which the device listens", async () => {
  const id = await aCounter();
  await request(id, bytesForClassA);
  await commandRound(api.services);
  await receive(id, "0010000101");
  await commandRound(api.services);
  expect(await orderState()).toBe("waiting");

  clock.ahead += 10;
  const sent = transport();
  await until(async () => (await orderState()) === "no_line");
  await commandRound(api.services);

  expect(await last(id)).toMatchObject({ state: "queued" });
  expect(sent).toEqual([]);
});

test("CTRL-105 without a transport it waits, is ordered again, and expires without being sent", async () => {
  const id = await aCounter();
  await request(id, { send_raw_payload: 1, payload: "0102", fport: 2, class: "C" });
  await commandRound(api.services);
  expect(await orderState()).toBe("waiting");

  clock.ahead += 700;
  const sent = transport();
  await until(async () => (await orderState()) === "no_line");
  await commandRound(api.services);
  await commandRound(api.services);

  expect(await last(id)).toMatchObject({ state: "expired" });
  expect(sent).toEqual([]);
});

test("CTRL-109 a freeze withdraws a downlink that was not taken yet", async () => {
  const id = await aCounter();
  const freeze = (is_frozen: boolean) =>
    api.ask(control.freeze, { token: staff, input: { body: { is_frozen, reason: "Accident" } } });
  await request(id, { send_raw_payload: 1, payload: "0102", fport: 2, class: "C" });
  await commandRound(api.services);

  await freeze(true);
  const sent = transport();
  await commandRound(api.services);
  clock.ahead += 6;
  await commandRound(api.services);

  expect(await orderState()).toBe("no_line");
  expect(await last(id)).toMatchObject({ state: "queued" });
  expect(sent).toEqual([]);
  await freeze(false);
});

test("what the device cannot be set to has failed without being sent", async () => {
  const id = await aCounter();
  const sent = transport();
  await request(id, { vega_settings: 1, communication_period: 600 });
  await commandRound(api.services);

  expect(await last(id)).toMatchObject({ state: "failed" });
  expect(sent).toEqual([]);
});
