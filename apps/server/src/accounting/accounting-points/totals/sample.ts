import type { AccountingPointId } from "@metrum/vocabulary";
import { dayText, type Services } from "#core";
import type { SampleVerdict } from "#metering/messages";
import type { DayRow } from "../days/index.ts";
import { computeDays } from "./recompute.ts";
import { historyOf } from "./sources.ts";
import { differingMonths, lockDays, sampledPoints, storedDayRows } from "./totalsStore.ts";

const samplePoints = 50;
/** Days before and after the sampled one. */
const besideDays = 4;

/**
 * Computes some days of some points again and compares them with what is stored; points that wait for a computation
 * are left out. Changes nothing.
 */
export async function recountPointSample(services: Services): Promise<SampleVerdict> {
  const client = await services.database.pool.connect();
  const differing: string[] = [];
  let checked = 0;
  try {
    for (const { point_id: pointId, day } of await sampledPoints(client, samplePoints)) {
      await client.query("begin");
      await lockDays(client, pointId);
      const history = await historyOf(services, client, pointId);
      if (!history) {
        await client.query("rollback");
        continue;
      }
      const window = { pointId, zone: history.zone, from: day - besideDays, to: day + besideDays };
      const { registers } = await computeDays(services, client, { window, history });
      const stored = await storedDayRows(client, pointId, window);
      const bounds = [dayText(window.from), dayText(window.to)] as const;
      const computed = registers.flatMap(({ rows }) =>
        rows.filter((row) => row.day >= bounds[0] && row.day <= bounds[1]),
      );
      checked += stored.length;
      const months = await differingMonths(client, pointId, window);
      differing.push(
        ...differences(pointId, stored, computed),
        ...months.map((month) => `point ${String(pointId)}, month of ${month}`),
      );
      await client.query("rollback");
    }
  } finally {
    // Ends the transaction of a failed computation; without one it is ignored.
    await client.query("rollback");
    client.release();
  }
  return { checked, differing };
}

function differences(
  pointId: AccountingPointId,
  stored: readonly DayRow[],
  computed: readonly DayRow[],
): string[] {
  const name = ({ field, day }: DayRow): string => `point ${String(pointId)}, ${field}, ${day}`;
  const textOf = (rows: readonly DayRow[]) => new Map(rows.map((row) => [name(row), contentOf(row)]));
  const [before, now] = [textOf(stored), textOf(computed)];
  return [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));
}

/** In one order of columns. */
const contentOf = (row: DayRow): string =>
  JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
