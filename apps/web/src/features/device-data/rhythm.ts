/** What is asked for: it decides how often a row should come. */
export interface Asked {
  readonly tab: string;
  readonly msgType: number;
  readonly profile: 30 | 60;
}

const day = 86_400;
const archiveSteps: Readonly<Record<number, number>> = {
  100: 3600,
  101: day,
  102: 7 * day,
  // A month has no fixed length: half as much again as the longest is still less than two.
  103: 31 * day,
  104: 92 * day,
  105: 184 * day,
  106: 366 * day,
};

/** Whether a row stands for the interval that starts at its time. */
export function coversInterval(tab: string): boolean {
  return tab === "power_profiles" || tab === "energy_profiles";
}

/** Seconds between two rows as they should come: of the profile, of the archive, else as often as the device is asked. */
export function stepOf(asked: Asked, device: { readonly report_period_update: number }): number {
  if (asked.tab === "power_profiles") return asked.profile * 60;
  if (asked.tab === "energy_profiles") return 1800;
  return archiveSteps[asked.msgType] ?? device.report_period_update;
}
