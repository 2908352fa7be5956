import { accountingPoints, pointDevices, pointHistory } from "@metrum/contract/accounting";
import { deviceRecord } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "#core";
import { lockPeriods } from "#accounting/closed-periods";
import { ingest } from "#metering/messages";
import type { Answer } from "#testing/api";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading, at } from "#testing/readings";

let tree: TreeApi;
const now = at("2026-11-23T12:00:00Z");
beforeAll(async () => {
  tree = await openTree({ clock: { now: () => now, nowMs: () => now * 1000 } });
});
afterAll(() => tree.api.close());
const system = () => tree.api.services.database.system;
afterEach(() => sql`delete from settlement_period`.execute(system()));

const [september, october, november] = [
  at("2026-09-10T00:00:00Z"),
  at("2026-10-10T00:00:00Z"),
  at("2026-11-01T00:00:00Z"),
];
const closeOctober = (db: Db = system()) =>
  sql`insert into settlement_period (company_id, from_day, to_day, state)
    values (${tree.api.companies.first}, '2026-10-01', '2026-10-31', 'closed')`.execute(db);

async function aMeasuredPoint(
  more: object = {},
): Promise<{ readonly point: number; readonly device: number }> {
  const device = await tree.aDevice();
  const answer = await tree.ask(accountingPoints.create, {
    title: "Input",
    resource_type_id: 3,
    timezone: "Etc/UTC",
    valid_from: september,
    ...more,
  });
  const point = answer.data.accounting_point.id;
  await tree.ask(pointDevices.tieDevice, { accounting_point_id: point, device_id: device, from: september });
  return { point, device };
}
const setRatio = (id: number, ratio_from?: number) =>
  tree.ask(deviceRecord.edit, {
    id,
    transformation_ratio: 30,
    ...(ratio_from === undefined ? {} : { ratio_from }),
  });
const stepsOf = async (device: number) =>
  (
    await sql<{ from_ts: number }>`select from_ts from device_ratio where device_id = ${device}`.execute(
      system(),
    )
  ).rows.length;

/** Requests that wait for a lock of periods. */
const waiting = async () =>
  (
    await sql<{ n: number }>`select count(*)::int as n from pg_locks
      where locktype = 'advisory' and mode = 'ShareLock' and not granted`.execute(system())
  ).rows[0]?.n;

/** The answer to a request that comes while October is being closed. */
async function duringClosing<T>(request: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined;
  await system()
    .transaction()
    .execute(async (db) => {
      await lockPeriods(db, { companyId: tree.api.companies.first });
      answer = request();
      await expect.poll(waiting).toBe(1);
      await closeOctober(db);
    });
  if (!answer) throw new Error("nothing was asked");
  return answer;
}

describe("a closed period", () => {
  it("TRUST-017 TRUST-019 another ratio of a device cannot begin in it or before it, after it it can", async () => {
    const { device } = await aMeasuredPoint();
    await closeOctober();

    const inside = await setRatio(device, october);
    const before = await setRatio(device, september);
    const steps = await stepsOf(device);
    const after = await setRatio(device, november);

    expect([inside.status, inside.code, Object.keys(inside.attributes)]).toEqual([
      409,
      "period_closed",
      ["ratio_from"],
    ]);
    expect(inside.attributes["ratio_from"]?.[0]).toContain("2026-10-01");
    expect([before.status, before.code, steps]).toEqual([409, "period_closed", 1]);
    expect([after.status, await stepsOf(device)]).toEqual([200, 2]);
  });

  it("TRUST-019 does not concern the ratio of a device where its point has its own, or that measures none", async () => {
    const { device } = await aMeasuredPoint({ transformation_ratio: 40 });
    const [free, later] = [await tree.aDevice(), await aMeasuredPoint()];
    await tree.ask(pointDevices.untieDevice, {
      accounting_point_id: later.point,
      device_id: later.device,
      to: september + 3600,
    });
    await closeOctober();

    const answers = await Promise.all([
      setRatio(device, october),
      setRatio(free, october),
      setRatio(later.device, october),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("TRUST-017 what changes its numbers waits for a closing that is under way, and then sees it", async () => {
    const { point, device } = await aMeasuredPoint();
    const other = await tree.aDevice();
    const named = { accounting_point_id: point };

    const requests: Record<string, () => Promise<Answer<unknown>>> = {
      ratio_from: () => setRatio(device, october),
      to: () => tree.ask(pointDevices.untieDevice, { ...named, device_id: device, to: october }),
      removed_at: () =>
        tree.ask(pointDevices.replaceDevice, {
          ...named,
          device_id: other,
          removed_at: october,
          last_value: 1,
        }),
      from: () => tree.ask(pointDevices.setTerm, { ...named, kind: "ratio", number: 20, from: october }),
    };
    const answers: unknown[] = [];
    for (const request of Object.values(requests)) {
      const { status, code, attributes } = await duringClosing(request);
      answers.push([status, code, Object.keys(attributes)]);
      await sql`delete from settlement_period`.execute(system());
    }
    const removed = await duringClosing(() => tree.ask(accountingPoints.delete, { id: point }));

    expect(answers).toEqual(Object.keys(requests).map((field) => [409, "period_closed", [field]]));
    expect([removed.status, removed.code]).toEqual([409, "period_closed"]);
  });

  it("TRUST-018 a replacement is undone while nothing of it is billed, whatever the new device has told", async () => {
    const { point, device } = await aMeasuredPoint();
    const named = { accounting_point_id: point };
    const next = await tree.aDevice();
    const canUndo = async () => (await tree.ask(pointHistory.history, named)).data.can_undo;
    const replaced = { device_id: next, removed_at: october, last_value: 1, starting_value: 5 };
    await tree.ask(pointDevices.replaceDevice, { ...named, ...replaced });
    await ingest(tree.api.services, [
      aReading({ deviceId: next as DeviceId, ts: november, receivedAt: now, values: { tariff0: 9 } }),
    ]);
    await closeOctober();

    const billed = await tree.ask(pointDevices.undoReplacement, named);
    const couldThen = await canUndo();
    await sql`delete from settlement_period`.execute(system());
    const couldLater = await canUndo();
    const open = await tree.ask(pointDevices.undoReplacement, named);

    expect([billed.status, billed.code, couldThen]).toEqual([409, "period_closed", false]);
    expect([couldLater, open.status]).toEqual([true, 200]);
    const { data } = await tree.ask(pointHistory.history, named);
    expect(data.devices.map(({ device_id, to }) => [device_id, to])).toEqual([[device, null]]);
  });
});
