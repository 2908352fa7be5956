import { companies } from "@metrum/contract/access";
import { accountingPoints, pointDevices, pointHistory } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { at, aReading } from "#testing/readings";
import { computeTotals } from "../totals/totalsJob.ts";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const hour = 3600;
const system = () => tree.api.services.database.system;
async function computed(): Promise<void> {
  for (let runs = 1; runs > 0;) {
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system());
    runs = await computeTotals(tree.api.services);
  }
}

async function aPoint(more: object = {}) {
  const answer = await tree.ask(accountingPoints.create, { title: "Input", resource_type_id: 3, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.accounting_point;
}
const zoneOf = async (id: number) => {
  const { data } = await tree.ask(accountingPoints.get, undefined, { id: String(id) });
  const { timezone, has_own_zone } = data.accounting_point;
  return [timezone, has_own_zone];
};

/** A point with an hourly meter that counts 1 an hour from a time on. */
async function measured(
  start: number,
  values: readonly (readonly [ts: number, tariff0: number])[],
  more = {},
) {
  const { id } = await aPoint({ valid_from: start, ...more });
  const device = await tree.aDevice();
  await tree.ask(pointDevices.tieDevice, { accounting_point_id: id, device_id: device, from: start });
  const said = values.map(([ts, tariff0]) =>
    aReading({ deviceId: device as DeviceId, ts, receivedAt: ts, values: { tariff0 } }),
  );
  for (const reading of said) await ingest(tree.api.services, [reading]);
  await computed();
  return id;
}

it("TRUST-007 a point without a zone of its own moves with its company, and its days are computed anew", async () => {
  const start = at("2026-05-01T00:00:00Z");
  // From noon of UTC on nothing is used: how the day divides shows its zone.
  const hours = Array.from({ length: 73 }, (_, n) => [start + n * hour, Math.min(n, 36)] as const);
  const follower = await measured(start, hours);
  const own = await measured(start, hours, { timezone: "Etc/UTC" });
  const before = await zoneOf(follower);
  const counted = (await tree.ask(accountingPoints.following, undefined)).data.points;
  const dayOf = async (id: number, day: string) =>
    (await tree.ask(pointHistory.why, { accounting_point_id: id, day })).data.total;
  const days = [await dayOf(follower, "2026-05-02"), await dayOf(own, "2026-05-02")];

  const moved = await tree.ask(companies.update, { timezone_name: "Europe/Berlin" });
  expect(moved.status).toBe(200);
  await computed();

  expect([before, counted]).toEqual([["Asia/Ulaanbaatar", false], 1]);
  expect([await zoneOf(follower), await zoneOf(own)]).toEqual([
    ["Europe/Berlin", false],
    ["Etc/UTC", true],
  ]);
  // The second of May begins at 16:00 UTC of the first in Mongolia, at 22:00 in Berlin.
  expect(days).toEqual([20, 12]);
  expect([await dayOf(follower, "2026-05-02"), await dayOf(own, "2026-05-02")]).toEqual([14, 12]);
  await sql`update company set timezone = 'Asia/Ulaanbaatar' where id = ${tree.api.companies.first}`.execute(
    system(),
  );
});

it("TRUST-007 a record that is sent back unchanged keeps a point following; a zone of its own stays until it is given up", async () => {
  const { id } = await aPoint();
  const update = async (more: object) => {
    const { status } = await tree.ask(accountingPoints.update, { id, ...more });
    return [status, ...(await zoneOf(id))];
  };

  expect(await update({ timezone: "Asia/Ulaanbaatar", comment: "Same" })).toEqual([
    200,
    "Asia/Ulaanbaatar",
    false,
  ]);
  expect(await update({ timezone: "Asia/Ulaanbaatar", has_own_zone: true })).toEqual([
    200,
    "Asia/Ulaanbaatar",
    true,
  ]);
  expect(await update({ timezone: "Asia/Tokyo" })).toEqual([200, "Asia/Tokyo", true]);
  expect(await update({ timezone: "Mars/Base" })).toEqual([422, "Asia/Tokyo", true]);
  expect(await update({ timezone: null })).toEqual([200, "Asia/Ulaanbaatar", false]);
});

it("TRUST-009 a total that is zero in the morning and in the evening adds nothing and hides nothing", async () => {
  const start = at("2026-06-01T00:00:00Z");
  const isZero = (n: number): boolean => n % 24 === 6 || n % 24 === 20;
  const hours = Array.from({ length: 73 }, (_, n) => [start + n * hour, isZero(n) ? 0 : 500 + n] as const);
  const id = await measured(start, hours, { timezone: "Etc/UTC" });

  const { data } = await tree.ask(pointHistory.why, { accounting_point_id: id, day: "2026-06-02" });
  const { rows } = await sql<{ kind: string }>`
    select kind from point_event where point_id = ${id} and kind in ('reset', 'rollover')`.execute(system());

  expect([data.total, rows]).toEqual([24, []]);
});

it("TRUST-009 a meter that falls after months of silence, twice in seconds, counts nothing below zero and shows a reset", async () => {
  const start = at("2026-01-01T00:00:00Z");
  const woken = at("2026-06-10T12:00:00Z");
  const id = await measured(
    start,
    [
      [start, 0],
      [start + hour, 12],
      [woken, 10.42],
      [woken + 3, 0],
      [woken + hour, 0.4],
      [woken + 2 * hour, 1],
    ],
    { timezone: "Etc/UTC" },
  );

  const june = (await tree.ask(pointHistory.why, { accounting_point_id: id, month: "2026-06" })).data;
  const { rows: days } = await sql<{ day: string; amount: number | null }>`
    select day::text, amount::float8 from point_day where point_id = ${id} and field = 'main' and amount < 0`.execute(
    system(),
  );
  const { rows: events } = await sql<{ kind: string; at: number }>`
    select kind, ts as at from point_event where point_id = ${id} and kind = 'reset'`.execute(system());

  expect(days).toEqual([]);
  expect(june.parts.filter(({ amount }) => amount < 0)).toEqual([]);
  expect([events.length, june.total]).toEqual([1, 0.6]);
});
