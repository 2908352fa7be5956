import { periods } from "@metrum/contract/accounting";
import { meterModels } from "@metrum/catalogue";
import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, it } from "vitest";
import { computeTotals } from "#accounting/accounting-points";
import { compareStale } from "#accounting/periods";
import { computeVirtualDevices, dependOn, dueKinds, ingest, type Incoming } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { aReading, at } from "#testing/readings";
import { startTotals } from "../../accounting/accounting-points/totals/totalsJob.ts";
import { deriveDue, startDeriving } from "../../metering/messages/derive/deriveJob.ts";
import { startVirtualDevices } from "../../metering/messages/virtual/virtualJob.ts";
import { recountZones } from "../../metering/messages/recounts/zoneJob.ts";
import { recountAll, recountsOf, type Outcome } from "./recountAll.ts";

const now = at("2026-11-05T00:00:00Z");
const start = at("2026-09-29T00:00:00Z");
/** Readings end a day before now: nothing of the present is recounted by chance. */
const hours = (at("2026-11-04T00:00:00Z") - start) / 3600;
/** The second meter begins anew here, as a person has confirmed. */
const resetAt = at("2026-10-20T00:00:00Z");
const modelId = meterModels.find(({ profileFrom }) => profileFrom === "tariff0")?.id ?? 0;

let api: TestApi;
let company: number;
let first: DeviceId;
let second: DeviceId;
let third: DeviceId;
let virtual: DeviceId;
let house: AccountingPointId;
let other: AccountingPointId;

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  company = api.companies.first;
  [first, second] = [await aDevice("first"), await aDevice("second")];
  third = await aDevice("third");
  virtual = await aDevice("virtual", [first, second]);
  [house, other] = [await aPoint("House", first), await aPoint("Other", second)];
  await query(
    `with g as (
      insert into balance_group (company_id, name, resource_type_id, allowed_imbalance, loss_rule)
      values ($1, 'Balance', 1, 5, 'none') returning id
    ) insert into balance_group_point (group_id, company_id, point_id, role) select id, $1, $2, 'in' from g`,
    [company, house],
  );
  for (const [n, device] of [first, second, third].entries())
    await ingest(api.services, readingsOf(device, n + 1));
  await work();
  const token = await api.token("engineer@metrum.example");
  const body = { month: "2026-10" };
  const { data } = await api.ask(periods.preview, { token, input: { body } });
  const closing = { ...body, digest: data.preview.digest, accepts_incomplete: true };
  const closed = await api.ask(periods.close, { token, input: { body: closing } });
  if (closed.status !== 200) throw new Error(closed.text);
  await work();
});
afterAll(() => api.close());

async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await api.services.database.pool.query<Row>(text, [...values])).rows;
}

