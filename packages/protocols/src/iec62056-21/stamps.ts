/** Date or time as sent by a meter. `local`: epoch seconds as if its clock were UTC. */
export interface WrittenStamp {
  readonly local: number;
  /** Whether the meter reports daylight saving time. */
  readonly isSummer?: boolean;
  readonly dateOnly: boolean;
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/**
 * Epoch seconds of a date that exists; undefined for month 13, day 0 and the like. 24:00 is the end of the
 * day.
 */
function toLocal({ year, month, day, hour = 0, minute = 0, second = 0 }: Parts): number | undefined {
  if (hour > 24 || minute > 59 || second > 59 || (hour === 24 && minute + second > 0)) return undefined;
  const full = year < 100 ? (year < 70 ? 2000 : 1900) + year : year;
  const days = Date.UTC(full, month - 1, day);
  // A day that the month has not is one of another month.
  if (new Date(days).getUTCMonth() !== month - 1) return undefined;
  return days / 1000 + hour * 3600 + minute * 60 + second;
}

/**
 * Forms of a date in which meters write it. A season is before the digits (0 normal, 1 summer, 2 UTC as
 * normal) or behind them (W, S).
 * Sources: VDEW specification 2.1 (Zst10 to Zst13) [from memory], DSMR 5.0.2, 6.2.1 (TST), Energomera user
 * manuals (ww.dd.mm.yy).
 */
const forms: readonly RegExp[] = [
  /^(?<season>[012])?(?<year>\d\d)(?<month>\d\d)(?<day>\d\d)(?:[ ]?(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?)?(?<letter>[WS])?$/i,
  /^(?:\d{1,2}\.)?(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4}|\d\d)(?:[ ,T]+(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?)?(?<letter>[WS])?$/i,
  /^(?<year>\d{4}|\d\d)[-/](?<month>\d\d)[-/](?<day>\d\d)(?:[ ,T]+(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?)?(?<letter>[WS])?$/i,
];

const partOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/**
 * Reads a date, with or without a time.
 * Layout: YYMMDD, YYMMDDhhmm, YYMMDDhhmmss with a season before or W/S behind; dd.mm.yy, dd.mm.yyyy,
 * ww.dd.mm.yy; yy-mm-dd, yyyy-mm-dd; the latter two with hh:mm or hh:mm:ss. Two-digit years are 1970 to 2069.
 * Returns undefined for anything else and for days that do not exist.
 */
export function parseStamp(text: string): WrittenStamp | undefined {
  const groups = forms.map((form) => form.exec(text.trim())?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const [year, month, day] = [groups["year"], groups["month"], groups["day"]].map(partOf);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const time = timeParts(groups);
  const local = toLocal({ year, month, day, ...time });
  if (local === undefined) return undefined;
  const letter = groups["letter"]?.toUpperCase();
  const season = letter ?? { "0": "W", "1": "S", "2": "W" }[groups["season"] ?? ""];
  const dateOnly = time.hour === undefined;
  return { local, dateOnly, ...(season === undefined ? {} : { isSummer: season === "S" }) };
}

function timeParts(groups: Readonly<Record<string, string | undefined>>) {
  const [hour, minute, second] = [groups["hour"], groups["minute"], groups["second"]].map(partOf);
  return {
    ...(hour === undefined ? {} : { hour }),
    ...(minute === undefined ? {} : { minute }),
    ...(second === undefined ? {} : { second }),
  };
}

/**
 * Seconds of the day of hhmmss, hhmm, hh:mm:ss or hh:mm, a season digit before and W/S behind allowed;
 * undefined for anything else.
 */
export function parseTime(text: string): number | undefined {
  const found = /^[012]?(\d\d)(?::(\d\d)(?::(\d\d))?|(\d\d)(\d\d)?)[WS]?$/i.exec(text.trim());
  if (!found) return undefined;
  const [hour, minute, second] = [found[1], found[2] ?? found[4], found[3] ?? found[5] ?? "0"].map(Number);
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return hour * 3600 + minute * 60 + second;
}

/**
 * Instant of a stamp.
 * Units: `utcOffsetMinutes` is the meter's standard time against UTC; summer time adds an hour when the meter
 * says it is in force.
 */
export function toEpoch(stamp: WrittenStamp, utcOffsetMinutes: number): number {
  return stamp.local - utcOffsetMinutes * 60 - (stamp.isSummer === true ? 3600 : 0);
}

/** A time of the meter's clock as digits: YYMMDDhhmmss. */
export function formatStamp(local: number): string {
  return new Date(local * 1000).toISOString().slice(2, 19).replaceAll(/[-:T]/g, "");
}
