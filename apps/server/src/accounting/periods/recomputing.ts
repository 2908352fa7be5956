import type { Ctx } from "#core";
import type { Days } from "./liveStore.ts";
import { widestSpan } from "./months.ts";
import { dueDevices } from "./dueStore.ts";

/** Devices of points whose readings of a period are still being computed; marks belong to the whole installation. */
export const recomputingDevices = ({ database, scope }: Ctx, days: Days): Promise<number> =>
  dueDevices(database.system, scope.companyId, widestSpan(days));
