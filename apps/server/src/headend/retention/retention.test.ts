import { auditLog } from "@metrum/contract/access";
import { retention, tasks } from "@metrum/contract/headend";
import { quarantineBounds } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partitionsOf, partitionedTable, remembered } from "#core";
import { logExchanges, type ExchangeRow } from "#headend/exchanges";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { aReading } from "#testing/readings";
import { makeFixture, type Fixture } from "#testing/records";
import { tend } from "./jobs.ts";
import { expiredTo } from "./policy.ts";

const day = 86_400;
const engineer = "engineer@metrum.example";

const now = Math.floor(Date.now() / 1000);
const clock = { now: () => now, nowMs: () => now * 1000, monotonicMs: () => performance.now() };
let api: TestApi;
let fixture: Fixture;
beforeAll(async () => {
  api = await openTestApi({ clock });
  fixture = await makeFixture(api);
});
afterAll(() => api.close());

const system = () => api.services.database.system;
const theirs = async (): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select id from device where company_id = ${api.companies.second} order by id limit 1`.execute(system());
  return rows[0]?.id ?? 0;
};

/** An exchange this many days old. */
const exchangeOf = (deviceId: number, daysAgo: number, more: Partial<ExchangeRow> = {}): ExchangeRow => ({
  deviceId,
  startedMs: (now - daysAgo * day) * 1000,
  receivedAt: now - daysAgo * day,
  kind: "poll",
  result: "ok",
  tries: 1,
  durationMs: 40,
  line: "tcp:10.0.0.1:502",
  readings: 1,
  message: "",
  taskId: null,
  steps: [],
  ...more,
});

async function agesOf(deviceId: number): Promise<number[]> {
  const { rows } = await sql<{ ms: number }>`
    select started_ms as ms from poll_log where device_id = ${deviceId} order by started_ms`.execute(
    system(),
  );
  return rows.map(({ ms }) => Math.round((now - ms / 1000) / day));
}

async function set(body: object, as = engineer) {
  return api.ask(retention.set, { token: await api.token(as), input: { body } });
}

describe("TRUST-022 how long exchanges are kept", () => {
  test("is by default as long as that of the readings they prove", async () => {
    const { device } = fixture.ours;
    await logExchanges(system(), [exchangeOf(device, 0), exchangeOf(device, 400), exchangeOf(device, 3000)]);

    await tend(api.services);

    const { data } = await api.ask(retention.get, { token: await api.token(engineer) });
    expect(await agesOf(device)).toEqual([3000, 400, 0]);
    expect(data.retention).toMatchObject([
      { kind: "exchanges", months: null, is_fixed: false, expired_before: null },
      { kind: "revisions", months: null },
      { kind: "quarantine", months: 12 },
      { kind: "tasks", months: 36 },
      { kind: "audit", months: 36, is_fixed: true },
    ]);
  });

  test("is set by an administrator for their own company only, and recorded in the log", async () => {
    const [ours, other] = [fixture.ours.device, await theirs()];
    await logExchanges(system(), [exchangeOf(other, 0), exchangeOf(other, 400)]);

    const answer = await set({ exchanges: 12 });
    await tend(api.services);

    expect(answer.data.retention[0]).toMatchObject({ kind: "exchanges", months: 12 });
    expect([await agesOf(ours), await agesOf(other)]).toEqual([[0], [400, 0]]);
    const log = await api.ask(auditLog.log, {
      token: await api.token(engineer),
      input: { body: { action: "retention.set" } },
    });
    expect(log.data.log[0]).toMatchObject({
      before: { exchanges: null },
      after: { exchanges: 12 },
      user_name: "Engineer",
    });
  });

  test("an expired exchange is reported, with the day from which exchanges are kept", async () => {
    const { device } = fixture.ours;
    const { data } = await api.ask(tasks.logs, {
      token: await api.token(engineer),
      input: { body: { device_id: device, start_date: now - 500 * day, stop_date: now - 390 * day } },
    });
    const second = await api.ask(tasks.logs, {
      token: await api.token("engineer2@metrum.example"),
      input: { body: { device_id: await theirs() } },
    });

    expect(data).toMatchObject({ logs: { data: [], total: 0 }, expired_before: expiredTo(12, now) });
    expect(second.data).toMatchObject({ expired_before: null, logs: { total: 2 } });
  });

  test("only administrators change the policy, and invalid times are refused", async () => {
    const refused = await set({ exchanges: 1 }, "viewer@metrum.example");
    const wrong = await Promise.all([
      set({ exchanges: 0 }),
      set({ exchanges: 601 }),
      set({ exchanges: 1.5 }),
    ]);
    const fixed = await set({ audit: 1 });

    expect(refused.status).toBe(403);
    expect(wrong.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(fixed.data.retention.find(({ kind }) => kind === "audit")).toMatchObject({ months: 36 });
  });

  test("a partition is dropped as a table when the longest policy of all companies has expired", async () => {
    const [ours, other] = [fixture.ours.device, await theirs()];
    await sql`insert into company_retention (company_id, kind, months) select id, 'exchanges', 6 from company
      on conflict (company_id, kind) do update set months = excluded.months`.execute(system());
    await set({ exchanges: 12 });
    await logExchanges(system(), [exchangeOf(other, 200), exchangeOf(other, 1000), exchangeOf(ours, 200)]);
    await tend(api.services);
    const left = await partitionsOf(api.services.database.pool, partitionedTable("poll_log"));

    expect([await agesOf(ours), await agesOf(other)]).toEqual([[200, 0], [0]]);
    expect(left.every(({ to }) => to > (expiredTo(12, now) ?? 0))).toBe(true);
  });

  test("messages in quarantine expire like readings in quarantine, also those in the default partition", async () => {
    const companies = [api.companies.first, api.companies.second] as const;
    for (const companyId of companies)
      await sql`
        insert into uplink_aside (company_id, received_at, topic, payload, reason)
        select ${companyId}::int, ${now}::bigint - days * 86400, 't', '', 'unknown device'
        from unnest(array[0, 100, 200, 500]) days`.execute(system());
    const agesOf = async (companyId: number) => {
      const { rows } = await sql<{ days: number }>`
        select (${now}::bigint - received_at) / 86400 as days from uplink_aside
        where company_id = ${companyId} order by 1`.execute(system());
      return rows.map(({ days }) => days);
    };

    await set({ quarantine: 3 });
    await tend(api.services);
    await tend(api.services);

    // Without a decision they are kept for 12 months.
    expect(await Promise.all(companies.map(agesOf))).toEqual([[0], [0, 100, 200]]);
  });

  test("expired readings no longer count in the quarantine", async () => {
    const { device } = fixture.ours;
    const { ofDevice } = quarantineBounds;
    await sql`insert into reading_quarantine (device_id, received_at, msg_type, ts, reason, source, reading)
      values (${device}, ${now - 75 * day}, 1, ${now + day}, 1, 2, '{"values": {}}')`.execute(system());
    await sql`insert into quarantine_count (device_id, waiting, not_kept) values (${device}, ${ofDevice}, 5)
      on conflict (device_id) do update set waiting = excluded.waiting, not_kept = excluded.not_kept`.execute(
      system(),
    );

    await set({ quarantine: 2 });
    await tend(api.services);
    const wrong = aReading({
      deviceId: device as DeviceId,
      ts: now + day,
      values: { tariff0: 1 },
      receivedAt: now,
    });
    await ingest(api.services, [wrong]);

    const { rows } = await sql`
      select waiting, not_kept::int, (select count(*)::int from reading_quarantine q where q.device_id = c.device_id) as kept
      from quarantine_count c where device_id = ${device}`.execute(system());
    expect(rows).toEqual([{ waiting: 1, not_kept: 0, kept: 1 }]);
  });

  test("the log of the company is kept for three years whatever its policy", async () => {
    const insert = (days: number) =>
      sql`insert into audit (company_id, at, action)
        values (${api.companies.second}, to_timestamp(${now - days * day}::float8), 'auth.login')`.execute(
        system(),
      );
    await insert(3 * 365 - 1);
    await insert(3 * 366 + 40);

    await tend(api.services);
    await tend(api.services);

    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit where at < to_timestamp(${now - 1000 * day}::float8)`.execute(
      system(),
    );
    expect(rows[0]?.n).toBe(1);
  });
});