async function aDevice(name: string, of: readonly DeviceId[] = []): Promise<DeviceId> {
  const terms = of.map((device_id) => ({ device_id, field: "tariff0", coefficient: 1 }));
  const properties = of.length === 0 ? {} : { virtual_fields_map_multiple: { tariff0: terms } };
  const [row] = await query<{ id: DeviceId }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name,
        "deviceID", timezone, properties)
      values ($1, $2, 'Model', 4, 3, 4, $3, $3, 'UTC', $4) returning id`,
    [company, modelId, name, JSON.stringify(properties)],
  );
  const id = row?.id ?? (0 as DeviceId);
  await query(
    `insert into virtual_source (virtual_id, source_id, company_id) select $1, source, $2 from unnest($3::int[]) source`,
    [id, company, of],
  );
  const spans = of.map((deviceId) => ({ deviceId, from: 0 }));
  await dependOn(api.services.database.system, dueKinds.virtualDevices, spans);
  return id;
}

async function aPoint(name: string, device: DeviceId): Promise<AccountingPointId> {
  const [row] = await query<{ id: AccountingPointId }>(
    `with point as (
      insert into accounting_point (company_id, name, resource_type_id, timezone) values ($1, $2, 1, 'UTC') returning id
    ) insert into point_device (point_id, company_id, device_id, field, from_ts)
      select id, $1, $3, 'tariff0', $4 from point returning point_id as id`,
    [company, name, device, start],
  );
  return row?.id ?? (0 as AccountingPointId);
}

function readingsOf(deviceId: DeviceId, step: number): Incoming[] {
  return Array.from({ length: hours }, (_, n) => {
    const ts = start + n * 3600;
    const isAnew = step === 2 && ts >= resetAt;
    const values: Partial<Record<FieldName, number>> = {
      tariff0: isAnew ? (ts - resetAt) / 3600 : 1000 + n * step,
      voltage1: 220 + (n % 7),
    };
    const status = ts === resetAt && isAnew ? ({ status: "measured" } as const) : {};
    return aReading({ deviceId, ts, values, ...status });
  });
}

/** What the workers do, until nothing is left. */
async function work(): Promise<void> {
  const { services } = api;
  await services.parts.readingStore.settle();
  for (let taken = 1; taken > 0;) {
    await query("update point_due set due_at = 0, again_at = 0");
    await query("update reading_due set due_at = 0, again_at = 0 where kind < 3");
    await query("update zone_due set due_at = 0");
    taken = (await recountZones(services)) + (await deriveDue(services));
    taken += (await computeVirtualDevices(services)) + (await computeTotals(services));
  }
  await query("delete from reading_due");
  while ((await compareStale(services)) > 0);
}

async function recount(isRepair = false): Promise<{ found: string[]; outcome: Outcome }> {
  const found: string[] = [];
  const outcome = await recountAll(api.services, {
    ...{ companyId: company, isRepair, recounts: recountsOf(api.services), pausesSec: [0] },
    onDifference: (each) =>
      found.push(`${each.kind}, ${each.id}, ${each.at}: ${each.stored} | ${each.recounted}`),
    onFailure: (of, error) => found.push(`${of}: ${String(error)}`),
    onProgress: () => undefined,
  });
  return { found, outcome };
}

interface Plant {
  /** One wrong number, by SQL. */
  readonly plant: () => Promise<unknown>;
  /** How it is named: "kind, id, day: stored | recounted". */
  readonly named: () => string | RegExp;
  /** Nobody computes it: it is put back by hand, as from a backup. */
  readonly putBack?: () => Promise<unknown>;
}

const day = "2026-10-10";
const noon = at(`${day}T12:00:00Z`);
/** A day after the last receipt. */
const silent = at("2026-11-04T23:00:01Z");
/** By kind, and what of it. */
const plants: Readonly<Record<string, Plant>> = {
  "device day": {
    plant: () =>
      query("update reading_day set n = n + 1 where device_id = $1 and msg_type = 1 and day = $2", [
        first,
        day,
      ]),
    named: () => `device day, device ${String(first)}, type 1, ${day}: n 25 | n 24`,
  },
  "derived row": {
    plant: () =>
      query("update message set v = '{1}' where device_id = $1 and msg_type = 100 and ts = $2", [
        third,
        noon,
      ]),
    named: () =>
      `derived row, device ${String(third)}, type 100, ${day}: ${day}T12:00:00Z tariff0 1 | tariff0 1828`,
  },
  "latest value": {
    plant: () => query("update device_latest set v = '{5,6}' where device_id = $1 and msg_type = 1", [first]),
    named: () =>
      `latest value, device ${String(first)}, type 1, 2026-11-03T23:00:00Z: tariff0 5, voltage1 6 | tariff0 1863, voltage1 222`,
  },
  "device time": {
    plant: () => query("update device_state set silent_at = silent_at + 7 where device_id = $1", [second]),
    named: () =>
      `device time, device ${String(second)}, 2026-11-03T23:00:01Z: silent_at ${String(silent + 7)} | silent_at ${String(silent)}`,
  },
  "quarantine count": {
    plant: () =>
      query(
        "insert into quarantine_count (device_id, waiting) values ($1, 3) on conflict (device_id) do update set waiting = 3",
        [third],
      ),
    named: () => `quarantine count, device ${String(third)}, 1970-01-01T00:00:00Z: waiting 3 | waiting 0`,
  },
  "virtual row": {
    plant: () =>
      query("update message set v = '{7}' where device_id = $1 and msg_type = 1 and ts = $2", [
        virtual,
        noon,
      ]),
    named: () =>
      `virtual row, device ${String(virtual)}, type 1, ${day}: ${day}T12:00:00Z tariff0 7 | tariff0 2828`,
  },
  "point day": {
    plant: () =>
      query(
        "update point_day set amount = amount + 0.000001 where point_id = $1 and field = 'main' and day = $2",
        [house, day],
      ),
    named: () => `point day, point ${String(house)}, main, ${day}: amount 24.000001 | amount 24`,
  },
  "point month": {
    plant: () =>
      query(
        "update point_month set days = replace(days, ' 9:24 ', ' 9:25 ') where point_id = $1 and month = '2026-10-01'",
        [house],
      ),
    named: () => `point month, point ${String(house)}, main, 2026-10-01: day 10 25 | day 10 24`,
  },
  "point event": {
    plant: () => query("delete from point_event where point_id = $1 and kind = 'reset'", [other]),
    named: () =>
      `point event, point ${String(other)}, main, 2026-10-20T00:00:00Z: nothing | reset device ${String(second)}, field tariff0, before 2006 and 1 more`,
  },
  "period version": {
    plant: () => query("update period_version set points = points + 1"),
    named: () => "period version, period 1, version 1, 2026-10: points 3 | points 2",
    putBack: () => query("update period_version set points = points - 1"),
  },
  "period version: loss": {
    // No losses instead of none that are known: what is billed is the same, what was stored is not.
    plant: () => query("update period_total set loss = 0 where point_id = $1 and field = 'main'", [house]),
    named: () => /^period version, period 1, version 1, 2026-10: digest \w{64} \| digest \w{64}$/,
    putBack: () => query("update period_total set loss = null"),
  },
  "period version: carried": {
    plant: () => query("update period_total set carried = 2 where point_id = $1 and field = 'main'", [house]),
    named: () => /^period version, period 1, version 1, 2026-10: digest \w{64} \| digest \w{64}$/,
    putBack: () => query("update period_total set carried = 0"),
  },
  "period difference": {
    plant: () => query("update settlement_period set differing = 4"),
    named: () => "period difference, period 1, 2026-10: points that differ 4 | points that differ 0",
  },
};

const kindsOf = () => recountsOf(api.services).flatMap(({ kinds }) => [...kinds]);

it("TRUST-029 every stored number is recounted from raw rows, and nothing of a sound installation differs", async () => {
  const { found, outcome } = await recount();

  expect(found).toEqual([]);
  expect(outcome).toMatchObject({ differing: 0, failed: 0, waiting: 0 });
  expect(outcome.rows).toBeGreaterThan(4 * hours);
  expect(await query("select from point_event where kind = 'reset'")).toHaveLength(1);
  const planted = new Set(Object.keys(plants).map((name) => name.split(":")[0]));
  expect([...planted].sort()).toEqual(kindsOf().sort());
});

it.each(Object.keys(plants))(
  "TRUST-029 one wrong number is found, named with what is stored and recounted, and put right by the workers: %s",
  async (kind) => {
    const wrong = plants[kind];
    await wrong?.plant();

    const { found, outcome } = await recount();
    const again = await recount(true);
    await work();
    await wrong?.putBack?.();
    const after = await recount();

    const named = wrong?.named();
    expect(found).toEqual([named instanceof RegExp ? expect.stringMatching(named) : named]);
    expect(outcome.differing).toBe(1);
    expect(again.found).toEqual(found);
    expect(again.outcome.notMarked).toBe(wrong?.putBack ? 1 : 0);
    expect(after.found).toEqual([]);
  },
);

/** A value that a person corrects. */
const corrected = (ts: number, tariff0: number): Incoming =>
  aReading({
    ...{ deviceId: first, ts, values: { tariff0 } },
    ...{ receivedAt: now, source: "manual", status: "corrected" },
  });

it("TRUST-029 what waits to be computed is no fault, unless its computation failed", async () => {
  await ingest(api.services, [corrected(at("2026-10-11T00:00:00Z"), 1288.5)]);
  const waiting = await recount();
  await query("update reading_due set attempts = 3");
  const failed = await recount();
  await query("update reading_due set attempts = 0");
  await work();
  const after = await recount();

  expect(waiting.found).toEqual([]);
  expect(waiting.outcome.waiting).toBeGreaterThan(1);
  const [kept, changed] = ["tariff0 1288", "tariff0 1288.5"];
  expect(failed.found).toEqual([
    `derived row, device ${String(first)}, type 100, 2026-10-11: 2026-10-11T00:00:00Z ${kept} | ${changed}`,
    `derived row, device ${String(first)}, type 101, 2026-10-11: 2026-10-11T00:00:00Z ${kept} | ${changed}`,
    `virtual row, device ${String(virtual)}, type 1, 2026-10-11: 2026-10-11T00:00:00Z tariff0 2864 | tariff0 2864.5`,
    `point day, point ${String(house)}, main, 2026-10-10: amount 24, end_value 1288 | amount 24.5, end_value 1288.5`,
    `point day, point ${String(house)}, main, 2026-10-11: amount 24, start_value 1288 | amount 23.5, start_value 1288.5`,
  ]);
  expect(after.found).toEqual([]);
});

it("TRUST-029 what was billed is not wrong because later data differ", async () => {
  await ingest(api.services, [corrected(at("2026-11-01T00:00:00Z"), 1792.5)]);
  await work();
  const { found } = await recount();

  expect(found).toEqual([]);
  expect(await query("select version, differing from settlement_period")).toEqual([
    { version: 1, differing: 1 },
  ]);
});

it("TRUST-029 a recount of one company leaves the others alone, and none writes a number", async () => {
  await query("update reading_day set n = n + 1 where device_id = $1 and msg_type = 1 and day = $2", [
    first,
    day,
  ]);
  const others = await recountAll(api.services, {
    ...{ companyId: api.companies.second, isRepair: true, recounts: recountsOf(api.services), pausesSec: [] },
    onDifference: () => undefined,
    onFailure: () => undefined,
    onProgress: () => undefined,
  });
  await recount(true);

  expect(others).toMatchObject({ differing: 0, failed: 0 });
  expect(
    await query("select n from reading_day where device_id = $1 and msg_type = 1 and day = $2", [first, day]),
  ).toEqual([{ n: 25 }]);
  expect(await query("select device_id, is_whole from zone_due")).toEqual([
    { device_id: first, is_whole: true },
  ]);
});

it("TRUST-029 beside workers and readings that come meanwhile nothing is found, and what then differs still is", async () => {
  await work();
  const { services } = api;
  const stops = [startTotals(services), startDeriving(services), startVirtualDevices(services)];
  const ending = new AbortController();
  let written = 0;
  // New readings, late ones and corrections, of the closed month too, as fast as they are stored.
  const writing = (async () => {
    for (let n = 0; !ending.signal.aborted; n++) {
      const ts = start + ((n * 37) % hours) * 3600;
      // The day that is planted stays as it is.
      if (Math.abs(ts - noon) <= 13 * 3600) continue;
      const newest = at("2026-11-04T00:00:00Z") + Math.floor(n / 6) * 600;
      const value = (when: number): number => 1000 + (when - start) / 3600;
      const of = { deviceId: first, receivedAt: now };
      await ingest(services, [
        aReading({ ...of, ts: newest, values: { tariff0: value(newest) } }),
        aReading({ ...of, ts: ts + 1200, values: { tariff0: value(ts + 1200) } }),
        corrected(ts, value(ts) + (n % 3) / 4),
      ]);
      await query("update reading_due set due_at = 0 where due_at > 0 and kind < 3");
      written += 3;
    }
  })();
  const runs: string[][] = [];
  try {
    while (written < 60 || runs.length < 2) runs.push((await recount()).found);
    await plants["device day"]?.plant();
    runs.push((await recount()).found);
  } finally {
    ending.abort();
    await writing;
    for (const stop of stops) await stop();
  }
  await query("update reading_day set n = n - 1 where device_id = $1 and msg_type = 1 and day = $2", [
    first,
    day,
  ]);
  await work();

  const planted = runs.pop();
  expect(runs.flat()).toEqual([]);
  expect(planted).toEqual([
    expect.stringMatching(/^device day, device \d+, type 1, 2026-10-10: n \d+ \| n \d+$/),
  ]);
  expect((await recount()).found).toEqual([]);
}, 240_000);
