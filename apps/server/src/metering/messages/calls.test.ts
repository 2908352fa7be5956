import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InputOf, ReplyOf } from "@metrum/contract/core";
import { readings } from "@metrum/contract/metering";
import { columnOf, fieldNames, units, type DeviceId } from "@metrum/vocabulary";
import { openTestApi, type TestApi } from "#testing/api";
import { ingest } from "./ingest/ingest.ts";
import { seriesQuery } from "./read/seriesStore.ts";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import type { Incoming } from "./rows/types.ts";

let api: TestApi;
let token: string;
let deviceId: DeviceId;
const start = at("2026-05-10T00:00:00Z");
const day = { startDate: start, stopDate: start + 86_399 };

beforeAll(async () => {
  api = await openTestApi();
  token = await api.signIn("engineer@metrum.example");
  deviceId = await addMeter(api, 40);
});
afterAll(() => api.close());

const store = (...given: readonly Incoming[]) => ingest(api.services, given);
type Body = NonNullable<Parameters<typeof ask>[0]>;
const ask = (body: Partial<Parameters<typeof list>[0]> = {}) =>
  list({ device_id: deviceId, msgType: 1, ...day, ...body });
const list = (body: {
  device_id: number;
  msgType: number;
  startDate: number;
  stopDate: number;
  limit?: number;
  shape?: "rows" | "columns";
  profile_type?: 30 | 60;
  is_energy?: boolean;
  extra_fields?: string[];
  with_transformation_ratio?: boolean;
  "r/a"?: boolean;
}) => api.ask(readings.list, { token, input: { body } });

type Rows = Extract<ReplyOf<typeof readings.list>, { data: unknown }>;
type Columns = Extract<ReplyOf<typeof readings.list>, { columns: unknown }>;
async function rows(body: Body = {}): Promise<Rows> {
  const { data, text } = await ask(body);
  if (!("data" in data)) throw new Error(text);
  return data;
}
async function columns(body: Body = {}): Promise<Columns> {
  const { data, text } = await ask({ ...body, shape: "columns" });
  if (!("columns" in data)) throw new Error(text);
  return data;
}

