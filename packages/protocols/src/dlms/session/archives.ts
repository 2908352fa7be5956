import type { DeviceAddress, KeptArchive } from "../../core/driver.ts";
import type { ProfileTable } from "../objects/profile.ts";
import type { DlmsOptions } from "../options.ts";

const daySec = 86_400;
/**
 * Default depth if the model gives none: fewer rows than meters of this kind keep [from experience], so that
 * no request is in vain.
 */
const supposedDepthSec = { interval: 45 * daySec, day: 120 * daySec, month: 366 * daySec } as const;
/** A period known only to the meter: the most common value. Missing slots are answered without rows. */
const usualPeriodSec = 1800;
const journalDepthSec = 45 * daySec;

/** Archives of the meter of a model, one entry per message type. Errors: none. */
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

/** The same meter with the standard time at the location of the device. */
export const inZoneOf = (options: DlmsOptions, { utcOffsetMinutes }: DeviceAddress): DlmsOptions =>
  utcOffsetMinutes === undefined ? options : { ...options, clock: { ...options.clock, utcOffsetMinutes } };
