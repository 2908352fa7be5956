import { ProtocolError } from "../core/errors.ts";

/** A clock as the modem shows it: local seconds as if they were UTC, and its offset; undefined: not told. */
export interface AtClock {
  readonly local: number;
  readonly offsetMinutes: number | undefined;
}

const pattern = /\+CCLK: ?"(\d{2})\/(\d{2})\/(\d{2}),(\d{2}):(\d{2}):(\d{2})([+-]\d{1,2})?"/;
const quarterMinutes = 15;
const century = 2000;

/**
 * The clock in an answer to +CCLK?.
 * Source: 3GPP TS 27.007, 8.15. Layout: "yy/MM/dd,hh:mm:ss±zz", local time; zz is the difference to GMT in
 * quarters of an hour. Errors: ProtocolError "unexpected".
 */
export function readAtClock(answer: string): AtClock {
  const [, ...parts] = pattern.exec(answer) ?? [];
  if (parts.length === 0) throw new ProtocolError("unexpected", "the answer holds no clock");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const ms = Date.UTC(century + year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  // An hour too late is of another day.
  if (!isDay || minute > 59 || second > 59) throw new ProtocolError("unexpected", "the clock shows no time");
  const [, , , , , , zone] = parts;
  return {
    local: ms / 1000,
    offsetMinutes: zone === undefined ? undefined : Number(zone) * quarterMinutes,
  };
}

/** The same text for a time; the year is of this century. */
export function writeAtClock(local: number, offsetMinutes: number): string {
  const [date = "", time = ""] = new Date(local * 1000).toISOString().slice(2, 19).split("T");
  const quarters = Math.round(offsetMinutes / quarterMinutes);
  const zone = `${quarters < 0 ? "-" : "+"}${String(Math.abs(quarters)).padStart(2, "0")}`;
  return `"${date.replaceAll("-", "/")},${time}${zone}"`;
}