describe("messages of a device", () => {
  test("API-009 GENERAL-018 GENERAL-019 rows with headers, growth and the columns of the current transformer", async () => {
    await store(
      aReading({ deviceId, ts: start - 3600, values: { tariff0: 99, tariff1: 99 } }),
      aReading({ deviceId, ts: start, values: { tariff0: 100.5, tariff1: 100.5 }, meterAt: start + 2 }),
      aReading({ deviceId, ts: start + 3600, values: { tariff0: 102, tariff1: 102 }, source: "calculated" }),
    );

    const answer = await rows({ extra_fields: ["start_tariff1", "end_tariff1"] });

    expect(answer["max_r/a"]).toBe(0);
    expect(answer.data).toHaveLength(2);
    expect(answer.data[0]).toMatchObject({
      datetime: start,
      realdatetime: start + 2,
      created_at: start + 1,
      message_api: false,
      status: "measured",
      source: "polled",
      tariff0: 100.5,
      tariff0_kkt: 4020,
      delta_tariff0: 1.5,
      delta_tariff0_kkt: 60,
      start_tariff1: 99,
      end_tariff1: 100.5,
      delta_tariff1: 1.5,
    });
    expect(answer.data[1]).toMatchObject({ message_api: true, source: "calculated" });
    expect(answer.fields_headers).toContainEqual({
      name: "tariff0",
      title: "Энергия A+, сумма",
      title_en: "Energy A+, total",
      unit: "кВт·ч",
      decimals: 3,
    });
    const plain = await rows({ with_transformation_ratio: false });
    expect(Object.keys(plain.data[0] ?? {}).filter((name) => name.endsWith("_kkt"))).toEqual([]);
    expect(Object.keys(plain.data[0] ?? {}).filter((name) => name.endsWith("_loss_factor"))).toEqual([]);
  });

  test("the columnar form has the same cells", async () => {
    const [asRows, asColumns] = [await rows(), await columns()];

    const names = Object.keys(asColumns.columns);
    const rebuilt = asRows.data.map((_, n) =>
      Object.fromEntries(names.map((name) => [name, asColumns.columns[name]?.[n]])),
    );
    expect(rebuilt).toEqual(asRows.data);
    expect(asColumns.fields_headers).toEqual(asRows.fields_headers);
  });

  test.each([
    ["water", 1, "in1", "m3"],
    ["gas", 2, "in1", "m3"],
    ["heat", 3, "tariff1", "Gcal"],
    ["electricity", 4, "tariff1", "kWh"],
    ["substance", 5, "in1", null],
    ["sensor", 6, "temperature", "celsius"],
  ] as const)("PROD-002 a device of %s is read, in its unit", async (_, groupId, name, unit) => {
    deviceId = await addMeter(api, 1, groupId);
    await store(aReading({ deviceId, ts: start, values: { [name]: 12.5 } }));

    const { data, fields_headers } = await rows();

    expect(data[0]).toMatchObject({ [name]: 12.5 });
    if (unit === null) return;
    expect(fields_headers.find((header) => header.name === name)?.unit).toBe(units[unit].ru);
  });

  test("GENERAL-019 volume, mass and working time have growth; power, flow and cos φ have none, and no ratio", async () => {
    deviceId = await addMeter(api, 40, 3);
    const counted = { V_in: 10, M_in: 9.5, working_time: 100, tariff1: 5 };
    const instants = { Q_in: 0.4, heat_power: 0.1, cos0: 0.9 };
    await store(
      aReading({ deviceId, ts: start, values: { ...counted, ...instants } }),
      aReading({
        deviceId,
        ts: start + 3600,
        values: { V_in: 10.7, M_in: 10.2, working_time: 101, tariff1: 5.5, ...instants },
      }),
    );

    const { data, fields_headers } = await rows();

    expect(data[1]).toMatchObject({ delta_V_in: 0.7, delta_M_in: 0.7, delta_working_time: 1 });
    const names = fields_headers.map(({ name }) => name);
    const growing = names
      .filter((name) => columnOf(name).part === "growth")
      .map((name) => columnOf(name).field);
    expect(new Set(growing)).toEqual(new Set(Object.keys(counted)));
    const multiplied = names.filter((name) => columnOf(name).isWithRatio).map((name) => columnOf(name).field);
    expect(new Set(multiplied)).toEqual(new Set(["tariff1"]));
  });

  test("API-010 a request has a period, type and columns; invalid arguments are refused by name", async () => {
    const body = {
      device_id: await addMeter(api),
      msgType: 5,
      msgGroup: 1,
      ...day,
      is_energy: true,
      with_transformation_ratio: true,
      with_loss_factor: false,
      "r/a": true,
      tab: "power_profiles",
      profile_type: 60,
      extra_fields: ["start_tariff1"],
    } satisfies InputOf<typeof readings.list>["body"];
    expect((await api.ask(readings.list, { token, input: { body } })).status).toBe(200);

    for (const name of Object.keys(body)) {
      const wrong = { ...body, [name]: { no: "such" } };
      const answer = await api.ask(readings.list, { token, input: { body: wrong } });
      // A slash separates the parts of a path in the input.
      expect([answer.status, Object.keys(answer.attributes)], name).toEqual([422, [name.replace("/", ".")]]);
    }
  });

  test("DATA-053 a missing value is null, never zero, and a counter that decreased has no growth", async () => {
    deviceId = await addMeter(api);
    await store(
      aReading({ deviceId, ts: start, values: { in1: 5 } }),
      aReading({ deviceId, ts: start + 60, values: { in1: null } }),
      aReading({ deviceId, ts: start + 120, values: { in1: 2 } }),
      aReading({ deviceId, ts: start + 180, values: { temperature: 1 } }),
    );

    const { columns: cells } = await columns();

    expect(cells["in1"]).toEqual([5, null, 2, null]);
    expect(cells["delta_in1"]).toEqual([null, null, null, null]);
    expect(cells["temperature"]).toEqual([null, null, null, 1]);
  });

  test("GENERAL-020 GENERAL-023 every field of the vocabulary can be stored and is returned with its header", async () => {
    deviceId = await addMeter(api);
    const values = Object.fromEntries(fieldNames.map((name, n) => [name, n + 0.5]));
    await store(aReading({ deviceId, ts: start, values }));

    const { data, fields_headers } = await rows();

    expect(data[0]).toMatchObject(values);
    const names = new Set(fields_headers.map((header) => header.name));
    expect(fieldNames.filter((name) => !names.has(name))).toEqual([]);
  });

  test("DATA-035 DATA-055 at most 10000 rows are returned, with a mark that more match", async () => {
    deviceId = await addMeter(api);
    await store(
      ...Array.from({ length: 10_001 }, (_, n) =>
        aReading({
          deviceId,
          msgType: 2,
          ts: start + n,
          receivedAt: start + 20_000,
          values: { voltage1: n },
        }),
      ),
    );

    const whole = await columns({ msgType: 2 });
    const exact = await columns({ msgType: 2, startDate: start + 1 });
    const few = await columns({ msgType: 2, limit: 3 });

    expect([whole.truncated, whole.columns["datetime"]?.length, whole.columns["datetime"]?.[0]]).toEqual([
      true,
      10_000,
      start + 1,
    ]);
    expect([exact.truncated, exact.columns["datetime"]?.length]).toEqual([false, 10_000]);
    expect(few.columns["voltage1"]).toEqual([9_998, 9_999, 10_000]);
    expect((await ask({ msgType: 2, limit: 10_001 })).status).toBe(422);
  });

  test("DATA-056 a meter clock that is off is flagged with the difference", async () => {
    deviceId = await addMeter(api);
    const values = { in1: 1 };
    await store(
      aReading({ deviceId, ts: start, receivedAt: start + 2, meterAt: start - 298, values }),
      aReading({ deviceId, ts: start + 60, receivedAt: start + 61, meterAt: start + 65, values }),
    );

    expect((await columns()).columns["clock_off"]).toEqual([-300, null]);
  });
});

