import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { meterModels } from "@metrum/catalogue";
import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import { dayOf, dayText, decimal, numberOf, plus, startOfDay } from "#core";
import { ingest, type Incoming } from "#metering/messages";
import { expectedOf, isBelieved, scenarios, type Scenario } from "#testing/series/pointScenario";
import { openTestStore, type TestStore } from "#testing/readings";
import { totalsOfPoints } from "./readStore.ts";
import { recountPointSample } from "./sample.ts";
import { computeTotals } from "./totalsJob.ts";

const zone = "Europe/Berlin";
const start = Date.parse("2026-03-27T13:20:00Z") / 1000;

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const capacity = 10_000;
const model = meterModels.find(({ counterCapacity }) => counterCapacity === capacity);
const field: FieldName = "tariff0";
const registers = (micro: bigint | undefined) =>
  JSON.stringify(micro === undefined ? {} : { [field]: numberOf(micro) });

/** A step by which the platform learns of the history. */
type Action = { readonly sql: string; readonly values: readonly unknown[] } | { readonly reading: Incoming };

async function aPoint(): Promise<{ pointId: AccountingPointId; companyId: number }> {
  const device = await aMeter();
  const [point] = await store.query<{ pointId: AccountingPointId; companyId: number }>(
    `insert into accounting_point (company_id, name, resource_type_id, timezone)
      select company_id, 'Point', 1, $2 from device where id = $1
      returning id as "pointId", company_id as "companyId"`,
    [device, zone],
  );
  if (!point) throw new Error("no point");
  return point;
}

async function aMeter(companyId?: number): Promise<DeviceId> {
  const id = await store.addDevice({ modelId: model?.id ?? 0, zone });
  if (companyId !== undefined)
    await store.query("update device set company_id = $2 where id = $1", [id, companyId]);
  return id;
}

/** Everything that is known of a scenario, readings that are wrong at first and suspect ones included. */
async function actionsOf(
  scenario: Scenario,
  { pointId, companyId }: { readonly pointId: number; readonly companyId: number },
  pick: (n: number) => number,
): Promise<{ readonly early: Action[]; readonly late: Action[] }> {
  const [early, late]: Action[][] = [[], []];
  const both = { early: early ?? [], late: late ?? [] };
  const either = (): Action[] => (pick(3) === 0 ? both.late : both.early);
  for (const { from, to, opening, closing, readings } of scenario.ties) {
    const deviceId = await aMeter(companyId);
    either().push({
      sql: `insert into point_device (point_id, company_id, device_id, field, from_ts, to_ts, opening, closing)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [pointId, companyId, deviceId, field, from, to, registers(opening), registers(closing)],
    });
    const readingOf = (ts: number, value: bigint, status: Incoming["status"]): Action => ({
      reading: {
        deviceId,
        msgType: 1,
        ts,
        receivedAt: scenario.end + 3600,
        source: "imported",
        values: { [field]: numberOf(value) },
        ...(status ? { status } : {}),
      },
    });
    for (const { ts, value } of readings) {
      const isWrong = pick(8) === 0;
      if (isWrong) both.early.push(readingOf(ts, BigInt(pick(1_000_000)) * 10_000n, "measured"));
      (isWrong ? both.late : either()).push(readingOf(ts, value, isWrong ? "corrected" : "measured"));
      if (pick(6) === 0)
        either().push(readingOf(ts + 77, BigInt(pick(1_000_000)), pick(2) === 0 ? "suspect" : "rejected"));
    }
  }
  scenario.ratios.forEach(({ from, hundredths, reading }, n) => {
    const to = scenario.ratios.slice(n + 1).find((next) => next.from > from)?.from ?? null;
    if (scenario.ratios[n + 1]?.from === from) return;
    either().push({
      sql: `insert into point_term (point_id, company_id, kind, from_ts, to_ts, number, reading)
        values ($1, $2, 'ratio', $3, $4, $5, $6)`,
      values: [pointId, companyId, from, to, Number(hundredths) / 100, registers(reading)],
    });
  });
  for (const { from, to, amount } of scenario.added)
    either().push({
      sql: `insert into point_amount (point_id, company_id, field, from_ts, to_ts, amount, method)
        values ($1, $2, 'main', $3, $4, $5, 'by hand')`,
      values: [pointId, companyId, from, to, numberOf(amount)],
    });
  return both;
}

async function play(actions: readonly Action[]): Promise<void> {
  const readings = actions.flatMap((action) => ("reading" in action ? [action.reading] : []));
  for (const action of actions) if ("sql" in action) await store.query(action.sql, action.values);
  if (readings.length > 0) await ingest(store.services, readings);
  await store.query("update reading_due set due_at = 0");
  await store.query("update point_due set due_at = 0");
  for (let run = 0; (await computeTotals(store.services)) > 0; run++) expect(run).toBeLessThan(50);
}

it.each([
  ["often", 40, 12],
  ["rarely", 25, 12],
  ["seldom", 6, 8],
] as const)(
  "TRUST-011 TRUST-025 TRUST-027 whatever comes late, wrong at first or in any order, totals of a meter read %s end as the oracle says",
  async (pace, most, runs) => {
    const property = fc.asyncProperty(
      scenarios(start, { thousands: 10, most, pace, isSlow: true }),
      fc.infiniteStream(fc.nat()),
      async (scenario, numbers) => {
        const pick = (n: number): number => (numbers.next().value as number) % n;
        const point = await aPoint();
        const { early, late } = await actionsOf(scenario, point, pick);
        for (const actions of [early, late]) {
          const order = actions.map((action) => ({ action, at: pick(1000) })).sort((a, b) => a.at - b.at);
          for (let at = 0; at < order.length; at += 12)
            await play(order.slice(at, at + 12).map(({ action }) => action));
        }
        // A minute after the last tie every process knows of it.
        await store.query("update point_due set due_at = 0, again_at = 0");
        await play([]);

        const intervals = scenario.intervals.map((each) => ({
          ...each,
          isTold: each.isTold && isBelieved(scenario, each),
        }));
        const believed = { ...scenario, intervals };
        rollovers += scenario.intervals.filter((each) => each.isTold && each.isRollover).length;
        const [first, last] = [dayOf(zone, scenario.start), dayOf(zone, scenario.end)];
        for (let from = first; from <= last; from++)
          for (const to of new Set([from, from + 1, last])) {
            const [total] = await totalsOfPoints(store.services.database.system, {
              pointIds: [point.pointId],
              fromDay: dayText(from),
              toDay: dayText(to),
            });
            const expected = expectedOf(believed, {
              ...{ from: startOfDay(zone, from), to: startOfDay(zone, to + 1), zone },
            });
            const amount =
              total?.amount == null ? undefined : plus(decimal(total.amount), { units: 0n, scale: 8 }).units;
            expect([from, to, amount, total?.coveredSec]).toEqual([
              from,
              to,
              expected.amount,
              expected.coveredSec,
            ]);
          }
        // Lengths and flags of days too are those of a count from nothing.
        expect((await recountPointSample(store.services)).differing).toEqual([]);
      },
    );
    let rollovers = 0;
    await fc.assert(property, { numRuns: runs, endOnFailure: true });
    expect(rollovers).toBeGreaterThan(0);
  },
  120_000,
);
