import { demoPlan } from "@metrum/simulator";
import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeTotals, totalsOfPoints } from "#accounting/accounting-points";
import { dayOf, dayText } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { replacementOf, seedAccounting } from "./accounting.ts";
import { seedCatalogue } from "./catalogue.ts";
import { seedCity } from "./city.ts";
import { seedHistory } from "./history.ts";
import { seedPutAway } from "./putAway.ts";
import { devicesByNumber } from "./store.ts";
import { accountOf } from "#access/users";

const zone = "Asia/Ulaanbaatar";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

test("PROD-006 the demonstration has points for its meters, and a replaced one goes on to the last digit", async () => {
  const { database, config, clock } = api.services;
  const companyId = api.companies.first;
  const now = clock.now();
  const plan = demoPlan();
  const small = { ...plan, devices: plan.devices.filter(({ gateway }) => gateway === "modem1") };
  const { devices, replaced } = await database.system.transaction().execute(async (db) => {
    const made = await seedCatalogue(db, companyId, small, config.deviceHost);
    await seedPutAway(db, companyId, now);
    await seedCity(db, companyId, made, []);
    return {
      devices: made,
      replaced: replacementOf(made, await devicesByNumber(db, companyId), { now, zone }),
    };
  });
  if (!replaced) throw new Error("nothing is replaced");
  await seedHistory(
    api.services,
    [
      ...devices.map((device) => ({
        ...device,
        ...(device.id === replaced.by ? { since: replaced.installedAt } : {}),
      })),
      { ...replaced.old, until: replaced.removedAt },
    ],
    zone,
  );
  await database.system.transaction().execute(async (db) => {
    const engineer = await accountOf(db, "engineer@metrum.example");
    if (!engineer) throw new Error("there is no engineer");
    await seedAccounting({
      db,
      scope: { companyId, userId: engineer.id, timeZone: zone },
      devices,
      now,
      replaced,
    });
  });
  while ((await computeTotals(api.services)) > 0);

  const { rows } = await sql<{ id: AccountingPointId; name: string; ties: number; consumer: string }>`
    select p.id, p.name, count(d.id)::int as ties, min(c.name) as consumer from accounting_point p
    join point_device d on d.point_id = p.id
    join point_term t on t.point_id = p.id and t.kind = 'consumer' join consumer c on c.id = t.consumer_id
    group by p.id order by p.id`.execute(database.system);
  expect(rows.map(({ name }) => name)).toContain("TP-11, input 1");
  const swapped = rows.find(({ ties }) => ties === 2);
  const events = await database.system
    .selectFrom("point_event")
    .innerJoin("point_device", "point_device.point_id", "point_event.point_id")
    .select(["kind", "ts", "point_event.details", "point_device.id", "from_ts"])
    .where("to_ts", "is", null)
    .where("kind", "=", "replaced")
    .execute();
  expect(events).toMatchObject([
    {
      ts: replaced.installedAt,
      details: {
        point_device: events[0]?.id,
        old_device_id: replaced.old.id,
        act: "Act 118/26",
      },
    },
  ]);
  const head = rows.find(({ name }) => name === "TP-11, input 1");
  const today = dayOf(zone, now);
  const totals = await totalsOfPoints(database.system, {
    pointIds: rows.map(({ id }) => id),
    field: "main",
    fromDay: dayText(today - 60),
    toDay: dayText(today - 1),
  });
  const amountOf = (id: AccountingPointId | undefined) =>
    Number(totals.find((each) => each.pointId === id)?.amount);
  expect(amountOf(swapped?.id)).toBeGreaterThan(100);
  const behind = rows.filter(({ id }) => id !== head?.id).reduce((sum, { id }) => sum + amountOf(id), 0);
  // Losses of 2.2 %, and short gaps of some meters.
  expect(amountOf(head?.id) / behind).toBeGreaterThan(1.01);
  expect(amountOf(head?.id) / behind).toBeLessThan(1.05);
});
