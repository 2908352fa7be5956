import { sources, statuses } from "@metrum/vocabulary";
import { dayOf, dayText } from "#core";
import { derivedTypes, type Derived } from "../derive/index.ts";
import { sourceOfValue, statusOfValue, type DeviceMetadata } from "../rows/index.ts";
import { differing, timeText, type Difference, type Parts } from "./difference.ts";
import type { Message } from "./message.ts";

interface Given {
  readonly device: DeviceMetadata;
  /** All messages of the part, and the rows that follow from its readings. */
  readonly messages: readonly Message[];
  readonly derived: readonly Derived[];
}

/** Statuses that a person or a rule has given: such a value is not computed any more. */
const decided: readonly number[] = [statuses.rejected.id, statuses.corrected.id, statuses.manual.id];

/** Derived rows that do not follow from the readings, one difference a type and day. */
export function differingDerived({ device, messages, derived }: Given): Omit<Difference, "waits">[] {
  const key = (msgType: number, ts: number): string => `${String(msgType)} ${String(ts)}`;
  const expected = new Map(derived.map((row) => [key(row.msgType, row.ts), row]));
  const wrong: WrongRow[] = [];
  for (const message of messages) {
    const { msg_type: msgType, ts } = message;
    if (!derivedTypes.includes(msgType)) continue;
    const row = expected.get(key(msgType, ts));
    expected.delete(key(msgType, ts));
    // A measured row, and the estimate of a missing one, stand in the place of a derived one.
    if (message.source !== sources.calculated || message.is_estimate) continue;
    const found = differing(...comparable(message, row));
    if (found) wrong.push({ msgType, ts, ...found });
  }
  for (const { msgType, ts, values } of expected.values()) {
    const found = differing(undefined, new Map(Object.entries(values)));
    if (found) wrong.push({ msgType, ts, ...found });
  }
  return byDay(device, "derived row", wrong);
}

/** Values of a stored and a derived row, without those that are not computed. */
function comparable(message: Message, row: Derived | undefined): [Parts | undefined, Parts | undefined] {
  const { set, v } = message;
  const recounted = new Map(Object.entries(row?.values ?? {}));
  const stored = new Map<string, number>();
  for (const [at, name] of set.fields.entries()) {
    const value = v[at];
    if (typeof value !== "number") continue;
    const isOwn =
      sourceOfValue(message, name) === sources.calculated && !decided.includes(statusOfValue(message, name));
    if (isOwn) stored.set(name, value);
    else recounted.delete(name);
  }
  return stored.size === 0 && recounted.size === 0
    ? [undefined, undefined]
    : [stored, row ? recounted : undefined];
}

/** A row whose values do not follow from others. */
export interface WrongRow {
  readonly msgType: number;
  readonly ts: number;
  readonly stored: string;
  readonly recounted: string;
}

/** One difference a type and day: its first row, and how many more there are. */
export function byDay(
  { id, zone }: Pick<DeviceMetadata, "id" | "zone">,
  kind: string,
  wrong: readonly WrongRow[],
): Omit<Difference, "waits">[] {
  const days = new Map<string, WrongRow[]>();
  for (const row of wrong.toSorted((a, b) => a.msgType - b.msgType || a.ts - b.ts)) {
    const key = `${String(row.msgType)} ${String(dayOf(zone, row.ts))}`;
    const own = days.get(key);
    if (own) own.push(row);
    else days.set(key, [row]);
  }
  return [...days.values()].flatMap((rows) => {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return [];
    const more = rows.length > 1 ? `; ${String(rows.length - 1)} more rows of the day` : "";
    return [
      {
        kind,
        id: `device ${String(id)}, type ${String(first.msgType)}`,
        at: dayText(dayOf(zone, first.ts)),
        stored: `${timeText(first.ts)} ${first.stored}${more}`,
        recounted: first.recounted,
        from: first.ts,
        to: last.ts,
      },
    ];
  });
}