test("TRUST-022 a clock that is years ahead for a few hours deletes nothing that it should not", async () => {
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from audit`.execute(system())).rows[0]?.n;
  const before = await count();
  const ahead = now + 20 * 366 * day;
  const wrong = { ...api.services, clock: { ...api.services.clock, now: () => ahead } };

  for (let hours = 0; hours < 2; hours++) await tend(wrong);

  expect(before).toBeGreaterThan(0);
  expect(await count()).toBe(before);
  await tend(api.services);
  expect(await remembered(system(), "retention_time")).toBe(now);
});

test("TRUST-022 what has expired while no process ran is deleted within as many runs as days", async () => {
  const { device } = fixture.ours;
  await set({ exchanges: 12 });
  // Of the company that keeps its rows longest they are deleted by whole months only.
  await sql`insert into company_retention (company_id, kind, months) values (${api.companies.second}, 'exchanges', 24)
    on conflict (company_id, kind) do update set months = excluded.months`.execute(system());
  await logExchanges(system(), [exchangeOf(device, 364)]);
  const later = { ...api.services, clock: { ...api.services.clock, now: () => now + 4 * day } };
  const isKept = async () => (await agesOf(device)).includes(364);

  await tend(later);
  expect(await isKept()).toBe(true);
  for (let hours = 0; hours < 3; hours++) await tend(later);

  expect(await isKept()).toBe(false);
  await tend(api.services);
});

describe("TRUST-022 logs without a policy of the company are kept as long as the audit log", () => {
  const [recent, expired] = [3 * 365 - 30, 3 * 366 + 1];

  test("the service log", async () => {
    await sql`
      insert into service_log (company_id, service_id, at, message)
      select ${api.companies.second}::int, min(service.id), to_timestamp(${now} - days * 86400), days::text
      from service, unnest(array[0, ${recent}::int, ${expired}::int]) days group by days`.execute(system());

    await tend(api.services);

    const { rows } = await sql<{ message: string }>`select message from service_log order by at desc`.execute(
      system(),
    );
    expect(rows.map(({ message }) => message)).toEqual(["0", String(recent)]);
  });

  test("closed transparent ports, never an open one", async () => {
    const insert = (state: "open" | "closed", days: number) =>
      sql`
        insert into transparent_port (company_id, device_id, user_id, session_id, address, line, process_id, state,
          asked_at, ends_at)
        select company_id, ${fixture.ours.device}, id, 1, '10.0.0.1', ${`tcp:10.0.0.${String(days % 250)}:502`}, 1,
          ${state}, ${now - days * day}, ${now - days * day} from users where email = ${engineer}`.execute(
        system(),
      );
    await insert("closed", recent);
    await insert("closed", expired);
    await insert("open", expired + 1);

    await tend(api.services);

    const { rows } = await sql<{ state: string; days: number }>`
      select state, (${now}::bigint - ends_at) / 86400 as days from transparent_port order by ends_at`.execute(
      system(),
    );
    expect(rows).toEqual([
      { state: "open", days: expired + 1 },
      { state: "closed", days: recent },
    ]);
  });
});

describe("TRUST-022 a silent device", () => {
  const silent = (ms: number, more: Partial<ExchangeRow> = {}) =>
    exchangeOf(fixture.ours.device, 0, {
      startedMs: ms,
      receivedAt: null,
      result: "timeout",
      readings: 0,
      message: "no answer",
      steps: [{ label: "a", try: 1, tries: 1, at: 0, answered: null, ended: 9, sent: "0103", received: "" }],
      ...more,
    });
  const rowsSince = async (ms: number) =>
    (
      await sql<{ started_ms: number; repeats: number; last_ms: number | null; result: number }>`
        select started_ms, repeats, last_ms, result from poll_log
        where device_id = ${fixture.ours.device} and started_ms >= ${ms} order by started_ms`.execute(
        system(),
      )
    ).rows;

  test("that is polled every minute is one row a day with a count, and one more for each other outcome", async () => {
    const midnight = (Math.floor(now / day) - 3) * day * 1000;
    const minute = 60_000;
    for (let n = 0; n < 2 * 1440; n += 40) await logExchanges(system(), [silent(midnight + n * minute)]);

    const rows = await rowsSince(midnight);

    expect(rows.filter(({ started_ms }) => started_ms < midnight + 2 * day * 1000)).toMatchObject([
      { started_ms: midnight, repeats: 35, last_ms: midnight + 1400 * minute },
      { started_ms: midnight + day * 1000, repeats: 35 },
    ]);
  });

  test("an answer, another failure, a request by a user and received bytes are separate rows", async () => {
    const from = (Math.floor(now / day) - 40) * day * 1000;
    const at = (n: number) => from + n * 60_000;
    const rows = [
      silent(at(0)),
      silent(at(1)),
      silent(at(2), { result: "ok", receivedAt: 1, message: "" }),
      silent(at(3)),
      silent(at(4), { message: "something else" }),
      silent(at(5), { kind: "request" }),
      silent(at(6)),
      silent(at(7), { line: "tcp:10.0.0.2:502" }),
    ];
    for (const row of rows) await logExchanges(system(), [row]);

    const stored = (await rowsSince(from)).filter(({ started_ms }) => started_ms < from + day * 1000);

    expect(stored.map(({ started_ms, repeats }) => [(started_ms - from) / 60_000, repeats])).toEqual([
      [0, 1],
      [2, 0],
      [3, 0],
      [4, 0],
      [5, 0],
      [6, 0],
      [7, 0],
    ]);
  });

  test("is shown with count and last time, also if only the last time is in the period", async () => {
    const midnight = (Math.floor(now / day) - 3) * day;
    const { data } = await api.ask(tasks.logs, {
      token: await api.token(engineer),
      input: {
        body: {
          device_id: fixture.ours.device,
          start_date: midnight + day - 3600,
          stop_date: midnight + day - 1,
        },
      },
    });

    expect(data.logs.data).toMatchObject([
      { created_at: midnight, repeats: 35, last_at: midnight + 1400 * 60 },
    ]);
  });
});

test("months are calendar months, rounded down to the start of a day", () => {
  const at = (text: string) => Date.parse(text) / 1000;

  expect(expiredTo(1, at("2026-03-31T15:00:00Z"))).toBe(at("2026-02-28T00:00:00Z"));
  expect(expiredTo(12, at("2028-02-29T15:00:00Z"))).toBe(at("2027-02-28T00:00:00Z"));
  expect(expiredTo(36, at("2026-11-22T00:00:00Z"))).toBe(at("2023-11-22T00:00:00Z"));
  expect(expiredTo(null, at("2026-11-22T00:00:00Z"))).toBeUndefined();
});
