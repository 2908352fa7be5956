import { tasks } from "@metrum/contract/headend";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enterPresence, type Presence } from "#headend/channels";
import { openDatabase, type Services, type Stop } from "#core";
import { askedDevice } from "#headend/exchanges";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { orderDownlink, sendDownlink } from "./downlinks.ts";
import { takeOrder } from "./orderStore.ts";
import { startNetwork, type OwnBroker } from "../ways/networks/network.ts";
import { putSessions } from "../sessionStore.ts";
import { anotherProcess } from "#testing/anotherProcess";
import { freezeControl, frozenPayloads, ordersWhileFrozen } from "#testing/walk/frozenOrders";
import { until } from "#testing/until";

const counters = demoPlan(2).devices.filter(({ modelId }) => modelId === 301);
const devices = Array.from({ length: 4 }, (_, at) => ({
  ...counters[0],
  deviceID: `00000000000000f${String(at)}`,
}));

let api: TestApi;
let ids: number[];
let token: string;
/** Two more processes on the same database. */
let processes: readonly { readonly services: Services; readonly presence: Presence }[];
const stops: Stop[] = [];

beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
  processes = await Promise.all(
    [1, 2].map(async () => {
      const services = anotherProcess(api.services, {
        database: openDatabase({ ...api.database.connection, max: 6 }),
      });
      return { services, presence: await enterPresence(services.database, services.log) };
    }),
  );
  const [counter] = counters;
  if (!counter) throw new Error("no pulse counter in the plan");
  ids = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: devices.map(({ deviceID }) => ({ ...counter, deviceID })),
  });
});
beforeEach(async () => {
  await putSessions(
    api.services.database.system,
    ids.map((deviceId) => ({
      deviceId,
      way: "chirpstack",
      application: "a",
      topic: `application/a/device/${String(deviceId)}/command/down`,
      devAddr: "",
      serverId: null,
      webhook: null,
      lastFcnt: 1,
      lastHeardAt: 1,
    })),
  );
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await sql`delete from downlink_order`.execute(api.services.database.system);
});
afterAll(async () => {
  for (const { services, presence } of processes) {
    await presence.leave();
    await services.database.close();
  }
  await api.close();
});

/** Starts one of the other processes with such a broker. */
function start(at: number, broker: OwnBroker): void {
  const one = processes[at];
  if (!one) throw new Error("no such process");
  stops.push(startNetwork({ services: one.services, broker, processId: () => one.presence.id }));
}

async function order(
  id: number,
  payload = Uint8Array.of(1),
  patience: Parameters<typeof sendDownlink>[3] = {},
) {
  const device = await askedDevice(api.services.database.system, id);
  if (!device) throw new Error("no device");
  const down = { fPort: 2, payload, confirmed: false };
  return sendDownlink(api.services, device, down, { waitMs: 30_000, ...patience });
}

const states = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ state: string }>`select state from downlink_order order by id`.execute(
    api.services.database.system,
  );
  return rows.map(({ state }) => state);
};

test("of two processes connected to the network server one sends each order, once, and those of a device in sequence", async () => {
  const sent: string[] = [];
  const broker: OwnBroker = {
    reaches: () => true,
    publish: (topic, body) => {
      sent.push(`${topic} ${body}`);
      return Promise.resolve(true);
    },
  };
  start(0, broker);
  start(1, broker);

  const outcomes: string[] = [];
  for (let round = 0; round < 5; round++)
    outcomes.push(...(await Promise.all(ids.map((id) => order(id, Uint8Array.of(round))))));

  expect(outcomes).toEqual(Array.from({ length: 20 }, () => "handed_over"));
  expect(sent).toHaveLength(20);
  expect(new Set(sent).size).toBe(20);
  const own = sent.filter((text) => text.includes(`/device/${String(ids[0])}/`));
  expect(own.map((text) => /"data":"([^"]+)"/.exec(text)?.[1])).toEqual([
    "AA==",
    "AQ==",
    "Ag==",
    "Aw==",
    "BA==",
  ]);
});

test("an order waits for a process connected to the server, and is not sent after it has expired", async () => {
  const sent: string[] = [];
  let isThere = false;
  start(0, {
    reaches: () => isThere,
    publish: (topic) => {
      sent.push(topic);
      return Promise.resolve(true);
    },
  });
  const waiting = order(ids[0] ?? 0);
  const expired = await order(ids[1] ?? 0, Uint8Array.of(9), { expiresInSec: 1 });
  isThere = true;

  expect(expired).toBe("no_line");
  expect(await waiting).toBe("handed_over");
  expect(sent).toEqual([
    `c${String(api.companies.first)}/application/a/device/${String(ids[0])}/command/down`,
  ]);
});

test("CTRL-105 however slow the way to its transport is, no order leaves after its expiry", async () => {
  const [one] = processes;
  if (!one) throw new Error("no process");
  // Every time the clock is read it is a second later.
  const start = Math.floor(Date.now() / 1000);
  let readings = 0;
  const clock = { ...one.services.clock, now: () => start + readings++ };
  const late: number[] = [];
  const left: string[] = [];
  const broker: OwnBroker = {
    reaches: () => true,
    publish(topic) {
      left.push(topic);
      late.push(start + readings);
      return Promise.resolve(true);
    },
  };
  const leftAfterSec: number[] = [];
  for (const validSec of [1, 2, 3, 4, 5, 6, 8, 12]) {
    const expiresAt = start + validSec;
    readings = 0;
    await orderDownlink(
      api.services.database.system,
      { id: (ids[0] ?? 0) as never, companyId: api.companies.first },
      { fPort: 2, payload: Uint8Array.of(validSec), confirmed: false },
      { now: start, expiresAt },
    );
    const before = left.length;
    const stop = startNetwork({
      services: { ...one.services, clock },
      broker,
      processId: () => one.presence.id,
    });
    await until(async () => (await states()).every((state) => state !== "waiting" && state !== "sending"));
    await stop();
    // The reading that let it go was the one before.
    if (left.length > before) leftAfterSec.push((late.at(-1) ?? 0) - 1 - expiresAt);
  }

  expect(leftAfterSec.length).toBeGreaterThan(0);
  expect(leftAfterSec.length).toBeLessThan(8);
  expect(leftAfterSec.filter((sec) => sec >= 0)).toEqual([]);
});

