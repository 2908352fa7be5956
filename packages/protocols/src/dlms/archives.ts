import type { DeviceAddress, KeptArchive } from "../core/driver.ts";
import type { ProfileTable } from "./objects/profile.ts";
import type { DlmsOptions } from "./options.ts";

const daySec = 86_400;
/** Supposed where the model says nothing: fewer rows than meters of this kind keep [from memory], so that none is asked for in vain. */
const supposedDepthSec = { interval: 45 * daySec, day: 120 * daySec, month: 366 * daySec } as const;
/** A period that only the meter knows: what most have. Slots it has not are answered by no row. */
const usualPeriodSec = 1800;
const journalDepthSec = 45 * daySec;

/** What the meter of a model keeps, one entry a message type. Errors: none. */
export function archivesOf({ profiles = [], journals = [] }: DlmsOptions): KeptArchive[] {
  const kept = new Map(profiles.toReversed().map((table) => [table.msgType, keptOf(table)]));
  return [
    ...kept.values(),
    ...(journals.length > 0 ? [{ msgType: 7, period: "events", depthSec: journalDepthSec } as const] : []),
  ];
}

function keptOf(table: ProfileTable): KeptArchive {
  const period = table.period === "asked" ? usualPeriodSec : table.period;
  const supposed = period === "month" ? "month" : period >= daySec ? "day" : "interval";
  return { msgType: table.msgType, period, depthSec: table.depthSec ?? supposedDepthSec[supposed] };
}

/** The same meter with the standard time of the place where the device stands. */
export const inZoneOf = (options: DlmsOptions, { utcOffsetMinutes }: DeviceAddress): DlmsOptions =>
  utcOffsetMinutes === undefined ? options : { ...options, clock: { ...options.clock, utcOffsetMinutes } };
