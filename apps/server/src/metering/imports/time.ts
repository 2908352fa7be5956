/** A time of a file: epoch seconds UTC, or those of the clock of the device where it names no zone. */
export interface FileTime {
  readonly at: number;
  readonly clock: "utc" | "device";
}

/** Year 2000 and 9999: times outside cannot come from a meter. */
const [firstSecond, lastSecond] = [946_684_800, 253_402_300_799];

const zoned = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;
const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/;
const written = /^(\d{1,2})\.(\d\d)\.(\d{4})(?: +(\d{1,2}):(\d\d)(?::(\d\d))?)?$/;

/** Epoch seconds, ISO 8601, or a date as Russian programs write it; a date alone is its midnight. */
export function timeOf(text: string): FileTime | undefined {
  const time = /^\d{9,12}$/.test(text)
    ? utc(Number(text))
    : zoned.test(text)
      ? utc(Math.floor(Date.parse(text.replace(" ", "T")) / 1000))
      : clockTime(text);
  return time && time.at >= firstSecond && time.at <= lastSecond ? time : undefined;
}

const utc = (at: number): FileTime => ({ at, clock: "utc" });

function clockTime(text: string): FileTime | undefined {
  const [, year, month, day, ...time] = iso.exec(text) ?? dayFirst(text) ?? [];
  if (year === undefined) return undefined;
  const [y, m, d, h, min, sec] = [year, month, day, ...time].map((part) => Number(part ?? 0));
  const ms = Date.UTC(y ?? 0, (m ?? 0) - 1, d, h, min, sec);
  const shown = new Date(ms);
  // A day or an hour that does not exist would become another one.
  const exists = shown.getUTCMonth() + 1 === m && shown.getUTCDate() === d && shown.getUTCHours() === h;
  return exists && (min ?? 0) < 60 && (sec ?? 0) < 60 ? { at: ms / 1000, clock: "device" } : undefined;
}

function dayFirst(text: string): readonly (string | undefined)[] | undefined {
  const [whole, day, month, year, ...time] = written.exec(text) ?? [];
  return whole === undefined ? undefined : [whole, year, month, day, ...time];
}