test("an order whose connection was lost before a byte was sent goes through another process", async () => {
  const sent: string[] = [];
  start(0, { reaches: () => true, publish: () => Promise.resolve(false) });
  start(1, {
    reaches: () => sent.length === 0,
    publish: (topic) => {
      sent.push(topic);
      return Promise.resolve(true);
    },
  });

  expect(await order(ids[0] ?? 0)).toBe("handed_over");
  expect(sent).toHaveLength(1);
});

test("an order being sent when its process ended has an unknown outcome and is never sent again", async () => {
  const sent: string[] = [];
  expect(await order(ids[0] ?? 0, Uint8Array.of(7), { waitMs: 0 })).toBe("waiting");
  await sql`update downlink_order set state = 'sending', process_id = 999`.execute(
    api.services.database.system,
  );

  start(0, {
    reaches: () => true,
    publish: (topic) => {
      sent.push(topic);
      return Promise.resolve(true);
    },
  });
  await expect.poll(states, { timeout: 30_000 }).toEqual(["unknown"]);
  expect(await order(ids[0] ?? 0, Uint8Array.of(8))).toBe("handed_over");

  expect(sent).toHaveLength(1);
  const { data } = await api.ask(tasks.logs, { token, input: { body: { device_id: ids[0] ?? 0 } } });
  expect(data.logs.data.slice(0, 2).map(({ message }) => message)).toEqual([
    "",
    "its process ended while it was sent",
  ]);
});

test("one that fails while being sent has an unknown outcome", async () => {
  start(0, { reaches: () => true, publish: () => Promise.reject(new Error("broken")) });

  expect(await order(ids[0] ?? 0)).toBe("unknown");
});

const textOf = (payload: Uint8Array): string => Buffer.from(payload).toString("base64");

describe("CTRL-109 under a freeze of control", () => {
  test("an order of a command that changes the device is withdrawn, others are sent", async () => {
    const sent: string[] = [];
    start(0, {
      reaches: () => true,
      publish: (_, body) => {
        sent.push(body);
        return Promise.resolve(true);
      },
    });

    const { changing, harmless } = await ordersWhileFrozen(api, ids[0] ?? 0);

    expect(changing).toEqual({ state: "no_line", message: "the control of devices has been stopped" });
    expect(harmless).toBe("handed_over");
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain(textOf(frozenPayloads.harmless));
    const { data } = await api.ask(tasks.logs, { token, input: { body: { device_id: ids[0] ?? 0 } } });
    expect(data.logs.data.map(({ message }) => message)).toContain("the control of devices has been stopped");
  });

  test("no process takes an order that it has read before the freeze", async () => {
    const { database, clock } = api.services;
    const device = await askedDevice(database.system, ids[0] ?? 0);
    if (!device) throw new Error("no device");
    const down = { fPort: 2, payload: Uint8Array.of(1), confirmed: false };
    const now = clock.now();
    const timing = { now, expiresAt: now + 60 };
    await freezeControl(api, true);
    const changing = await orderDownlink(database.system, device, down, { ...timing, changesDevice: true });
    const harmless = await orderDownlink(database.system, device, down, timing);
    const take = (id = 0) => takeOrder(database.system, { id, processId: 1, now });

    const taken = [await take(changing), await take(harmless)];
    await freezeControl(api, false);

    expect(taken).toEqual([false, true]);
    expect(await take(changing)).toBe(true);
  });

  test.each(["installation", "company"] as const)(
    "of the %s an order put back by the process that had taken it is not handed over again",
    async (of) => {
      const companyId = of === "company" ? api.companies.first : undefined;
      let handovers = 0;
      let putBack: () => void = () => undefined;
      const isPutBack = new Promise<void>((resolve) => (putBack = resolve));
      const broker: OwnBroker = {
        reaches: () => true,
        publish: async () => {
          handovers += 1;
          if (handovers === 1) await isPutBack;
          // The connection was lost before a byte was sent.
          return handovers > 1;
        },
      };
      start(0, broker);
      start(1, broker);
      const device = await askedDevice(api.services.database.system, ids[0] ?? 0);
      if (!device) throw new Error("no device");
      const now = api.services.clock.now();
      const down = { fPort: 2, payload: Uint8Array.of(1), confirmed: false };
      const timing = { now, expiresAt: now + 60, changesDevice: true };
      await orderDownlink(api.services.database.system, device, down, timing);
      await until(() => handovers === 1);

      await freezeControl(api, true, companyId);
      putBack();

      await expect.poll(states, { timeout: 30_000 }).toEqual(["no_line"]);
      expect(handovers).toBe(1);
      await freezeControl(api, false, companyId);
    },
  );
});

test("a port or length that LoRaWAN does not allow is an error of the caller, and nothing is stored", async () => {
  await expect(order(ids[0] ?? 0, new Uint8Array(300))).rejects.toThrow(RangeError);

  expect(await states()).toEqual([]);
});