describe("power profile", () => {
  const half = (n: number, power_a_plus: number, power_r_plus = 0): Incoming =>
    aReading({
      deviceId,
      msgType: 5,
      ts: start + n * 1800,
      receivedAt: start + 86_400,
      values: { power_a_plus, power_r_plus },
    });

  test("PROFILE-015 half-hours as stored by default, hours on request, a single half-hour makes no hour", async () => {
    deviceId = await addMeter(api, 20);
    await store(half(0, 4, 2), half(1, 6, 3), half(2, 8, 4), half(4, 1), half(5, 3));

    const [halves, hours, energy] = [
      await columns({ msgType: 5 }),
      await columns({ msgType: 5, profile_type: 60 }),
      await columns({ msgType: 5, is_energy: true }),
    ];

    expect(halves.columns["power_a_plus"]).toEqual([4, 6, 8, 1, 3]);
    expect(halves.columns["power_a_plus_kkt"]).toEqual([80, 120, 160, 20, 60]);
    expect(hours.columns["datetime"]).toEqual([start, start + 3600, start + 7200]);
    expect(hours.columns["power_a_plus"]).toEqual([5, null, 2]);
    expect(energy.columns["power_a_plus"]).toEqual([2, 3, 4, 0.5, 1.5]);
    expect(energy.fields_headers.find((header) => header.name === "power_a_plus")?.unit).toBe("кВт·ч");
  });

  test("R/A is the ratio of reactive to active power in percent", async () => {
    const { columns: cells } = await columns({ msgType: 5, "r/a": true });

    expect(cells["r/a+"]).toEqual([50, 50, 50, 0, 0]);
  });

  test("RANGE-018 a day of a clock change has 23 hours, none lost or doubled", async () => {
    deviceId = await addMeter(api);
    const from = at("2026-03-28T23:00:00Z");
    await store(
      ...Array.from({ length: 46 }, (_, n) =>
        aReading({
          deviceId,
          msgType: 5,
          ts: from + n * 1800,
          receivedAt: from + 90_000,
          values: { power_a_plus: 2 },
        }),
      ),
    );

    const { columns: cells } = await columns({
      msgType: 5,
      profile_type: 60,
      startDate: from,
      stopDate: at("2026-03-29T21:59:59Z"),
    });

    expect(cells["power_a_plus"]).toEqual(new Array(23).fill(2));
  });

  test("the calls of the profile return the same as the list", async () => {
    const from = at("2026-03-28T23:00:00Z");
    const body = { device_id: deviceId, startDate: from, stopDate: from + 86_400, shape: "columns" as const };

    const power = await api.ask(readings.powerProfile, { token, input: { body } });
    const energy = await api.ask(readings.energyProfile, { token, input: { body } });

    expect(power.data).toMatchObject({ columns: { power_a_plus: new Array(46).fill(2) } });
    expect(energy.data).toMatchObject({ columns: { power_a_plus: new Array(46).fill(1) } });
  });
});

