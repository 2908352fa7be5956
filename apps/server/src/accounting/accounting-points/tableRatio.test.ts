import fc from "fast-check";
import { sql } from "kysely";
import { accountingPoints, pointData, pointDevices } from "@metrum/contract";
import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dayOf, dayText, startOfDay, sum } from "#core";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading } from "#testing/readings";
import { totalsOfPoints } from "./totals/readStore.ts";
import { computeTotals } from "./totals/totalsJob.ts";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const hour = 3600;
const day = 86_400;
const zone = "UTC";
const hours = Array.from({ length: 25 }, (_, at) => at);

/** A ratio that holds from a half-hour of the day on; readings are at whole hours. */
interface Change {
  readonly half: number;
  readonly ratio: number;
}

interface Case {
  readonly changes: readonly Change[];
  readonly grown: readonly number[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  changes: fc.uniqueArray(
    fc.record({
      half: fc.oneof(
        fc.integer({ min: 1, max: 47 }),
        fc.integer({ min: 1, max: 23 }).map((at) => at * 2),
      ),
      ratio: fc.constantFrom(1, 20, 40, 62.5, 0.333_333),
    }),
    { selector: ({ half }) => half, maxLength: 4 },
  ),
  grown: fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 24, maxLength: 24 }),
});

/** A point with a meter read every hour of yesterday, and its ratios. */
async function played({ changes, grown }: Case, start: number): Promise<AccountingPointId> {
  const created = await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    timezone: zone,
    valid_from: start - 60 * day,
  });
  if (created.status !== 200) throw new Error(created.text);
  const id = created.data.accounting_point.id as AccountingPointId;
  const device = await tree.aDevice();
  await tree.ask(pointDevices.tieDevice, {
    accounting_point_id: id,
    device_id: device,
    from: start - 60 * day,
  });
  const { system } = tree.api.services.database;
  await sql`delete from point_term where point_id = ${id}::int and kind = 'ratio'`.execute(system);
  const steps = [{ half: 0, ratio: 40 }, ...changes].toSorted((a, b) => a.half - b.half);
  for (const [at, { half, ratio }] of steps.entries()) {
    const next = steps[at + 1];
    const from = half === 0 ? start - 60 * day : start + half * 1800;
    await sql`insert into point_term (point_id, company_id, kind, from_ts, to_ts, number)
      select id, company_id, 'ratio', ${from}::bigint, ${next ? start + next.half * 1800 : null}::bigint,
        ${ratio}::numeric from accounting_point where id = ${id}::int`.execute(system);
  }
  let value = 1000;
  const rows = hours.map((at) => {
    value = sum([value, (at === 0 ? 0 : (grown[at - 1] ?? 0)) / 1000]);
    return aReading({ deviceId: device as DeviceId, ts: start + at * hour, values: { tariff0: value } });
  });
  await ingest(tree.api.services, rows);
  await sql`update reading_due set due_at = 0`.execute(system);
  await sql`update point_due set due_at = 0`.execute(system);
  while ((await computeTotals(tree.api.services)) > 0);
  return id;
}

it("TRUST-030 a table multiplies growth by the ratio of its time, as the point does, and knows none over a change", async () => {
  const today = dayOf(zone, tree.api.services.clock.now());
  const start = startOfDay(zone, today - 1);
  const property = fc.asyncProperty(cases, async (given) => {
    const id = await played(given, start);
    const answer = await tree.ask(pointData.messages, {
      accounting_point_id: id,
      msgType: 1,
      startDate: start + 1,
      stopDate: start + day,
      shape: "columns",
    });
    if (answer.status !== 200 || !("columns" in answer.data)) throw new Error(answer.text);
    const { delta_tariff0: delta = [], delta_tariff0_kkt } = answer.data.columns;
    const shown = delta_tariff0_kkt ?? delta;
    const ratioAt = (half: number): number =>
      given.changes.toSorted((a, b) => a.half - b.half).findLast((each) => each.half <= half)?.ratio ?? 40;
    const changedIn = (at: number): boolean => ratioAt(2 * at) !== ratioAt(2 * at + 1);
    expect(shown.map((cell) => cell === null)).toEqual(hours.slice(1).map((_, at) => changedIn(at)));

    const [total] = await totalsOfPoints(tree.api.services.database.system, {
      pointIds: [id],
      fromDay: dayText(today - 1),
      toDay: dayText(today - 1),
    });
    const known = sum(shown.flatMap((cell) => (typeof cell === "number" ? [cell] : [])));
    const span = hours.slice(1).flatMap((_, at) => {
      const ratios = [ratioAt(2 * at), ratioAt(2 * at + 1)];
      return changedIn(at) ? [{ by: (given.grown[at] ?? 0) / 1000, ratios }] : [];
    });
    const least = known + span.reduce((all, { by, ratios }) => all + by * Math.min(...ratios), 0);
    const most = known + span.reduce((all, { by, ratios }) => all + by * Math.max(...ratios), 0);
    expect(Number(total?.amount)).toBeGreaterThanOrEqual(least - 1e-4);
    expect(Number(total?.amount)).toBeLessThanOrEqual(most + 1e-4);
    if (span.length === 0) expect(Number(total?.amount)).toBeCloseTo(known, 4);
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});
