import fc from "fast-check";
import { sql } from "kysely";
import { accountingPoints, pointData, pointDevices } from "@metrum/contract/accounting";
import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dayOf, dayText, startOfDay, sum } from "#core";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading } from "#testing/readings";
import { totalsOfPoints } from "../totals/readStore.ts";
import { computeTotals } from "../totals/totalsJob.ts";

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
    const unknown = hours.slice(1).filter((_, at) => changedIn(at)).length;
    expect(Number(total?.amount ?? 0)).toBeCloseTo(known, 4);
    expect(total?.coveredSec).toBe((24 - unknown) * hour);
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});

/** A point with transformers of 200/5 and 6000/100, and one of water with a ratio of its own. */
async function transformed() {
  const { system } = tree.api.services.database;
  const from = startOfDay(zone, dayOf(zone, tree.api.services.clock.now()) - 1);
  const aPoint = async (type: number, field: string, more: object) => {
    const named = { title: "Input", resource_type_id: type, timezone: zone, valid_from: from - 60 * day };
    const made = await tree.ask(accountingPoints.create, { ...named, ...more });
    const id = made.data.accounting_point.id as AccountingPointId;
    const device = (await tree.aDevice()) as DeviceId;
    await sql`insert into point_device (point_id, company_id, device_id, field, from_ts)
      select id, company_id, ${device}, ${field}, ${from - day} from accounting_point where id = ${id}`.execute(
      system,
    );
    return { id, device };
  };
  const [power, water] = [
    await aPoint(3, "tariff0", {}),
    await aPoint(1, "in1", { transformation_ratio: 40 }),
  ];
  for (const [kind, primary, secondary] of [
    ["current", 200, 5],
    ["voltage", 6000, 100],
  ] as const)
    await sql`with made as (
        insert into transformer (company_id, title, kind, primary_value, secondary_value)
        values (${tree.api.companies.first}, 'T', ${kind}, ${primary}, ${secondary}) returning id)
      insert into point_term (point_id, company_id, kind, from_ts, transformer_id)
      select ${power.id}, ${tree.api.companies.first}, ${`${kind}_transformer`}, 0, id from made`.execute(
      system,
    );
  const values = { tariff0: 10, power_active: 2, current1: 3, voltage1: 57.7, cos1: 0.9 };
  await ingest(tree.api.services, [
    aReading({ deviceId: power.device, ts: from + hour, values }),
    aReading({ deviceId: power.device, ts: from + 2 * hour, values: { ...values, tariff0: 10.5 } }),
    aReading({ deviceId: water.device, ts: from + hour, values: { in1: 10 } }),
    aReading({ deviceId: water.device, ts: from + 2 * hour, values: { in1: 12.5 } }),
  ]);
  await sql`update reading_due set due_at = 0`.execute(system);
  await sql`update point_due set due_at = 0`.execute(system);
  while ((await computeTotals(tree.api.services)) > 0);
  const columnsOf = async (id: number) => {
    const span = { msgType: 1, startDate: from, stopDate: from + day, shape: "columns" } as const;
    const { data } = await tree.ask(pointData.messages, { accounting_point_id: id, ...span });
    if (!("columns" in data)) throw new Error("no columns");
    return data.columns;
  };
  const totalOf = async (id: AccountingPointId) => {
    const [name] = [dayText(dayOf(zone, from))];
    const [total] = await totalsOfPoints(system, { pointIds: [id], fromDay: name, toDay: name });
    return total?.amount;
  };
  return { power: power.id, water: water.id, columnsOf, totalOf };
}

it("TRUST-026 a current passes the current transformer alone, a voltage that of voltage, energy and power both", async () => {
  const { power, columnsOf, totalOf } = await transformed();

  const columns = await columnsOf(power);

  expect([columns["current1_kkt"]?.[1], columns["voltage1_kkt"]?.[1]]).toEqual([120, 3462]);
  expect([columns["power_active_kkt"]?.[1], columns["delta_tariff0_kkt"]?.[1]]).toEqual([4800, 1200]);
  expect(columns["cos1_kkt"]).toBeUndefined();
  expect(await totalOf(power)).toBe("1200");
});

it("TRUST-026 a volume passes no transformers: table and point multiply it by nothing", async () => {
  const { water, columnsOf, totalOf } = await transformed();

  const columns = await columnsOf(water);

  expect([columns["delta_in1"]?.[1], columns["delta_in1_kkt"]]).toEqual([2.5, undefined]);
  expect(await totalOf(water)).toBe("2.5");
});
