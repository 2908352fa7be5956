import { balances, validation } from "@metrum/contract/accounting";
import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { computeTotals } from "#accounting/accounting-points";
import { lockPeriods } from "#accounting/closed-periods";
import type { Db } from "#core";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { at } from "#testing/readings";
import { validateSpan } from "../run/run.ts";

const hour = 3600;
const start = at("2026-09-25T00:00:00Z");
const hours = 60 * 24;
const now = start + hours * hour;
/** Hours from the start to 22 October, 10:00 UTC, and to 10 November. */
const [october, november] = [27 * 24 + 10, 46 * 24 + 10];

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());
beforeEach(async () => {
  await sql`delete from settlement_period`.execute(system());
  await sql`delete from balance_group`.execute(system());
  await sql`delete from accounting_point`.execute(system());
  await sql`delete from validation_exception`.execute(system());
});

const system = () => api.services.database.system;
const loadOf = (n: number): number => 1 + (n % 24) / 12;

/** A meter with an hourly archive, and a point that it measures; values of some hours are higher, or missing. */
async function aMeter(odd: Readonly<Record<number, number | null>>): Promise<[DeviceId, AccountingPointId]> {
  const deviceId = await addMeter(api);
  let level = 1000;
  const archive = Array.from({ length: hours }, (_, n) => {
    level = Math.round((level + loadOf(n)) * 1000) / 1000;
    const ts = start + n * hour;
    const more = odd[n];
    return more === null ? [] : [{ ts, values: { tariff0: level + (more ?? 0) } }];
  }).flat();
  await ingest(
    api.services,
    archive.map((each) => ({ ...each, deviceId, msgType: 100, receivedAt: each.ts + 5, source: "polled" })),
  );
  const { rows } = await sql<{ id: AccountingPointId }>`
    with point as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${api.companies.first}, ${`Point ${String(deviceId)}`}, 3, 'UTC') returning id, company_id
    ), tie as (
      insert into point_device (point_id, company_id, device_id, field, from_ts)
      select id, company_id, ${deviceId}, 'tariff0', ${start} from point
    ) select id from point`.execute(system());
  await sql`update device set timezone = 'UTC' where id = ${deviceId}`.execute(system());
  await validateSpan(api.services, { deviceId, from: start, to: now });
  const [row] = rows;
  if (!row) throw new Error("no point");
  return [deviceId, row.id];
}

const close = (from: string, to: string, db: Db = system()) =>
  sql`insert into settlement_period (company_id, from_day, to_day, state)
    values (${api.companies.first}, ${from}::date, ${to}::date, 'closed')`.execute(db);
/** Requests that wait for a lock of periods. */
const waiting = async () =>
  (
    await sql<{ n: number }>`select count(*)::int as n from pg_locks
      where locktype = 'advisory' and mode = 'ShareLock' and not granted`.execute(system())
  ).rows[0]?.n;
const reopen = () => sql`update settlement_period set state = 'open'`.execute(system());

async function exceptionOf(deviceId: DeviceId, kind: string): Promise<number> {
  const { data } = await api.ask(validation.list, { token, input: { body: { per_page: 250 } } });
  const found = data.exceptions.data.find((each) => each.device_id === deviceId && each.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found.id;
}
const open = async (exception_id: number) => {
  const { data } = await api.ask(validation.get, {
    token,
    language: "en",
    input: { body: { exception_id } },
  });
  return data;
};
const ask = (
  verb: "accept" | "reject" | "estimate",
  body: { exception_ids: [number] } | { filter: object },
) => {
  const { accept, reject, estimate } = validation;
  return api.ask({ accept, reject, estimate }[verb], { token, language: "en", input: { body } });
};
const valueAt = async (deviceId: DeviceId, n: number) =>
  (
    await sql<{ status: number; v: number }>`select status, v[1] as v from message
      where device_id = ${deviceId} and msg_type = 100 and ts = ${start + n * hour}`.execute(system())
  ).rows[0];

test("TRUST-015 TRUST-017 values of a closed period are neither accepted nor refused nor estimated, nor is a decision taken back", async () => {
  const [deviceId] = await aMeter({ [october]: 70 });
  await close("2026-10-01", "2026-10-31");
  const id = await exceptionOf(deviceId, "spike");
  const before = await valueAt(deviceId, october);

  const answers = [];
  for (const verb of ["accept", "reject", "estimate"] as const)
    answers.push(await ask(verb, { exception_ids: [id] }));

  expect(answers.map(({ status, code, msg }) => [status, code, msg])).toEqual(
    Array.from({ length: 3 }, () => [
      409,
      "period_closed",
      "The settlement period from 2026-10-01 to 2026-10-31 is closed: this would alter its numbers",
    ]),
  );
  expect(await valueAt(deviceId, october)).toEqual(before);
  const shown = await open(id);
  expect(shown.closed_period).toMatchObject({ from_day: "2026-10-01", to_day: "2026-10-31" });
  expect(shown.can).toEqual({ accept: false, reject: false, estimate: false, ask: true, undo: false });

  await reopen();
  expect((await ask("estimate", { exception_ids: [id] })).data).toEqual({ decided: 1, left: 0 });
  await close("2026-09-01", "2026-09-30");
  await sql`update settlement_period set state = 'closed'`.execute(system());
  const undone = await api.ask(validation.undo, { token, input: { body: { exception_id: id } } });
  expect([undone.status, undone.code]).toEqual([409, "period_closed"]);
});

test("TRUST-017 a decision waits for a closing that has begun, and then sees it", async () => {
  const [deviceId] = await aMeter({ [october]: 70 });
  const id = await exceptionOf(deviceId, "spike");
  let answer: Promise<{ readonly code: string | undefined }> | undefined;

  await system()
    .transaction()
    .execute(async (db) => {
      await lockPeriods(db, { companyId: api.companies.first });
      answer = ask("accept", { exception_ids: [id] });
      await expect.poll(waiting).toBe(1);
      await close("2026-10-01", "2026-10-31", db);
    });

  expect((await answer)?.code).toBe("period_closed");
});

test("TRUST-015 TRUST-017 a decision about a whole rule leaves the values that are billed, and a period in another month refuses none", async () => {
  const [closed] = await aMeter({ [october]: 70 });
  const [free] = await aMeter({ [november]: 70 });
  await close("2026-10-01", "2026-10-31");
  const filter = { kind: "spike" } as const;

  const { data } = await ask("reject", { filter });
  const again = await ask("reject", { filter });

  expect(data).toEqual({ decided: 1, left: 1 });
  expect([again.status, again.code]).toEqual([409, "period_closed"]);
  expect((await valueAt(closed, october))?.status).toBe(1);
  expect((await valueAt(free, november))?.status).toBe(4);
});

test("TRUST-017 what decides no value of a closed period can be decided: a gap that is left", async () => {
  const hole = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [october + k, null]));
  const [deviceId] = await aMeter(hole);
  await close("2026-10-01", "2026-10-31");
  const id = await exceptionOf(deviceId, "gap");

  const estimated = await ask("estimate", { exception_ids: [id] });

  expect(estimated.code).toBe("period_closed");
  expect((await open(id)).can).toMatchObject({ accept: true, reject: true, estimate: false });
  expect((await ask("reject", { exception_ids: [id] })).data).toEqual({ decided: 1, left: 0 });
  expect((await open(id)).can.undo).toBe(true);
  expect((await api.ask(validation.undo, { token, input: { body: { exception_id: id } } })).status).toBe(200);
});

