import { companies } from "@metrum/contract/access";
import { accountingPoints, periods, pointDevices, pointHistory } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { computeTotals } from "#accounting/accounting-points";
import { ingest } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading, at } from "#testing/readings";
import { compareStale } from "./compareJob.ts";

const day = 86_400;
const edge = at("2026-04-01T00:00:00Z");

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree({ clock: { now: () => at("2026-05-10T00:00:00Z") } });
});
afterAll(() => tree.api.close());

const system = () => tree.api.services.database.system;

async function read(device: DeviceId, values: readonly (readonly [ts: number, tariff0: number])[]) {
  await ingest(
    tree.api.services,
    values.map(([ts, tariff0]) =>
      aReading({ deviceId: device, ts, receivedAt: ts, source: "imported", values: { tariff0 } }),
    ),
  );
  for (let runs = 1; runs > 0;) {
    await sql`update reading_due set due_at = 0`.execute(system());
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system());
    runs = await computeTotals(tree.api.services);
  }
  while ((await compareStale(tree.api.services)) > 0);
}

it("TRUST-017 TRUST-027 a gap that ends after its divided month was closed is billed by a correction, and carried nowhere", async () => {
  await tree.ask(companies.update, { options: { divides_gaps_from: "2026-01-01" } });
  const made = await tree.ask(accountingPoints.create, {
    ...{ title: "Input", resource_type_id: 3, timezone: "Etc/UTC", valid_from: edge - 60 * day },
  });
  const point = made.data.accounting_point.id;
  const device = (await tree.aDevice()) as DeviceId;
  await tree.ask(pointDevices.tieDevice, {
    ...{ accounting_point_id: point, device_id: device, from: edge - 31 * day },
  });
  const shownMonths = async () => {
    const { data } = await tree.ask(pointHistory.months, { accounting_point_id: point, months: 5 });
    const shown = (name: string) => data.months.find(({ month }) => month === name);
    const [march, april] = [shown("2026-03"), shown("2026-04")];
    return [march?.consumption, march?.now?.consumption, april?.consumption, april?.carried];
  };
  await read(device, [
    [edge - 31 * day, 1000],
    [edge - 10 * day, 1210],
  ]);
  const { digest } = (await tree.ask(periods.preview, { month: "2026-03" })).data.preview;
  const closed = await tree.ask(periods.close, { month: "2026-03", digest, accepts_incomplete: true });
  const id = closed.data.period.id ?? 0;
  expect(await shownMonths()).toEqual([210, undefined, undefined, undefined]);

  // It ends twenty days after the edge, of which it was closed without the last ten.
  await read(device, [
    [edge + 20 * day, 1510],
    [edge + 30 * day, 1610],
  ]);
  expect(await shownMonths()).toEqual([210, 310, 300, 0]);
  expect((await tree.ask(periods.get, { id })).data.period.differing).toBe(1);

  const now = (await tree.ask(periods.get, { id })).data.now.digest;
  await tree.ask(periods.correct, { id, digest: now, reason: "The gap has ended" });
  expect(await shownMonths()).toEqual([310, undefined, 300, 0]);
});
