import { companies } from "@metrum/contract/access";
import {
  accountingPoints,
  balances,
  periods,
  pointDevices,
  pointHistory,
  validation,
} from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { computeTotals } from "#accounting/accounting-points";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { at, aReading } from "#testing/readings";

const hour = 3600;
/** Noon of 3 December in Mongolia, the zone of the company, and evening of the 2nd in Hawaii, that of the user. */
const now = at("2026-12-03T04:00:00Z");
const zone = "Asia/Ulaanbaatar";

let tree: TreeApi;
let token: string;
beforeAll(async () => {
  tree = await openTree({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await sql`update users set timezone = 'Pacific/Honolulu' where id = ${tree.fixture.ours.user}`.execute(
    system(),
  );
  token = await tree.api.token("engineer@metrum.example");
});
afterAll(() => tree.api.close());

const system = () => tree.api.services.database.system;
const ask: TreeApi["ask"] = (call, body, params) =>
  tree.api.ask(call, {
    token,
    input: { body: body ?? {}, ...(params ? { params } : {}) } as InputOf<typeof call>,
  });

async function computed(): Promise<void> {
  for (let runs = 1; runs > 0;) {
    await sql`update reading_due set due_at = 0`.execute(system());
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system());
    runs = await computeTotals(tree.api.services);
  }
}

/** A point with an hourly meter that counts 1 an hour through November, and 5 an hour in its last evening. */
async function measured(): Promise<number> {
  const start = at("2026-10-31T00:00:00Z");
  const evening = at("2026-11-30T12:00:00Z");
  const made = await ask(accountingPoints.create, { title: "Input", resource_type_id: 3, valid_from: start });
  const { id } = made.data.accounting_point;
  const device = await tree.aDevice();
  await ask(pointDevices.tieDevice, { accounting_point_id: id, device_id: device, from: start });
  const readings = Array.from({ length: 32 * 24 }, (_, n) => {
    const ts = start + n * hour;
    const tariff0 = n + 4 * Math.max(0, (ts - evening) / hour);
    return aReading({ deviceId: device as DeviceId, ts, receivedAt: ts, values: { tariff0 } });
  });
  await ingest(tree.api.services, readings);
  await computed();
  return id;
}

it("TRUST-007 a closed month stays billed as it was after the zone of the company has changed", async () => {
  const point = await measured();
  const { data: before } = await ask(periods.preview, { month: "2026-11" });
  const { digest } = before.preview;
  const closed = await ask(periods.close, { month: "2026-11", digest, accepts_incomplete: true });
  expect(closed.status, closed.text).toBe(200);
  const id = closed.data.period.id ?? 0;
  const billed = async () => (await ask(periods.get, { id, version: 1 })).data;
  const why = async () =>
    (await ask(pointHistory.why, { accounting_point_id: point, month: "2026-11" })).data;
  const [bill, reason] = [await billed(), await why()];

  await ask(companies.update, { timezone_name: "Europe/Berlin" });
  await computed();
  const [after, later] = [await billed(), await why()];
  await sql`update company set timezone = ${zone} where id = ${tree.api.companies.first}`.execute(system());
  await computed();

  expect(bill.totals.data.find(({ point_id }) => point_id === point)?.amount).toBe(736);
  expect([after.period.state, after.period.version]).toEqual(["closed", 1]);
  expect(after.totals.data.map(({ point_id, amount }) => [point_id, amount])).toEqual(
    bill.totals.data.map(({ point_id, amount }) => [point_id, amount]),
  );
  // In Berlin the month ends seven hours later, and began so much later too.
  expect([reason.total, later.total]).toEqual([736, 764]);
  expect(later.billed).toMatchObject({ amount: 736, difference: 28 });
});

it("TRUST-007 today in the inbox is that of the company, not of the user", async () => {
  const device = await tree.aDevice();
  const decided = (closedAt: string) =>
    sql`
    insert into validation_exception (company_id, device_id, kind, field, msg_type, from_ts, to_ts, values_n, code,
      evidence, numbers, found_at, outcome, closed_at)
    values (${tree.api.companies.first}, ${device}, 'spike', 'tariff0', 1, ${at(closedAt)}, ${at(closedAt)}, 1, 'high',
      '{}', '{}', ${at(closedAt)}, 'accepted', ${at(closedAt)})`.execute(system());
  // Late on the 2nd and in the morning of the 3rd in Mongolia, both on the 2nd in Hawaii.
  await decided("2026-12-02T15:00:00Z");
  await decided("2026-12-03T01:00:00Z");

  const { data: inbox } = await ask(validation.summary, {});

  expect(inbox.closed_today).toBe(1);
});

it("BAL-007 a group that has lost its points has the zone of the company", async () => {
  const aPoint = async () => {
    const { data } = await ask(accountingPoints.create, { title: "Point", resource_type_id: 3 });
    return data.accounting_point.id;
  };
  const ids = { input_point_ids: [await aPoint()], output_point_ids: [await aPoint()] };
  const made = await ask(balances.create, { name: "Emptied", ...ids });
  expect(made.status, made.text).toBe(200);
  const { id } = made.data.balance_group;
  await sql`delete from balance_group_point where group_id = ${id}`.execute(system());

  const { data } = await ask(balances.get, undefined, { id: String(id) });

  expect(data.balance_group.timezone).toBe(zone);
});