describe("related calls", () => {
  test("API-008 DEV-025 the newest message of a type, requested by a form field", async () => {
    deviceId = await addMeter(api);
    await store(
      aReading({ deviceId, ts: start, values: { in1: 1 } }),
      aReading({ deviceId, ts: start - 9e6, values: { in1: 0 } }),
    );

    const response = await api.fastify.inject({
      method: "POST",
      url: `/api/messages/last/${String(deviceId)}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" },
      payload: "msgType=1",
    });
    const form = new FormData();
    form.set("msgType", "1");
    const sent = new Response(form);
    const inParts = await api.fastify.inject({
      method: "POST",
      url: `/api/messages/last/${String(deviceId)}`,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": sent.headers.get("content-type") ?? "",
      },
      payload: Buffer.from(await sent.arrayBuffer()),
    });
    const none = await api.ask(readings.last, {
      token,
      input: { params: { id: String(deviceId) }, body: { msgType: 2 } },
    });

    for (const each of [response, inParts])
      expect(each.json<{ data: unknown }>().data).toMatchObject({ datetime: start, in1: 1 });
    expect([none.status, none.data]).toEqual([200, {}]);
  });

  test("REQ-009 REQ-010: message types: all with the longest period of a request, and those in the tabs of a model", async () => {
    const all = await api.ask(readings.typesGet, { token });
    const ofTab = await api.ask(readings.types, { token, input: { body: { tab: "archives" } } });
    const ofDevice = await api.ask(readings.types, { token, input: { body: { device_id: deviceId } } });
    const ofNone = await api.ask(readings.types, { token, input: { body: { model_id: 2_000_000 } } });

    const archives = Array.from({ length: 22 }, (_, at) => 100 + at);
    expect(all.data.types.map((type) => type.id)).toEqual(
      expect.arrayContaining([1, 5, 10, ...archives, 125]),
    );
    expect(all.data.types.every(({ max_period_request }) => max_period_request > 0)).toBe(true);
    expect(ofTab.data.types.map((type) => type.id)).toEqual([100, 101, 103]);
    expect(ofDevice.data.types.map((type) => type.id)).toEqual(expect.arrayContaining([1, 100]));
    expect(ofNone.status).toBe(404);
  });

  test("titles of fields carry the unit of their device type", async () => {
    const { data } = await api.ask(readings.fieldTitles, { token, language: "en" });

    const unitOf = (name: string, type: number) =>
      data.fields.find((field) => field.name === name && field.device_type_id === type)?.unit.title;
    expect([unitOf("tariff1", 4), unitOf("tariff0", 3)]).toEqual(["Gcal", "kWh"]);
  });

  test("devices of another company are not found", async () => {
    const foreign = await api.signIn("engineer2@metrum.example");
    const body = { device_id: deviceId, msgType: 1, ...day };

    expect((await api.ask(readings.list, { token: foreign, input: { body } })).status).toBe(404);
    expect((await api.ask(readings.list, { input: { body } })).status).toBe(401);
    const norights = await api.signIn("norights@metrum.example");
    expect((await api.ask(readings.list, { token: norights, input: { body } })).status).toBe(403);
  });

  test("a period is read backwards along the primary key, from the partitions of its months only", async () => {
    await store(
      ...[0, 40, 80].map((days) =>
        aReading({ deviceId, msgType: 101, ts: start - days * 86_400, values: { in1: 1 } }),
      ),
    );
    const client = await api.services.database.pool.connect();
    await client.query("set enable_seqscan = off; analyze message");
    const query = seriesQuery({ deviceId, msgType: 1, from: start - 45 * 86_400, to: start, limit: 10_001 });
    const { sql, parameters } = query.compile(api.services.database.system);
    const { rows: plan } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${sql}`, [
      ...parameters,
    ]);
    client.release(true);

    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text.replaceAll(/device_id = \d+/g, "device_id = $1")).toMatchInlineSnapshot(`
      "GroupAggregate
        Group Key: ((read.ts / '243000'::bigint))
        ->  Sort
              Sort Key: ((read.ts / '243000'::bigint))
              ->  Subquery Scan on read
                    ->  Limit
                          ->  Append
                                ->  Index Scan Backward using message_2026_05_pkey on message_2026_05 message_2
                                      Index Cond: ((device_id = $1) AND (msg_type = '1'::smallint) AND (ts >= '1774483200'::bigint) AND (ts <= '1778371200'::bigint))
                                ->  Index Scan Backward using message_2026_03_pkey on message_2026_03 message_1
                                      Index Cond: ((device_id = $1) AND (msg_type = '1'::smallint) AND (ts >= '1774483200'::bigint) AND (ts <= '1778371200'::bigint))"
    `);
  });
});
