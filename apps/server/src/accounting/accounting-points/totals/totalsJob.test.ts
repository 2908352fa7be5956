import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { meterModels } from "@metrum/catalogue";
import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { remember, type Services } from "#core";
import { ingest, markDependants } from "#metering/messages";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import { until } from "#testing/until";
import { totalsOfPoints } from "./readStore.ts";
import { pointRecount } from "./recount.ts";
import { computeTotals, startTotals } from "./totalsJob.ts";

let store: TestStore;
const midnight = at("2026-05-10T00:00:00Z");
const day = 86_400;
const hour = 3600;
const model = meterModels.find(({ profileFrom }) => profileFrom === "tariff0");

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const aMeter = () => store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
const read = (deviceId: DeviceId, hours: number, tariff0: number) =>
  aReading({
    deviceId,
    ts: midnight + hours * hour,
    receivedAt: midnight + 60 * day,
    source: "imported",
    values: { tariff0 },
  });

/** A point measured by a device since a day before the first midnight. */
async function aPoint(deviceId: DeviceId, opening = {}): Promise<AccountingPointId> {
  const [point] = await store.query<{ id: AccountingPointId }>(
    `insert into accounting_point (company_id, name, resource_type_id, timezone)
      select company_id, 'Point', 1, 'UTC' from device where id = $1 returning id`,
    [deviceId],
  );
  if (!point) throw new Error("no point");
  await tie(point.id, deviceId, { from: midnight - day, opening });
  return point.id;
}
const tie = (pointId: number, deviceId: number, given: { from: number; opening?: object }) =>
  store.query(
    `insert into point_device (point_id, company_id, device_id, field, from_ts, opening)
      select $1, company_id, id, 'tariff0', $3, $4 from device where id = $2`,
    [pointId, deviceId, given.from, JSON.stringify(given.opening ?? {})],
  );
const settle = async (services: Services = store.services) => {
  // Marks that wait for more readings are due, caches and leases of failed computations have expired.
  const due = async () => {
    await store.query("update reading_due set due_at = 0, leased_until = 0");
    await store.query("update point_due set due_at = 0, again_at = 0, leased_until = 0");
  };
  await due();
  for (let runs = 0; (await computeTotals(services)) > 0; runs++) {
    expect(runs).toBeLessThan(20);
    await due();
  }
};
const days = (pointId: number) =>
  store.query<ReturnType<typeof row>>(
    `select day::text as day, trim_scale(amount)::text as amount, trim_scale(gap_amount)::text as gap, flags
      from point_day where point_id = $1 and field = 'main' order by day`,
    [pointId],
  );
const row = (name: string, amount: string | null, gap: string | null = null, flags = 0) => ({
  day: `2026-05-${name}`,
  amount,
  gap,
  flags,
});

it("TRUST-011 a reading, a late one and a correction change the days of the point, and nothing else is touched", async () => {
  const device = await aMeter();
  const pointId = await aPoint(device);
  await settle();
  await ingest(store.services, [read(device, 0, 100), read(device, 24, 110), read(device, 96, 140)]);
  await settle();
  expect(await days(pointId)).toEqual([
    row("10", "10"),
    row("11", null),
    row("13", null, "30"),
    row("14", null),
  ]);

  await ingest(store.services, [read(device, 48, 121)]);
  await settle();
  expect(await days(pointId)).toEqual([
    row("10", "10"),
    row("11", "11"),
    row("12", null),
    row("13", null, "19"),
    row("14", null),
  ]);

  await ingest(store.services, [{ ...read(device, 24, 112), status: "corrected" }]);
  await settle();
  expect((await days(pointId)).slice(0, 2)).toEqual([row("10", "12"), row("11", "9")]);
});

it("TRUST-011 a correction right after the device was tied counts at once, also by a process that knows of no tie", async () => {
  const device = await aMeter();
  const peer = store.peer();
  await ingest(peer, [read(device, 0, 100), read(device, 24, 110)]);
  const pointId = await aPoint(device);
  await computeTotals(store.services);
  expect((await days(pointId))[0]).toEqual(row("10", "10"));

  await ingest(peer, [{ ...read(device, 24, 112), status: "corrected" }]);
  await ingest(peer, [read(device, 12, 105)]);
  const marks = await store.query(
    "select from_ts, to_ts from reading_due where device_id = $1 and kind = 1",
    [device],
  );
  await computeTotals(store.services);

  expect(marks).toEqual([{ from_ts: midnight + 12 * hour, to_ts: midnight + 24 * hour }]);
  expect((await days(pointId))[0]).toEqual(row("10", "12"));
});

