import { readings } from "@metrum/contract";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { ingest } from "./ingest.ts";

let api: TestApi;
let token: string;
let deviceId: DeviceId;
const start = at("2026-05-10T00:00:00Z");

beforeAll(async () => {
  api = await openTestApi();
  token = await api.signIn("engineer@metrum.example");
});
afterAll(() => api.close());
beforeEach(async () => {
  deviceId = await addMeter(api);
});

interface Entered {
  readonly datetime: number;
  readonly tariff1?: number | null;
  readonly tariff2?: number | null;
  readonly in1?: number | null;
  readonly reason?: number;
}

const enter = (message: Entered, msgType?: number) =>
  api.ask(readings.dirtyOne, {
    token,
    input: {
      body: {
        device_id: deviceId,
        message: { ...message, message_api: true },
        ...(msgType === undefined ? {} : { msgType }),
      },
    },
  });

async function rows() {
  const body = { device_id: deviceId, msgType: 1, startDate: start, stopDate: start + 86_399 };
  const { data, text } = await api.ask(readings.list, { token, input: { body } });
  if (!("data" in data)) throw new Error(text);
  return data.data;
}

test("MANUAL-014 a manual reading replaces the measured one, which stays in the history", async () => {
  await ingest(api.services, [aReading({ deviceId, ts: start, values: { tariff1: 1 } })]);

  const entered = await enter({ datetime: start, tariff1: 7, reason: 3 });
  const empty = await enter({ datetime: start });
  const impossible = await enter({ datetime: at("2100-01-01T00:00:00Z"), tariff1: 1 });

  expect([entered.status, empty.status, impossible.status]).toEqual([200, 422, 422]);
  expect((await rows())[0]).toMatchObject({ tariff1: 7, status: "manual", message_api: true, reason: 3 });
  const { rows: history } = await api.services.database.pool.query(
    "select v, replaced_by is not null as by_somebody from message_revision where device_id = $1",
    [deviceId],
  );
  expect(history).toEqual([{ v: [1], by_somebody: true }]);
});

test("MANUAL-014 a manual reading is accepted only with a message type of the model", async () => {
  const types = await api.ask(readings.types, { token, input: { body: { device_id: deviceId } } });
  const own = types.data.types.map(({ id }) => id);
  const under = (msgType: number) => enter({ datetime: start, tariff1: 7 }, msgType);

  for (const id of own) expect((await under(id)).status).toBe(200);
  const answers = await Promise.all([999, 32_767].map(under));

  expect(own.length).toBeGreaterThan(0);
  expect(answers.map(({ status, attributes }) => [status, Object.keys(attributes)])).toEqual([
    [422, ["msgType"]],
    [422, ["msgType"]],
  ]);
});

test("MANUAL-014 a field that meters of the resource do not have is refused by name and not reported as saved", async () => {
  const entered = await enter({ datetime: start, tariff1: 7, in1: 5 });

  expect([entered.status, Object.keys(entered.attributes)]).toEqual([422, ["message.in1"]]);
  expect(await rows()).toEqual([]);
});

test("MANUAL-012 an empty value is null and enters nothing: the stored value stays", async () => {
  await ingest(api.services, [aReading({ deviceId, ts: start, values: { tariff1: 1, tariff2: 2 } })]);

  const entered = await enter({ datetime: start, tariff1: 7, tariff2: null, in1: null });
  const onlyEmpty = await enter({ datetime: start + 3600, tariff1: null, tariff2: null });

  expect([entered.status, entered.text]).toEqual([200, entered.text]);
  expect((await rows())[0]).toMatchObject({ tariff1: 7, tariff2: 2 });
  expect([onlyEmpty.status, Object.keys(onlyEmpty.attributes)]).toEqual([422, ["message"]]);
  expect(await rows()).toHaveLength(1);
});

test("MANUAL-014 a reading of lower precedence than the corrected one is not reported as saved", async () => {
  const reading = aReading({ deviceId, ts: start, values: { tariff1: 1 } });
  await ingest(api.services, [{ ...reading, status: "corrected" }]);

  const entered = await enter({ datetime: start, tariff1: 7 });

  expect(entered.attributes).toHaveProperty(["message.datetime"]);
  expect((await rows())[0]).toMatchObject({ tariff1: 1, status: "corrected" });
});