/** A balance of an input of 1,100 a day in October against the point, whose ratio was 20 then and is 30 now. */
async function inBalance(pointId: AccountingPointId): Promise<number> {
  await sql`insert into point_term (point_id, company_id, kind, from_ts, to_ts, number) values
    (${pointId}, ${api.companies.first}, 'ratio', ${start}, ${at("2026-11-01T00:00:00Z")}, 20),
    (${pointId}, ${api.companies.first}, 'ratio', ${at("2026-11-01T00:00:00Z")}, null, 30)`.execute(system());
  while ((await computeTotals(api.services)) > 0);
  const { rows } = await sql<{ id: AccountingPointId }>`
    insert into accounting_point (company_id, name, resource_type_id, timezone)
    values (${api.companies.first}, 'Input', 3, 'UTC') returning id`.execute(system());
  const input = rows[0]?.id ?? 0;
  await sql`insert into point_day (point_id, field, day, amount, length_sec, known_sec, ratio, computed_at)
    select ${input}, 'main', d::date, 1100, 86400, 86400, 1, 0
    from generate_series('2026-10-01'::date, '2026-10-31'::date, interval '1 day') d`.execute(system());
  const body = { name: "Feeder F-07", allowed_imbalance: 8 };
  const points = { input_point_ids: [input], output_point_ids: [pointId] };
  const { data } = await api.ask(balances.create, { token, input: { body: { ...body, ...points } } });
  return data.balance_group.id;
}
/** What the meter counts in a day, with the ratio of October. */
const dayOfLoad = 20 * Array.from({ length: 24 }, (_, n) => loadOf(n)).reduce((sum, each) => sum + each, 0);

test("TRUST-015 what would change names the balances of the point, with the ratio of that time", async () => {
  // One odd reading: the day has its step up, and not the fall after it.
  const [deviceId, pointId] = await aMeter({ [october]: 70 });
  const group = await inBalance(pointId);

  const { changes, balances: shown, facts, can } = await open(await exceptionOf(deviceId, "spike"));

  const [, month] = changes;
  expect([facts.ratio, can.estimate]).toEqual([20, true]);
  expect(Number(month?.after)).toBeCloseTo(dayOfLoad * 31, 3);
  const [balance] = shown;
  expect(balance).toMatchObject({ balance_group_id: group, name: "Feeder F-07", allowed_percent: 8 });
  expect(balance?.after).toBeCloseTo(31 * (1100 - dayOfLoad), 2);
  expect(balance?.change).toBeCloseTo((balance?.after ?? 0) - (balance?.before ?? 0), 6);
  expect([balance?.change === 0, balance?.is_within]).toEqual([false, 100 * (1 - dayOfLoad / 1100) <= 8]);
});

test("TRUST-015 a gap whose consumption the register tells changes no balance, which is said", async () => {
  const hole = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [october + k - 5, null]));
  const [deviceId, pointId] = await aMeter(hole);
  await inBalance(pointId);

  const { balances: shown } = await open(await exceptionOf(deviceId, "gap"));

  expect(shown).toMatchObject([{ name: "Feeder F-07", change: 0 }]);
  expect(shown[0]?.after).toBeCloseTo(31 * (1100 - dayOfLoad), 2);
});
