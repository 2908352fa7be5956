import type { Services } from "#core";
import type { PeriodId } from "#accounting/closed-periods";
import { differing, type Difference, type Examined, type Recount } from "#metering/messages";
import { widestSpan } from "./months.ts";
import { countChanged } from "./differing.ts";
import { countStored, periodState, storedAfter, storedVersions, type StoredVersion } from "./recountStore.ts";
import { markStale } from "./store.ts";

/**
 * Versions of periods from their own totals: what was billed is not wrong because later data differ. How many points
 * differ by now is counted from the days.
 */
export const periodRecount = (services: Services): Recount => ({
  of: "periods",
  kinds: ["period version", "period difference"],
  count: (companyId) => countStored(services.database.system, companyId),
  idsAfter: (after, companyId) => storedAfter(services.database.system, after, companyId),
  examine: (id) => examine(services, id as PeriodId),
  markDue: async (id, wrong) => {
    await markStale(services.database.system, id as PeriodId);
    // A stored version is never altered.
    return wrong.filter(({ kind }) => kind === "period version");
  },
});

async function examine({ database }: Services, id: PeriodId): Promise<Examined> {
  return database.system
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (db) => {
      const period = await periodState(db, id);
      if (!period) return { rows: 0, differences: [] };
      const versions = await storedVersions(db, id);
      const rows = versions.reduce((sum, { totals }) => sum + totals, 0);
      const of = { id: `period ${String(id)}`, at: period.from_day.slice(0, 7), ...widestSpan(period) };
      const differences: Difference[] = versions.flatMap((each) => {
        const found = wrongVersion(each);
        const name = `${of.id}, version ${String(each.version)}`;
        return found ? [{ ...of, kind: "period version", ...found, id: name, waits: false }] : [];
      });
      if (period.state !== "closed") return { rows, differences };
      const counted = await countChanged(db, period.company_id, period);
      const found = differing(
        new Map([["points that differ", period.differing]]),
        new Map([["points that differ", counted]]),
      );
      if (found) differences.push({ ...of, kind: "period difference", ...found, waits: period.is_stale });
      return { rows, differences };
    });
}

const wrongVersion = ({ stored, recounted }: StoredVersion) =>
  differing(new Map(Object.entries(stored)), new Map(Object.entries(recounted)));
