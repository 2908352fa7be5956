/** Hour offset on the wire when nothing else is known, and its zone (SHELL-026). */
export const defaultZone = "Europe/Samara";

/** Zones meant by an hour offset in the platform's markets; every other whole hour is a fixed zone. */
const zoneOfHours: ReadonlyMap<number, string> = new Map([
  [-9.5, "Pacific/Marquesas"],
  [-3.5, "America/St_Johns"],
  [0, "Etc/UTC"],
  [2, "Europe/Kaliningrad"],
  [3, "Europe/Moscow"],
  [3.5, "Asia/Tehran"],
  [4, defaultZone],
  [4.5, "Asia/Kabul"],
  [5, "Asia/Yekaterinburg"],
  [5.5, "Asia/Kolkata"],
  [5.75, "Asia/Kathmandu"],
  [6, "Asia/Omsk"],
  [6.5, "Asia/Yangon"],
  [7, "Asia/Krasnoyarsk"],
  [8, "Asia/Ulaanbaatar"],
  [9, "Asia/Chita"],
  [9.5, "Australia/Darwin"],
  [10, "Asia/Vladivostok"],
  [11, "Asia/Magadan"],
  [12, "Asia/Kamchatka"],
]);

// oxlint-disable-next-line metrum/no-hidden-state -- cache of a pure function
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Offset of an IANA zone at an instant, in hours, as shown on the wire. Throws RangeError for an unknown
 * zone.
 */
export function offsetHours(zone: string, atSec: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  const name = format.formatToParts(atSec * 1000).find((part) => part.type === "timeZoneName")?.value;
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? "");
  if (!match) return 0;
  const hours = Number(match[2]) + Number(match[3]) / 60;
  return match[1] === "-" ? -hours : hours;
}

/**
 * The zone to store for an offset from the wire. A zone that already has this offset stays, so that saving a
 * form does not replace Asia/Hovd by Asia/Krasnoyarsk. Undefined for input to be ignored: null, outside -12
 * to 12, no known zone with this offset at that instant.
 */
export function zoneOfOffset(
  hours: number | null | undefined,
  current: string | null,
  atSec: number,
): string | undefined {
  if (hours === null || hours === undefined || hours < -12 || hours > 12) return undefined;
  if (current && offsetHours(current, atSec) === hours) return current;
  const has = (zone: string): boolean => offsetHours(zone, atSec) === hours;
  const known = zoneOfHours.get(hours);
  if (known && has(known)) return known;
  if (!Number.isInteger(hours)) return [...zoneOfHours.values()].find(has);
  // POSIX has the opposite sign: Etc/GMT+5 is five hours behind.
  return hours < 0 ? `Etc/GMT+${String(-hours)}` : `Etc/GMT-${String(hours)}`;
}

/** Whether the name is an IANA zone known to this system. */
export function isZone(name: string): boolean {
  try {
    offsetHours(name, 0);
    return true;
  } catch {
    return false;
  }
}
