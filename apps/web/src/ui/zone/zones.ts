import { formatOffset } from "#lib/format";

export interface ZoneChoice {
  readonly value: string;
  /** "UTC+8 · Asia/Ulaanbaatar" */
  readonly title: string;
}

/** Minutes ahead of UTC of "UTC+5:30". */
function minutesOf(offset: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^UTC([+\u2212])(\d+)(?::(\d+))?$/.exec(offset) ?? [];
  return (sign === "\u2212" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/**
 * Every zone known to the browser with the offset valid at that instant, from west to east; always including
 * the given one.
 */
export function zoneChoices(current: string, at: number): readonly ZoneChoice[] {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), current]);
  return [...names]
    .map((value) => ({ value, offset: formatOffset(at, value) }))
    .sort((a, b) => minutesOf(a.offset) - minutesOf(b.offset) || a.value.localeCompare(b.value))
    .map(({ value, offset }) => ({ value, title: `${offset} · ${value.replaceAll("_", " ")}` }));
}
