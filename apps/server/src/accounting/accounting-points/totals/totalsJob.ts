import type { AccountingPointId } from "@metrum/vocabulary";
import { watchClock, type Services, type Stop } from "#core";
import {
  dueKinds,
  runDependants,
  startDependants,
  startWork,
  workOnce,
  type ChangedSpan,
  type Dependants,
  type DeviceMetadata,
  type DueWork,
} from "#metering/messages";
import { pointQueue, pullPointsNear } from "./pointDueStore.ts";
import { recomputePoint } from "./recompute.ts";
import { pointsOfDevice } from "./totalsStore.ts";
import { farReach } from "../days/index.ts";

const what = "days of accounting points";
/** Worst delay of a mark that another process has set. */
const pauseMs = 2_000;

/** Recomputes the days of points whose readings, ties, ratios or added amounts have changed, until it is stopped. */
export function startTotals(services: Services): Stop {
  const { database, clock } = services;
  const lookAtClock = watchClock(services, "points", (bySec) =>
    pullPointsNear(database.pool, clock.now(), bySec),
  );
  const stops = [
    startDependants(services, ofDevices(services)),
    startWork(services, { ...ofPoints(services), before: lookAtClock }),
  ];
  return async () => {
    for (const stop of stops) await stop();
  };
}

/** One run over the marked devices and points; returns how many it took. */
export async function computeTotals(services: Services): Promise<number> {
  const points = await workOnce(services, ofPoints(services));
  return points + (await runDependants(services, ofDevices(services)));
}

const ofPoints = (services: Services): DueWork => ({
  what,
  queue: pointQueue(services.database.pool),
  sideBySide: 2,
  pauseMs,
  isHint: () => false,
  compute: ({ id, from_ts, to_ts }, isOver) =>
    recomputePoint(services, id as AccountingPointId, { from: from_ts, to: to_ts, isOver }),
});

const ofDevices = (services: Services): Dependants => ({
  kind: dueKinds.points,
  what,
  compute: (device, span, isOver) => ofDevice(services, device, { ...span, isOver }),
});

/** Points that a device measured in the span; the rest begins where the first of them has to go on. */
async function ofDevice(
  services: Services,
  device: DeviceMetadata,
  { from, to, isOver }: ChangedSpan & { readonly isOver: () => boolean },
): Promise<number | undefined> {
  const ties = await pointsOfDevice(services.database.pool, device.id, {
    from: from - farReach,
    to: to + farReach,
  });
  let rest: number | undefined;
  for (const pointId of new Set(ties.map((tie) => tie.point_id))) {
    const own = await recomputePoint(services, pointId, { from, to, isOver });
    if (own !== undefined) rest = Math.min(own, rest ?? own);
  }
  return rest;
}
