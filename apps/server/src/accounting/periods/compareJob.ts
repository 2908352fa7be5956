import { startRounds, type Services, type Stop } from "#core";
import { countChanged } from "./differing.ts";
import { markGapEnds, setDiffering, takeStale } from "./store.ts";

const everyMs = 15_000;

/** Compares closed periods whose days have changed with what is stored; returns how many. */
export async function compareStale(
  { database: { system }, clock }: Pick<Services, "database" | "clock">,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  let compared = 0;
  while (mayGoOn()) {
    const isDone = await system.transaction().execute(async (db) => {
      const stale = await takeStale(db);
      if (!stale) return true;
      const { id, company_id } = stale;
      await setDiffering(db, id, await countChanged(db, company_id, stale), clock.now());
      await markGapEnds(db, company_id, stale);
      return false;
    });
    if (isDone) break;
    compared += 1;
  }
  return compared;
}

/** Keeps the differences of closed periods up to date. */
export function startComparing(services: Services): Stop {
  const rounds = startRounds({
    everyMs,
    round: async () => {
      await compareStale(services, () => !rounds.isStopped());
    },
    onError: (err) => {
      services.log.warn({ err }, "closed periods could not be compared, trying again");
    },
  });
  return rounds.stop;
}