it("TRUST-011 a clock set back across a restart keeps no point waiting", async () => {
  const { clock, database } = store.services;
  const pointId = await aPoint(await aMeter());
  const marks = () => store.query("select from point_due where point_id = $1", [pointId]);
  const former = clock.now() + 7_200;
  await store.query(
    "update point_due set due_at = $2, leased_until = $2, again_at = $2 where point_id = $1",
    [pointId, former],
  );
  await remember(database.system, "clock_seen:points", { at: former });

  const stop = startTotals(store.services);
  await until(async () => (await marks()).length === 0);
  await stop();
});

it("TRUST-011 a rejected reading leaves the sums, and a suspect one never enters them", async () => {
  const device = await aMeter();
  const pointId = await aPoint(device);
  await settle();
  await ingest(store.services, [read(device, 0, 100), read(device, 24, 999), read(device, 48, 120)]);
  await settle();
  // The fall after the wrong value is suspect, so nothing after it is known.
  expect((await days(pointId)).map(({ amount }) => amount)).toEqual(["899", null]);

  await ingest(store.services, [{ ...read(device, 48, 120), status: "corrected" }]);
  await store.query("update message set status = 4 where device_id = $1 and ts = $2", [
    device,
    midnight + day,
  ]);
  await markDependants(store.services.database.system, 1, [
    { deviceId: device, from: midnight + day, to: midnight + day },
  ]);
  await settle();

  expect(await days(pointId)).toEqual([row("10", null), row("11", null, "20"), row("12", null)]);
});

it("TRUST-011 a recognised reset is stored once, and removed when a correction shows that there was none", async () => {
  const device = await aMeter();
  const pointId = await aPoint(device);
  const events = () =>
    store.query("select kind, ts, details from point_event where point_id = $1", [pointId]);
  const decided = { status: "corrected" } as const;
  await ingest(store.services, [
    read(device, 0, 100),
    { ...read(device, 12, 3), ...decided },
    read(device, 24, 5),
  ]);
  await settle();
  await ingest(store.services, [read(device, 18, 4)]);
  await settle();
  expect(await events()).toEqual([
    { kind: "reset", ts: midnight + 12 * hour, details: { field: "tariff0", before: 100, after: 3 } },
  ]);

  await ingest(
    store.services,
    [12, 18, 24].map((hours) => ({ ...read(device, hours, 100 + hours), ...decided })),
  );
  await settle();

  expect(await events()).toEqual([]);
  expect((await days(pointId))[0]).toEqual(row("10", "24"));
});

it("AP-018 ties, ratios, added amounts and the zone of a point change its days without a call", async () => {
  const [old, next] = [await aMeter(), await aMeter()];
  await store.query(
    "update device set company_id = (select company_id from device where id = $1) where id = $2",
    [old, next],
  );
  const pointId = await aPoint(old);
  await ingest(store.services, [read(old, 0, 100), read(old, 24, 110), read(next, 36, 3), read(next, 48, 5)]);
  await settle();

  await store.query(`update point_device set to_ts = $2, closing = '{"tariff0": 114}' where point_id = $1`, [
    pointId,
    midnight + 36 * hour,
  ]);
  await tie(pointId, next, { from: midnight + 36 * hour });
  await settle();
  expect(await days(pointId)).toEqual([row("10", "10"), row("11", "6", null, 1), row("12", null)]);

  await store.query(
    `insert into point_term (point_id, company_id, kind, from_ts, number)
      select id, company_id, 'ratio', $2, 20 from accounting_point where id = $1`,
    [pointId, midnight + day],
  );
  await store.query(
    `insert into point_amount (point_id, company_id, field, from_ts, to_ts, amount, method)
      select id, company_id, 'main', $2, $3, 1.5, 'by hand' from accounting_point where id = $1`,
    [pointId, midnight + day, midnight + 2 * day],
  );
  await settle();
  expect(await days(pointId)).toEqual([row("10", "10"), row("11", "121.5", null, 3), row("12", null)]);

  await store.query("update accounting_point set timezone = 'Asia/Almaty' where id = $1", [pointId]);
  await store.query("delete from point_amount where point_id = $1", [pointId]);
  await settle();
  // Midnight in Almaty is 19:00 UTC: between readings twelve hours apart the register is unknown there.
  expect(await days(pointId)).toEqual([row("10", null), row("11", "80", "10", 3), row("12", null, "40")]);

  await store.query("delete from point_device where point_id = $1", [pointId]);
  await settle();
  expect(await days(pointId)).toEqual([]);
  expect(
    await store.query("select * from device_dependent where device_id = any($1)", [[old, next]]),
  ).toEqual([]);
});

