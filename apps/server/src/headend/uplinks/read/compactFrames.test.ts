import { tasks } from "@metrum/contract/headend";
import { decodeAgain } from "@metrum/contract/metering";
import { fromHex } from "@metrum/protocols/core";
import { buildTelegram, type TelegramPlan } from "@metrum/protocols/wmbus";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openDatabase, systemClock, type Services } from "#core";
import { putDeviceSecret } from "#metering/devices";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { takeUplink, settleUplinks } from "../intake.ts";
import { anotherProcess } from "#testing/anotherProcess";
import { termOf } from "@metrum/vocabulary";

/** A radio water meter of Diehl; its model has no layout with error flags. */
const radioModel = 311;
const [some] = demoPlan(1).devices;
const key = "000102030405060708090a0b0c0d0e0f";
const meter: TelegramPlan = {
  manufacturer: "DME",
  id: "12345678",
  version: 0x70,
  medium: 7,
  accessNumber: 1,
  counter: 1,
  key: fromHex(key),
  security: "extended",
};
const full = "0c13 80672900 0b3b 841200 02fd17 0000";
const later = "0c13 90672900 0b3b 851200 02fd17 0000";

let api: TestApi;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  api = await openTestApi();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => api.close());

/** A process that has just started: nothing in memory, the same database. */
function restarted(): Services {
  const database = openDatabase({ ...api.database.connection, max: 2 });
  const services = anotherProcess(api.services, { database });
  closing.push(async () => {
    await settleUplinks(services);
    await database.close();
  });
  return services;
}

async function aDevice(companyId: number, deviceID: string): Promise<number> {
  if (!some) throw new Error("an empty plan");
  const [id = 0] = await registerPark(api.services.database, companyId, {
    gateways: [],
    baseStations: [],
    devices: [{ ...some, modelId: radioModel, deviceID, insideAddr: "", impulseWeight: 1, startingValue: 0 }],
  });
  const { secretBox, database } = api.services;
  await putDeviceSecret({ db: database.system, secretBox }, { deviceId: id, name: "encryption", text: key });
  return id;
}

const of = (deviceId: number, deviceID: string, companyId = api.companies.first) => ({
  deviceId,
  deviceID,
  companyId,
});

let minute = 0;
/** One telegram a minute. */
async function send(services: Services, to: ReturnType<typeof of>, telegram: Uint8Array) {
  minute += 1;
  return takeUplink(services, {
    companyId: to.companyId,
    networkId: to.deviceID,
    deviceId: to.deviceId,
    way: "wmbus",
    at: systemClock.now() - 3600 + minute * 60,
    content: { kind: "payload", bytes: telegram, fPort: 0, fCnt: 0 },
    topic: "wmbus/test",
    raw: telegram,
  });
}

const telegramOf = (records: string, plan: Partial<TelegramPlan> = {}): Uint8Array =>
  buildTelegram(fromHex(records), { ...meter, ...plan });

const rowsOf = async (deviceId: number) =>
  (
    await sql<{ signature: number }>`
      select signature from record_format where device_id = ${deviceId} order by signature`.execute(
      api.services.database.system,
    )
  ).rows;

const latest = async (deviceId: number): Promise<unknown> =>
  (
    await sql<{ v: number[] }>`
      select v from message where device_id = ${deviceId} and msg_type = 1 order by ts desc limit 1`.execute(
      api.services.database.system,
    )
  ).rows[0]?.v;

test.each(["extended", "mode5"] as const)(
  "a compact frame (%s) is understood after a restart, by the layout that the meter has sent in full",
  async (security) => {
    const deviceID = security === "extended" ? "12345678" : "22345678";
    const device = of(await aDevice(api.companies.first, deviceID), deviceID);
    const plan = { id: deviceID, security };

    const first = await send(restarted(), device, telegramOf(full, plan));
    const compact = telegramOf(later, { ...plan, isCompact: true, accessNumber: 2, counter: 2 });
    const second = await send(restarted(), device, compact);

    expect([first, second]).toEqual([
      { result: "taken", message: "" },
      { result: "taken", message: "" },
    ]);
    expect(await latest(device.deviceId)).toEqual([296.79]);
    expect(await rowsOf(device.deviceId)).toHaveLength(1);
  },
);

test("a frame of an unknown layout is reported and stored, and decoded again once the layout is known", async () => {
  const device = of(await aDevice(api.companies.first, "32345678"), "32345678");
  const plan = { id: "32345678" };
  const token = await api.token("engineer@metrum.example");

  const unread = await send(restarted(), device, telegramOf(later, { ...plan, isCompact: true }));
  expect(unread).toMatchObject({
    result: "unread",
    message: expect.stringMatching(/^no full frame of format [0-9A-F]{4} was seen before$/) as string,
  });
  await send(restarted(), device, telegramOf(full, { ...plan, accessNumber: 2, counter: 2 }));
  const again = await api.ask(decodeAgain.run, {
    token,
    input: { body: { device_id: device.deviceId, start_date: 1_700_000_000, stop_date: 4_000_000_000 } },
  });

  expect(again.data).toMatchObject({ payloads: 2, failed: 0 });
  const { rows } = await sql<{ v: number[] }>`
    select v from message where device_id = ${device.deviceId} and msg_type = 1 order by ts`.execute(
    api.services.database.system,
  );
  expect(rows.map(({ v }) => v[0])).toEqual([296.79, 296.78]);
  const { data } = await api.ask(tasks.logs, {
    token,
    input: { body: { device_id: device.deviceId, steps: true } },
  });
  const spans = data.logs.data.at(-1)?.steps?.[0]?.received_spans ?? [];
  expect(spans.filter(({ name }) => ["not_named", "undecoded"].includes(termOf(name).code))).toEqual([]);
});

test("layouts belong to a device: neither another company nor a sender without the key can affect how it is read", async () => {
  const own = of(await aDevice(api.companies.first, "42345678"), "42345678");
  const foreign = of(await aDevice(api.companies.second, "42345678"), "42345678", api.companies.second);
  const services = restarted();
  const plan = { id: "42345678" };

  await send(services, foreign, telegramOf(full, plan));
  await send(services, own, telegramOf(full, { ...plan, security: "none" }));
  await send(services, own, telegramOf(full, { ...plan, manufacturer: "XXX" }));
  const compact = await send(services, own, telegramOf(later, { ...plan, isCompact: true, counter: 3 }));

  expect(compact.result).toBe("unread");
  expect(await rowsOf(own.deviceId)).toEqual([]);
  expect(await rowsOf(foreign.deviceId)).toHaveLength(1);
});

test("a sender that invents layouts has at most eight, which are deleted with the device", async () => {
  const device = of(await aDevice(api.companies.first, "52345678"), "52345678");
  const services = restarted();

  for (let n = 0; n < 12; n++) {
    const tariff = (0x10 * (n % 4)).toString(16).padStart(2, "0");
    const storage = n.toString(16).padStart(2, "0");
    const extra = n < 4 ? `8c${tariff}13 01000000` : `8c${storage}3b 01000000`;
    await send(services, device, telegramOf(`0c13 80672900 ${extra}`, { id: "52345678", counter: n }));
  }
  expect(await rowsOf(device.deviceId)).toHaveLength(8);

  await sql`delete from device where id = ${device.deviceId}`.execute(api.services.database.system);
  expect(await rowsOf(device.deviceId)).toEqual([]);
});
