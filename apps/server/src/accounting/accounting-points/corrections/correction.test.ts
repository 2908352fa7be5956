import { accountingPoints, pointDevices, pointHistory } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { at, aReading } from "#testing/readings";
import { computeTotals } from "../totals/totalsJob.ts";

let tree: TreeApi;
const now = at("2026-11-23T12:00:00Z");
beforeAll(async () => {
  tree = await openTree({ clock: { now: () => now, nowMs: () => now * 1000 } });
});
afterAll(() => tree.api.close());
const system = () => tree.api.services.database.system;
afterEach(() => sql`delete from settlement_period`.execute(system()));

const [hour, day] = [3600, 86_400];
/** The old meter counts 2 a hour until it is removed, the new one from ten hours later on. */
const [begin, removed] = [at("2026-11-01T00:00:00Z"), at("2026-11-10T10:00:00Z")];
const installed = removed + 10 * hour;

async function replaced(meterless: "load_before" | "entered" | "not_counted") {
  const [old, next] = [await tree.aDevice(), await tree.aDevice()];
  const created = await tree.ask(accountingPoints.create, {
    ...{ title: "Input", resource_type_id: 3, timezone: "Etc/UTC", valid_from: begin },
  });
  const point = created.data.accounting_point.id;
  const named = { accounting_point_id: point };
  const readings = (device: number, from: number, to: number, first: number) =>
    Array.from({ length: (to - from) / hour + 1 }, (_, n) =>
      aReading({ deviceId: device as DeviceId, ts: from + n * hour, values: { tariff0: first + 2 * n } }),
    );
  await tree.ask(pointDevices.tieDevice, { ...named, device_id: old, from: begin, starting_value: 0 });
  // The new meter has run on the bench before: its register of that time is not of the point.
  await ingest(tree.api.services, readings(old, begin, removed, 0));
  await ingest(tree.api.services, readings(next, removed, at("2026-11-23T00:00:00Z"), 1000));
  const answer = await tree.ask(pointDevices.replaceDevice, {
    ...{ ...named, device_id: next, removed_at: removed, installed_at: installed },
    ...{ last_value: (2 * (removed - begin)) / hour, starting_value: 1020 },
    ...{ meterless, ...(meterless === "entered" ? { meterless_amount: 7 } : {}) },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  const { data } = await tree.ask(pointHistory.history, named);
  const [first, second] = data.devices.map(({ id }) => id);
  return { point, tie: second ?? 0, former: first ?? 0 };
}
type Replaced = Awaited<ReturnType<typeof replaced>>;

const correct = ({ point, tie }: Pick<Replaced, "point" | "tie">, more: object) =>
  tree.ask(pointDevices.correctTie, {
    ...{ accounting_point_id: point, tie_number: tie, reason: "The act names another hour" },
    ...more,
  });
const check = ({ point, tie }: Pick<Replaced, "point" | "tie">, more: object) =>
  tree.ask(pointDevices.checkCorrection, { accounting_point_id: point, tie_number: tie, ...more });
const amounts = async ({ point }: Pick<Replaced, "point">) =>
  (
    await sql<{ from: number; to: number; amount: number }>`
      select from_ts as "from", to_ts as "to", amount::float8 as amount from point_amount where point_id = ${point}`.execute(
      system(),
    )
  ).rows;
async function november({ point }: Pick<Replaced, "point">): Promise<number | null> {
  while ((await computeTotals(tree.api.services)) > 0);
  const { data } = await tree.ask(pointHistory.months, { accounting_point_id: point, months: 1 });
  return data.months.find(({ month }) => month === "2026-11")?.consumption ?? null;
}

describe("the correction of an interval", () => {
  it("TRUST-018 AP-030 an amount by the load before follows the time without a meter, or goes with it", async () => {
    const swap = await replaced("load_before");
    const whole = await november(swap);
    expect(await amounts(swap)).toEqual([{ from: removed, to: installed, amount: 20 }]);

    await correct(swap, { from: removed + 4 * hour, opening: { tariff0: 1008 } });
    const shorter = await amounts(swap);
    const after = await november(swap);
    await correct(swap, { from: removed, opening: { tariff0: 1000 } });

    expect(shorter).toEqual([{ from: removed, to: removed + 4 * hour, amount: 8 }]);
    expect(await amounts(swap)).toEqual([]);
    // The load never changed, so neither does the month, whoever measured which hour.
    expect([after, await november(swap)]).toEqual([whole, whole]);
  });

  it("TRUST-018 the end of the interval before counts too", async () => {
    const swap = await replaced("load_before");

    await correct(
      { point: swap.point, tie: swap.former },
      { to: removed - 5 * hour, closing: { tariff0: (2 * (removed - 5 * hour - begin)) / hour } },
    );

    expect(await amounts(swap)).toEqual([{ from: removed - 5 * hour, to: installed, amount: 30 }]);
  });

  it("TRUST-018 an entered amount is of its time: for another one it is asked for again", async () => {
    const swap = await replaced("entered");
    const moved = { from: installed - hour, opening: { tariff0: 1018 } };

    const asked = await correct(swap, moved);
    const kept = await amounts(swap);
    await correct(swap, { ...moved, meterless: "entered", meterless_amount: 6.5 });
    const entered = await amounts(swap);
    await correct(swap, { from: installed, opening: { tariff0: 1020 }, meterless: "not_counted" });

    expect([asked.status, Object.keys(asked.attributes)]).toEqual([422, ["meterless_amount"]]);
    expect(kept).toEqual([{ from: removed, to: installed, amount: 7 }]);
    expect(entered).toEqual([{ from: removed, to: installed - hour, amount: 6.5 }]);
    expect(await amounts(swap)).toEqual([]);
  });

  it("TRUST-017 is refused by the end that reaches into a closed period, of what it is and of its amount", async () => {
    const swap = await replaced("load_before");
    await sql`insert into settlement_period (company_id, from_day, to_day, state)
      values (${tree.api.companies.first}, '2026-11-01', '2026-11-10', 'closed')`.execute(system());

    const from = await correct(swap, { from: installed - hour });
    const later = await correct(swap, { from: installed + 10 * hour });
    const note = await correct(swap, { note: "Seal 7" });

    for (const refused of [from, later])
      expect([refused.status, refused.code, Object.keys(refused.attributes)]).toEqual([
        409,
        "period_closed",
        ["from"],
      ]);
    expect([note.status, (await amounts(swap)).length]).toEqual([200, 1]);
    expect((await check(swap, { from: installed - hour })).code).toBe("period_closed");
  });

  it("TRUST-017 registers in another order are the same readings: what they bill stays, so they may be sent", async () => {
    const swap = await replaced("load_before");
    await correct(swap, { opening: { tariff0: 1020, tariff_negative0: 400 } });
    await sql`insert into settlement_period (company_id, from_day, to_day, state)
      values (${tree.api.companies.first}, '2026-11-01', '2026-11-10', 'closed')`.execute(system());

    const same = await correct(swap, { opening: { tariff_negative0: 400, tariff0: 1020 }, note: "Seal 7" });
    const other = await correct(swap, { opening: { tariff_negative0: 401, tariff0: 1020 } });

    expect([same.status, other.status, Object.keys(other.attributes)]).toEqual([200, 409, ["opening"]]);
  });

  it("says why it was made, and an end that is not there is no field of it", async () => {
    const swap = await replaced("not_counted");

    const unfounded = await correct(swap, { opening: { tariff0: 1019 }, reason: " " });
    const open = await correct(swap, { to: now - day });
    const confirmed = { confirm: true, confirm_reason: "Photographed" };
    await correct(swap, { opening: { tariff0: 1019 }, ...confirmed });

    expect([unfounded.status, Object.keys(unfounded.attributes)]).toEqual([422, ["reason"]]);
    expect([open.status, Object.keys(open.attributes)]).toEqual([422, ["to"]]);
    const { rows } = await sql<{ after: { reason?: string } }>`
      select after from audit where action = 'point.correctTie' and subject = ${`point ${String(swap.point)}`}`.execute(
      system(),
    );
    expect(rows.map(({ after }) => after.reason)).toEqual(["The act names another hour"]);
  });

  it("TRUST-018 its check says the months before and after, and stores nothing", async () => {
    const swap = await replaced("entered");
    const before = await november(swap);
    const change = { from: removed, opening: { tariff0: 1000 } };
    const stored = () =>
      sql`select t::text from point_day t where point_id = ${swap.point} order by 1`.execute(system());
    const days = (await stored()).rows;

    const { data } = await check(swap, change);
    const kept = [(await stored()).rows, await amounts(swap)];
    await correct(swap, change);

    expect(data).toMatchObject({
      months: [{ month: "2026-11", before, after: 20 - 7 + (before ?? 0) }],
      is_too_long: false,
      meterless_before: [{ from: removed, to: installed, amount: 7 }],
      meterless_after: [],
    });
    expect(kept).toEqual([days, [{ from: removed, to: installed, amount: 7 }]]);
    expect(await november(swap)).toBe(data.months[0]?.after);
  });
});
