import type { Acting } from "./acting.ts";
import type { Days } from "./liveStore.ts";
import { widestSpan } from "./months.ts";
import { duePoints } from "./dueStore.ts";

/** Points of a session whose days in a period are still being computed; marks belong to the whole installation. */
export const recomputingPoints = ({ database, scope }: Acting, days: Days): Promise<number> =>
  duePoints(database.system, scope, widestSpan(days));