it("ties of many devices are taken away at once, without a lock in memory for each of them", async () => {
  const meters = await store.query<{ id: DeviceId }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, 'many ' || n
      from device, generate_series(1, 20) n where id = $1 returning id`,
    [await aMeter()],
  );
  const points: number[] = [];
  for (const { id } of meters) points.push(await aPoint(id));
  const locks = await store.services.database.system.transaction().execute(async (db) => {
    await sql`delete from point_device where point_id = any(${points}::int[])`.execute(db);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(
      db,
    );
    return rows[0]?.n;
  });
  await settle();

  expect(locks).toBeLessThan(5);
  expect(await store.query("select * from point_day where point_id = any($1)", [points])).toEqual([]);
});

it("TRUST-019 a change of today alters no number of yesterday: its days are not even written", async () => {
  const device = await aMeter();
  const pointId = await aPoint(device);
  await ingest(
    store.services,
    [0, 24, 48, 72].map((hours) => read(device, hours, 100 + hours)),
  );
  await settle();
  const written = () =>
    store.query(
      "select day::text, xmin::text, amount from point_day where point_id = $1 and day < '2026-05-12'",
      [pointId],
    );
  const before = await written();

  await store.query(
    `insert into point_term (point_id, company_id, kind, from_ts, number)
      select id, company_id, 'ratio', $2, 40 from accounting_point where id = $1`,
    [pointId, midnight + 2 * day],
  );
  await settle();

  expect(await days(pointId)).toMatchObject([
    { amount: "24" },
    { amount: "24" },
    { amount: "960" },
    { amount: null },
  ]);
  expect(await written()).toEqual(before);
});

it("TRUST-011 readings stored by a process that does not know of the point yet are not lost", async () => {
  const device = await aMeter();
  const peer = store.peer();
  // The other process caches that nothing depends on the device.
  await ingest(peer, [read(device, 0, 100)]);
  const pointId = await aPoint(device);
  while ((await computeTotals(store.services)) > 0);
  expect(await days(pointId)).toEqual([row("10", null)]);

  await ingest(peer, [read(device, 24, 110)]);
  expect(await store.query("select * from reading_due where kind = 1 and device_id = $1", [device])).toEqual(
    [],
  );
  const [mark] = await store.query<{ wait: number }>(
    "select due_at - extract(epoch from clock_timestamp())::int8 as wait from point_due where point_id = $1",
    [pointId],
  );
  expect(mark?.wait).toBeGreaterThan(50);
  await settle();

  expect(await days(pointId)).toEqual([row("10", "10"), row("11", null)]);
  expect(await store.query("select * from point_due where point_id = $1", [pointId])).toEqual([]);
});

it("TRUST-011 a point that is changed now comes before the many of an import, and these go on", async () => {
  await store.query("delete from point_due");
  const points = await store.query<{ id: number }>(
    `insert into accounting_point (company_id, name, resource_type_id, timezone)
      select max(c.id), 'Imported', 1, 'UTC' from company c, generate_series(1, 60) n group by n returning id`,
  );
  // The import marked them one after another, the last one first; then somebody changes that one.
  await store.query(
    `insert into point_due (point_id, from_ts, to_ts, marked_at)
      select id, 0, 0, 1000 - id from unnest($1::int[]) as k(id)`,
    [points.map(({ id }) => id)],
  );
  const [changed, second] = [points.at(-1)?.id, points.at(-2)?.id];
  await store.query("select mark_point($1::int, 0, 0)", [changed]);

  await computeTotals(store.services);

  const waiting = (await store.query<{ id: number }>("select point_id as id from point_due")).map(
    ({ id }) => id,
  );
  expect(waiting.length).toBeGreaterThan(30);
  expect(waiting).not.toContain(changed);
  // Of the others those that were marked first have a share of the turn.
  expect(waiting).not.toContain(second);
});

it("TRUST-011 years of readings are computed in parts, and a long gap needs none", async () => {
  const device = await aMeter();
  const pointId = await aPoint(device);
  await store.query("update point_device set from_ts = $2 where point_id = $1", [
    pointId,
    midnight - 3000 * day,
  ]);
  const hours = Array.from({ length: 40 }, (_, n) => n * 24);
  await ingest(store.services, [
    read(device, -2900 * 24, 10),
    ...hours.map((each) => read(device, each, 100 + each)),
  ]);
  await settle();

  const [total] = await totalsOfPoints(store.services.database.system, {
    pointIds: [pointId],
    fromDay: "2018-01-01",
    toDay: "2026-12-31",
  });

  expect(total).toMatchObject({
    amount: "1026",
    coveredSec: (2900 + 39) * day,
    firstRegister: 10,
    lastRegister: 1036,
  });
});

it("TRUST-011 TRUST-019 the month of a meter read once a day is whole, and follows what comes late, is doubted or half filled", async () => {
  const device = await aMeter();
  const pointId = await aPoint(device);
  const daily = Array.from({ length: 12 }, (_, n) => ({
    ...read(device, n * 24 - 14, 100 + n * 24),
    source: "pushed" as const,
  }));
  const received = (each: (typeof daily)[number]) => ({ ...each, receivedAt: each.ts + 5 });
  // One by one, as a meter sends them: days before are computed again once it is known how rarely it does.
  for (const each of daily) {
    await ingest(store.services, [received(each)]);
    await settle();
  }
  const of = async (name: string) => (await days(pointId)).find((each) => each.day.endsWith(name));
  const whole = async () =>
    (
      await totalsOfPoints(store.services.database.system, {
        pointIds: [pointId],
        fromDay: "2026-05-10",
        toDay: "2026-05-18",
      })
    )[0];
  expect(await whole()).toMatchObject({
    amount: "216",
    coveredSec: 9 * day,
    lengthSec: 9 * day,
    estimated: "0",
  });
  expect((await of("13"))?.flags).toBe(16 + 32);

  // Neither a suspect value nor a row without the register divides anything.
  await ingest(store.services, [
    { ...read(device, 72, 9_000), status: "suspect" },
    aReading({
      deviceId: device,
      ts: midnight + 3 * day + 60,
      receivedAt: midnight + 60 * day,
      source: "imported",
      values: { voltage1: 230 },
    }),
    ...daily.slice(5, 6).map(received),
  ]);
  await settle();
  expect([await of("12"), await of("13")]).toEqual([row("12", "24", null, 48), row("13", "24", null, 48)]);

  // A late one of midnight does.
  await ingest(store.services, [{ ...read(device, 71.9, 190), status: "late" }]);
  await settle();
  const [a, b] = [await of("12"), await of("13")];
  expect(Number(a?.amount)).toBeGreaterThan(27);
  expect(Number(a?.amount) + Number(b?.amount)).toBeCloseTo(48, 6);
  expect((await whole())?.amount).toBe("216");
});

it("AP-019 TRUST-011 the day on which the old meter left follows the coming of the new one, and its going", async () => {
  const [left, came] = [await aMeter(), await aMeter()];
  const pointId = await aPoint(left);
  await store.query(`update point_device set to_ts = $2, closing = '{"tariff0": 110}' where point_id = $1`, [
    pointId,
    midnight + 10 * hour,
  ]);
  await store.query(
    "update device set company_id = (select company_id from device where id = $2) where id = $1",
    [came, left],
  );
  await ingest(store.services, [read(left, 0, 100), read(came, 492, 12)]);
  await settle();
  const lengths = () =>
    store.query(
      `select to_char(day, 'DD') as day, length_sec / 3600 as hours, flags & 64 as flag from point_day
        where point_id = $1 and field = 'main' and amount is not null order by day`,
      [pointId],
    );
  expect(await lengths()).toEqual([{ day: "10", hours: 24, flag: 0 }]);

  // Twenty days later: farther than a recount of that day reaches.
  await tie(pointId, came, { from: midnight + 490 * hour, opening: { tariff0: 10 } });
  await settle();
  expect(await lengths()).toEqual([
    { day: "10", hours: 10, flag: 64 },
    { day: "30", hours: 14, flag: 64 },
  ]);

  await store.query("delete from point_device where point_id = $1 and device_id = $2", [pointId, came]);
  await settle();
  expect(await lengths()).toEqual([{ day: "10", hours: 24, flag: 0 }]);
});

it("TRUST-011 a turn that ends after its first part loses no day behind the changed span", async () => {
  const device = await aMeter();
  const pointId = await aPoint(device);
  const every = 42;
  const rare = Array.from({ length: 32 }, (_, n) => 30 + n * every);
  const given = (hours: readonly number[]) => hours.map((each) => read(device, each, 1000 + each));
  await ingest(store.services, given(rare));
  await settle();

  // Readings twice a day make the next distance, of 42 hours on the 32nd day after the first window, a gap.
  const last = 42.5 * 24;
  await ingest(store.services, given(Array.from({ length: 62 }, (_, n) => last - n * 12)));
  await settle(impatient());

  expect(await pointRecount(store.services).examine(pointId, 0)).toMatchObject({ differences: [] });
});

/** Services of a process on a machine so busy that each turn is over after its first part. */
function impatient(): Services {
  let ms = 0;
  return { ...store.services, clock: { ...store.services.clock, monotonicMs: () => (ms += 3_000) } };
}
