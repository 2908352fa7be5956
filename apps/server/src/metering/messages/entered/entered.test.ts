import { readings } from "@metrum/contract/metering";
import { meterModels } from "@metrum/catalogue";
import { sources, statuses, type DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { ingest } from "../ingest/ingest.ts";

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
  readonly tariff0?: number | null;
  readonly tariff1?: number | null;
  readonly tariff2?: number | null;
  readonly tariff3?: number | null;
  readonly tariff4?: number | null;
  readonly in1?: number | null;
  readonly reason?: number;
}

const enter = (message: Entered, msgType?: number, more = {}) =>
  api.ask(readings.dirtyOne, {
    token,
    input: {
      body: {
        device_id: deviceId,
        message: { ...message, message_api: true },
        ...(msgType === undefined ? {} : { msgType }),
        ...more,
      },
    },
  });
const confirmed = { confirm: true, confirm_reason: "The display was read twice" };

async function rows() {
  const body = { device_id: deviceId, msgType: 1, startDate: start, stopDate: start + 2 * 86_400 };
  const { data, text } = await api.ask(readings.list, { token, input: { body } });
  if (!("data" in data)) throw new Error(text);
  return data.data;
}

test("MANUAL-014 a confirmed reading replaces the measured one, which stays in the history", async () => {
  await ingest(api.services, [aReading({ deviceId, ts: start, values: { tariff1: 1 } })]);

  const entered = await enter({ datetime: start, tariff1: 7, reason: 3 }, 1, confirmed);
  const empty = await enter({ datetime: start });
  const impossible = await enter({ datetime: at("2100-01-01T00:00:00Z"), tariff1: 1 });

  expect([entered.status, empty.status, impossible.status]).toEqual([200, 422, 422]);
  expect((await rows())[0]).toMatchObject({ tariff1: 7, status: "corrected", message_api: true, reason: 3 });
  const { rows: history } = await api.services.database.pool.query(
    `select array[v[array_position(fields, 'tariff1')]] as v, replaced_by is not null as by_somebody
      from message_revision r join field_set s on s.id = r.field_set_id where device_id = $1`,
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
  await ingest(api.services, [aReading({ deviceId, ts: start, values: { tariff2: 2 } })]);

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

/** The total at a time, and whether it is said to be calculated. */
async function totalAt(ts: number) {
  const { rows: found } = await api.services.database.pool.query<{ tariff0: number; source: number }>(
    `select v[array_position(s.fields, 'tariff0')] as tariff0,
        coalesce((m.by_field -> 'tariff0' ->> 'source')::int, m.source) as source
      from message m join field_set s on s.id = m.field_set_id
      where device_id = $1 and msg_type = 1 and ts = $2`,
    [deviceId, ts],
  );
  const [row] = found;
  return row && { tariff0: row.tariff0, isCalculated: row.source === sources.calculated };
}

/** A meter with a total and four tariffs. */
async function withTariffs(): Promise<void> {
  const model = meterModels.find(({ fields }) => fields.includes("tariff0") && fields.includes("tariff4"));
  await api.services.database.pool.query("update device set model_id = $2 where id = $1", [
    deviceId,
    model?.id,
  ]);
}

test("MANUAL-014 what is entered of a meter without tariffs is its total", async () => {
  await enter({ datetime: start, tariff1: 7 });
  await enter({ datetime: start, tariff1: 8 });

  expect(await totalAt(start)).toEqual({ tariff0: 8, isCalculated: true });
  expect((await rows())[0]).toMatchObject({ tariff1: 8, source: "manual", status: "manual" });
});

test("MANUAL-014 the total follows from all tariffs that were entered, to the last decimal, and is marked", async () => {
  await withTariffs();
  const all = { tariff1: 0.1, tariff2: 0.2, tariff3: 0, tariff4: 0 };
  await enter({ datetime: start, ...all });
  expect(await totalAt(start)).toEqual({ tariff0: 0.3, isCalculated: true });

  // A single tariff is changed: those that stand at the same time count on.
  await enter({ datetime: start, tariff2: 5 });
  expect(await totalAt(start)).toEqual({ tariff0: 5.1, isCalculated: true });

  // The third has never counted.
  await enter({ datetime: start + 3600, tariff1: 1, tariff2: 6 });
  expect(await totalAt(start + 3600)).toEqual({ tariff0: 7, isCalculated: true });
  await enter({ datetime: start + 7200, tariff1: 2 });
  expect((await totalAt(start + 7200))?.tariff0 ?? null).toBeNull();
});

test("MANUAL-014 a tariff that nobody has read yet may count: no total is made up", async () => {
  await withTariffs();
  await enter({ datetime: start, tariff1: 7 });
  expect((await totalAt(start))?.tariff0 ?? null).toBeNull();

  // The meter has counted in one tariff only since.
  await enter({ datetime: start + 86_400, tariff1: 9 });
  expect(await totalAt(start + 86_400)).toEqual({ tariff0: 9, isCalculated: true });
});

test("MANUAL-014 the total can be entered itself, and no calculated one replaces it", async () => {
  await withTariffs();
  const all = { tariff1: 1, tariff2: 2, tariff3: 0, tariff4: 0 };
  await enter({ datetime: start, tariff0: 3.5, ...all });
  const later = await enter({ datetime: start, ...all });

  expect([later.status, await totalAt(start)]).toEqual([200, { tariff0: 3.5, isCalculated: false }]);
});

test("MANUAL-014 a meter whose own total is no sum of its tariffs gets none", async () => {
  await withTariffs();
  await ingest(api.services, [
    aReading({ deviceId, ts: start, values: { tariff0: 1000, tariff1: 1, tariff2: 2 } }),
  ]);

  await enter({ datetime: start + 3600, tariff1: 2, tariff2: 3, tariff3: 0, tariff4: 0 });

  expect((await totalAt(start + 3600))?.tariff0 ?? null).toBeNull();
});

test("MANUAL-014 a total is refused for a meter that has none", async () => {
  const water = meterModels.find(({ resource }) => resource === "water");
  await api.services.database.pool.query("update device set model_id = $2 where id = $1", [
    deviceId,
    water?.id,
  ]);

  expect(Object.keys((await enter({ datetime: start, tariff0: 7 })).attributes)).toEqual(["message.tariff0"]);
});

test("MANUAL-014 a corrected tariff stays, and the total is that of what stands", async () => {
  await ingest(api.services, [
    { ...aReading({ deviceId, ts: start, values: { tariff1: 1 } }), status: "corrected" },
    aReading({ deviceId, ts: start, values: { tariff3: 0 } }),
  ]);

  await enter({ datetime: start, tariff1: 7, tariff2: 3 });

  expect((await rows())[0]).toMatchObject({ tariff1: 1, tariff2: 3 });
  expect((await totalAt(start))?.tariff0).toBe(4);
});

const hour = 3600;
const query = (text: string, values: readonly unknown[]) =>
  api.services.database.pool.query<Record<string, unknown>>(text, [...values]);

/** The total at a time with its status, and its history, newest first. */
async function statusAt(ts: number) {
  const { rows: now } = await query(
    `select v[array_position(s.fields, 'tariff0')] as value,
        coalesce((m.by_field -> 'tariff0' ->> 'status')::int, m.status) as status
      from message m join field_set s on s.id = m.field_set_id where device_id = $1 and msg_type = 1 and ts = $2`,
    [deviceId, ts],
  );
  const { rows: history } = await query(
    `select v[array_position(s.fields, 'tariff0')] as value, is_refused, replaced_by is not null as by_somebody, reason
      from message_revision r join field_set s on s.id = r.field_set_id where device_id = $1 and ts = $2
      order by replaced_at desc, revision desc`,
    [deviceId, ts],
  );
  const [found] = now;
  const name = Object.entries(statuses).find(([, { id }]) => id === found?.["status"])?.[0];
  return { value: found?.["value"], status: name, history };
}

test("TRUST-028 an entered value that differs from the measured one of that time never wins by itself", async () => {
  const measured = aReading({ deviceId, ts: start, values: { tariff0: 720 } });
  await ingest(api.services, [measured]);

  const entered = await enter({ datetime: start, tariff0: 721 });
  const waiting = await statusAt(start);
  const unfounded = await enter({ datetime: start, tariff0: 721 }, 1, { confirm: true, confirm_reason: " " });
  await enter({ datetime: start, tariff0: 721 }, 1, confirmed);
  const { rows: log } = await query(
    `select action, user_id is not null as by_somebody, after ->> 'confirmed' as reason from audit
      where subject = $1 order by id desc limit 1`,
    [`device ${String(deviceId)}`],
  );

  expect(entered.data).toMatchObject({
    counts: false,
    checks: [{ field: "tariff0", given: 721, measured: 720, verdict: "differs" }],
  });
  expect(entered.text).toContain("прибор передал 720, введено 721");
  expect(waiting).toEqual({
    ...{ value: 720, status: "measured" },
    history: [{ value: 721, is_refused: true, by_somebody: true, reason: "entered by hand, not confirmed" }],
  });
  expect([unfounded.status, Object.keys(unfounded.attributes)]).toEqual([422, ["confirm_reason"]]);
  expect(await statusAt(start)).toMatchObject({
    ...{ value: 721, status: "corrected" },
    history: [
      { value: 720, is_refused: false, by_somebody: true, reason: confirmed.confirm_reason },
      { value: 721, is_refused: true },
    ],
  });
  expect(log).toEqual([{ action: "reading.confirm", by_somebody: true, reason: confirmed.confirm_reason }]);
  // The meter that says its value again does not undo the decision.
  await ingest(api.services, [measured]);
  expect(await statusAt(start)).toMatchObject({ value: 721, status: "corrected" });
});

test("TRUST-028 a value of another type that was measured at that time is outranked by a confirmed one only", async () => {
  await ingest(api.services, [aReading({ deviceId, ts: start, msgType: 101, values: { tariff0: 720 } })]);

  const same = await enter({ datetime: start, tariff0: 720 });
  const other = await enter({ datetime: start, tariff0: 719 }, 100);

  expect([same.data.counts, other.data.counts, other.data.checks[0]?.verdict]).toEqual([
    true,
    false,
    "differs",
  ]);
});

test("TRUST-028 the next value of the meter is not judged by a doubtful entered one", async () => {
  await ingest(api.services, [aReading({ deviceId, ts: start, values: { tariff0: 700 } })]);
  await ingest(api.services, [aReading({ deviceId, ts: start + 24 * hour, values: { tariff0: 720 } })]);
  await enter({ datetime: start + 25 * hour, tariff0: 4976 });
  await ingest(api.services, [aReading({ deviceId, ts: start + 26 * hour, values: { tariff0: 722 } })]);

  expect(await statusAt(start + 25 * hour)).toMatchObject({ value: 4976, status: "suspect" });
  expect(await statusAt(start + 26 * hour)).toMatchObject({ value: 722, status: "measured" });
});

test("TRUST-028 estimated and derived values contradict nothing: they give way to what a person has read", async () => {
  const estimate = { source: "calculated", status: "estimated" } as const;
  await ingest(api.services, [
    aReading({ deviceId, ts: start, values: { tariff0: 700 } }),
    aReading({ deviceId, ts: start + 10 * hour, values: { tariff0: 730 }, ...estimate }),
    aReading({ deviceId, ts: start + 20 * hour, values: { tariff0: 760 }, ...estimate }),
    aReading({
      deviceId,
      ts: start + 15 * hour,
      msgType: 100,
      values: { tariff0: 750 },
      source: "calculated",
    }),
  ]);

  const entered = await enter({ datetime: start + 20 * hour, tariff0: 705 });
  const before = await enter({ datetime: start + 5 * hour, tariff0: 702 });

  expect([entered.data.counts, before.data.counts]).toEqual([true, true]);
  expect(await statusAt(start + 20 * hour)).toMatchObject({ value: 705, status: "manual" });
});

test("TRUST-028 a total that follows from doubtful tariffs is doubtful, and is confirmed with them", async () => {
  await withTariffs();
  await ingest(api.services, [
    aReading({
      deviceId,
      ts: start,
      values: { tariff0: 30, tariff1: 10, tariff2: 20, tariff3: 0, tariff4: 0 },
    }),
    aReading({ deviceId, ts: start + 48 * hour, values: { tariff0: 34, tariff1: 12, tariff2: 22 } }),
  ]);
  const given = { datetime: start + 24 * hour, tariff1: 11, tariff2: 210, tariff3: 0, tariff4: 0 };

  const { data } = await enter(given);
  const waiting = await statusAt(given.datetime);
  const tariffs = (await rows()).find(({ datetime }) => datetime === given.datetime);
  await enter(given, 1, confirmed);

  expect(data.checks.filter(({ verdict }) => verdict === "beyond").map(({ field }) => field)).toEqual([
    "tariff0",
    "tariff2",
  ]);
  expect([data.counts, waiting.value, waiting.status]).toEqual([false, 221, "suspect"]);
  expect(tariffs).toMatchObject({ status: "suspect" });
  expect(await statusAt(given.datetime)).toMatchObject({ value: 221, status: "corrected" });
});

test.each([
  ["below the reading before", 1, "below", "1 меньше предыдущего показания 12000"],
  ["far above the usual growth", 13_000, "above", "прирост 1000 намного больше обычного: 24"],
  ["above the reading after", 12_040, "beyond", "12040 больше следующего показания 12030"],
])(
  "MANUAL-019 TRUST-028 a reading %s waits for a confirmation, and the answer says so",
  async (_, tariff0, verdict, words) => {
    const ts = (hours: number) => start + hours * hour;
    const read = (hours: number, value: number, more = {}) =>
      ingest(api.services, [aReading({ deviceId, ts: ts(hours), values: { tariff0: value }, ...more })]);
    await read(0, 11_976);
    await read(24, 12_000, { msgType: 101 });
    if (verdict === "beyond") await read(50, 12_030);

    const entered = await enter({ datetime: ts(48), tariff0 });
    const waiting = (await statusAt(ts(48))).status;
    const again = await enter({ datetime: ts(48), tariff0 }, 1, confirmed);
    const counting = (await statusAt(ts(48))).status;
    await query("delete from message where device_id = $1 and ts = $2", [deviceId, ts(48)]);
    const usual = await enter({ datetime: ts(48), tariff0: 12_025 });

    expect(usual.data.checks).toMatchObject([
      { field: "tariff0", verdict: "ok", expected: 24, difference: 25 },
    ]);
    expect(usual.text).toContain('"Сохранено"');
    expect([entered.status, entered.data.checks]).toMatchObject([
      200,
      [{ given: tariff0, last_value: 12_000, last_at: ts(24), expected: 24, verdict }],
    ]);
    expect(entered.text).toContain(words);
    expect([entered.data.counts, again.data.counts, usual.data.counts]).toEqual([false, true, true]);
    expect([waiting, counting]).toEqual(["suspect", "corrected"]);
    expect(again.text).toContain("Сохранено и подтверждено");
  },
);

test("MANUAL-019 a counter that rolls over is not below the reading before", async () => {
  const model = meterModels.find((each) => each.resource === "electricity" && each.counterCapacity);
  const capacity = model?.counterCapacity ?? 0;
  await api.services.database.pool.query("update device set model_id = $2 where id = $1", [
    ...[deviceId, model?.id],
  ]);
  const day = 24 * hour;
  await ingest(api.services, [
    aReading({ deviceId, ts: start - day, values: { tariff0: capacity - 130 } }),
    aReading({ deviceId, ts: start, values: { tariff0: capacity - 10 } }),
  ]);

  const { data } = await enter({ datetime: start + hour, tariff0: 10 });

  expect(data.checks).toMatchObject([{ verdict: "ok", difference: 20 - capacity }]);
});

test("TRUST-028 a meter that is read once a year is judged by the readings nearest to a value, whatever their age", async () => {
  const day = 24 * hour;
  const read = (days: number, tariff0: number) =>
    ingest(api.services, [aReading({ deviceId, ts: start + days * day, values: { tariff0 } })]);
  await read(-400, 5_000);

  const below = await enter({ datetime: start, tariff0: 4_000 });
  await read(300, 9_000);
  const beyond = await enter({ datetime: start + day, tariff0: 9_500 });
  const between = await enter({ datetime: start + 2 * day, tariff0: 7_000 });

  const verdicts = [below, beyond, between].map(({ data }) => [data.checks[0]?.verdict, data.counts]);
  expect(verdicts).toEqual([
    ["below", false],
    ["beyond", false],
    ["ok", true],
  ]);
});

test("TRUST-028 a new meter has no usual load: what its digits can count is the limit, not a share of its reading", async () => {
  const model = meterModels.find((each) => each.resource === "electricity" && each.counterCapacity);
  await query("update device set model_id = $2 where id = $1", [deviceId, model?.id]);
  const read = (hours: number, tariff0: number) =>
    ingest(api.services, [aReading({ deviceId, ts: start + hours * hour, values: { tariff0 } })]);
  await read(0, 0.1);
  await read(1, 0.1);

  const moved = await enter({ datetime: start + 30 * hour, tariff0: 40 });
  const impossible = await enter({
    datetime: start + 31 * hour,
    tariff0: 40 + (model?.counterCapacity ?? 0) / 20,
  });

  expect([moved.data.checks[0]?.verdict, moved.data.counts]).toEqual(["ok", true]);
  expect([impossible.data.checks[0]?.verdict, impossible.data.counts]).toEqual(["above", false]);
});
