import { accountingPoints, pointDevices, validation } from "@metrum/contract/accounting";
import { statuses, type DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeTotals } from "#accounting/accounting-points";
import { ingest, type Incoming } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { at } from "#testing/readings";
import { chance } from "#testing/series/registerHistory";
import { validateSpan } from "./run/run.ts";

const hour = 3600;
const start = at("2026-10-01T22:00:00Z");
const hours = 34 * 24;
const now = start + hours * hour;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const query = async <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await api.services.database.pool.query<Row>(text, [...values])).rows;

async function computed(): Promise<void> {
  for (let runs = 1; runs > 0;) {
    await query("update reading_due set due_at = 0 where kind = $1", [1]);
    await query("update point_due set due_at = 0, again_at = $1", [0]);
    runs = await computeTotals(api.services);
  }
}

/** Hourly values around the change of the clock in autumn: some of them far off, too low, the same for long, or missing. */
function valuesByChance(deviceId: DeviceId, pick: (below: number) => number): Incoming[] {
  let level = 1_000_000;
  const levels = Array.from({ length: hours }, (_, n) => (level += 1000 + ((n % 24) * 1000) / 8));
  const odd = new Map<number, number | null>();
  for (let faults = 3; faults > 0; faults--) {
    const first = 20 * 24 + pick(12 * 24);
    const kind = pick(4);
    const length = kind < 2 ? 1 : 4 + pick(20);
    for (let n = first; n < first + length; n++) {
      const [own = 0, before = 0] = [levels[n], levels[first]];
      odd.set(n, [own + 70_000, own - 60_000, before, null][kind] ?? null);
    }
  }
  return levels.flatMap((usual, n) => {
    const value = odd.has(n) ? (odd.get(n) ?? null) : usual;
    const ts = start + n * hour;
    return value === null
      ? []
      : [
          {
            deviceId,
            msgType: 100,
            ts,
            receivedAt: ts + 5,
            source: "polled",
            values: { tariff0: value / 1000 },
          },
        ];
  });
}

async function aPoint(deviceId: DeviceId): Promise<number> {
  const ask = { title: `Point ${String(deviceId)}`, resource_type_id: 3, timezone: "Europe/Berlin" };
  const made = await api.ask(accountingPoints.create, { token, input: { body: ask } });
  const id = made.data.accounting_point.id;
  const tie = { accounting_point_id: id, device_id: deviceId, from: start };
  const tied = await api.ask(pointDevices.tieDevice, { token, input: { body: tie } });
  if (tied.status !== 200) throw new Error(tied.text);
  return id;
}

/** Everything that values of the device count for: those that are not rejected, the days of the point, and what is doubted. */
async function picture(deviceId: DeviceId, point: number) {
  await validateSpan(api.services, { deviceId, from: start, to: now });
  return {
    values: await query(
      "select msg_type, ts, status, source, v from message where device_id = $1 and status <> $2 order by 1, 2",
      [deviceId, statuses.rejected.id],
    ),
    days: await query(
      "select to_jsonb(d) - 'computed_at' as day from point_day d where point_id = $1 order by field, day",
      [point],
    ),
    open: await query(
      "select kind, field, from_ts, to_ts from validation_exception where device_id = $1 and outcome is null order by 1, 2, 3",
      [deviceId],
    ),
  };
}

/** Histories whose days the decisions changed. */
let changed = 0;
const verbs = ["accept", "reject", "estimate"] as const;

test.each([1, 2, 3, 4])(
  "TRUST-015 TRUST-016 decisions in any order that are undone leave values, days and doubts as they were, history %i",
  async (seed) => {
    const pick = chance(seed);
    const deviceId = await addMeter(api);
    const point = await aPoint(deviceId);
    await ingest(api.services, valuesByChance(deviceId, pick));
    await computed();
    const before = await picture(deviceId, point);
    const listed = await api.ask(validation.list, {
      token,
      input: { body: { state: "open", per_page: 250 } },
    });
    const open = listed.data.exceptions.data.filter((each) => each.device_id === deviceId);
    const order = open.map(({ id }) => ({ id, at: pick(1000) })).sort((a, b) => a.at - b.at);

    const decided: number[] = [];
    for (const { id } of order) {
      const verb = verbs[pick(verbs.length)] ?? "reject";
      const body = { exception_ids: [id] };
      const answer = await api.ask(validation[verb], { token, input: { body } });
      if (answer.status === 200 && answer.data.decided === 1) decided.push(id);
    }
    await computed();
    const between = await picture(deviceId, point);
    for (const exception_id of decided.toReversed()) {
      const undone = await api.ask(validation.undo, { token, input: { body: { exception_id } } });
      expect(undone.status, undone.text).toBe(200);
    }
    await computed();

    expect(await picture(deviceId, point)).toEqual(before);
    expect(open.length).toBeGreaterThan(0);
    if (JSON.stringify(between.days) !== JSON.stringify(before.days)) changed += 1;
  },
);

test("TRUST-015 decisions of these histories changed days before they were undone", () => {
  expect(changed).toBeGreaterThan(0);
});
