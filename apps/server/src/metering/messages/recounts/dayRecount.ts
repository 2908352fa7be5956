import type { FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { dayText, startOfDay, type Day, type Services } from "#core";
import { sumDays, type DayMessage, type DayRow } from "../days/index.ts";
import { inOrderOf, makeSet, type DeviceMetadata, type FieldSet } from "../rows/index.ts";
import { differing, type Difference, type Parts } from "./difference.ts";
import type { Message } from "./message.ts";
import { daysStored, type StoredDay } from "./recountStore.ts";

interface Part {
  readonly device: DeviceMetadata;
  /** Both inclusive. */
  readonly from: Day;
  readonly to: Day;
  /** All of these days, by type and time. */
  readonly messages: readonly Message[];
}

/** Days of a device that are not the sums of their messages. */
export async function differingDays(
  services: Services,
  client: pg.ClientBase,
  { device, from, to, messages }: Part,
): Promise<Omit<Difference, "waits">[]> {
  const { sets } = services.parts.readingStore;
  const stored = await daysStored(client, { id: device.id, from, to });
  await sets.load(new Set(stored.map((row) => row.field_set_id)));
  const key = (msgType: number, day: Day): string => `${String(msgType)} ${String(day)}`;
  const before = new Map(stored.map((row) => [key(row.msg_type, row.day), row]));
  const counted = new Map(sumDays(inOneSet(device, messages)).map((row) => [key(row.msgType, row.day), row]));
  return [...new Set([...before.keys(), ...counted.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name), counted.get(name)];
    const set = old && sets.byId(old.field_set_id);
    const found = differing(old && set && partsOf(rowOf(old, set)), now && partsOf(now), isSame);
    const [msgType, day] = [old?.msg_type ?? now?.msgType ?? 0, old?.day ?? now?.day ?? 0];
    if (!found) return [];
    const id = `device ${String(device.id)}, type ${String(msgType)}`;
    const span = { from: startOfDay(device.zone, day), to: startOfDay(device.zone, day + 1) - 1 };
    return [{ kind: "device day", id, at: dayText(day), ...found, ...span }];
  });
}

/** The messages of each type in the order of one set with all their fields, which no other part has. */
function* inOneSet(device: DeviceMetadata, messages: readonly Message[]): Iterable<DayMessage> {
  const names = new Map<number, Set<FieldName>>();
  for (const { msg_type, set } of messages) {
    const known = names.get(msg_type) ?? new Set<FieldName>();
    for (const name of set.fields) known.add(name);
    names.set(msg_type, known);
  }
  const wide = new Map([...names].map(([type, own]) => [type, makeSet(-1, [...own].sort())]));
  for (const { msg_type: msgType, ts, status, by_field, set: own, v } of messages) {
    const set = wide.get(msgType) ?? own;
    yield { device, msgType, ts, status, by_field, set, v: inOrderOf(set, own, v) };
  }
}

function rowOf(row: StoredDay, set: FieldSet): Omit<DayRow, "deviceId"> {
  const { msg_type: msgType, day, hours, n, first, last } = row;
  const { value_n: ofField, value_first_ts: firstTs, value_last_ts: lastTs } = row;
  const counts =
    ofField && firstTs && lastTs
      ? { n: [...ofField], firstTs: [...firstTs], lastTs: [...lastTs] }
      : undefined;
  const [sum, min, max] = [[...row.sum], [...row.min], [...row.max]];
  const times = { firstTs: row.first_ts, lastTs: row.last_ts };
  return { msgType, day, set, hours, n, ...times, first, last, sum, min, max, counts };
}

/** What a row says, whatever the order of its fields; of a field what differs from the row. */
function partsOf(row: Omit<DayRow, "deviceId">): Parts {
  const { set, counts } = row;
  const parts = new Map<string, number | null>([
    ["n", row.n],
    ["hours", row.hours],
    ["first_ts", row.firstTs],
    ["last_ts", row.lastTs],
  ]);
  set.fields.forEach((name, at) => {
    if ((row.first[at] ?? null) === null) return;
    parts.set(`${name} first`, row.first[at] ?? null);
    parts.set(`${name} last`, row.last[at] ?? null);
    if (!counts) return;
    if (counts.n[at] !== row.n) parts.set(`${name} n`, counts.n[at] ?? null);
    if (counts.firstTs[at] !== row.firstTs) parts.set(`${name} first_ts`, counts.firstTs[at] ?? null);
    if (counts.lastTs[at] !== row.lastTs) parts.set(`${name} last_ts`, counts.lastTs[at] ?? null);
  });
  set.moving.forEach((place, at) => {
    const name = set.fields[place] ?? "";
    for (const what of ["sum", "min", "max"] as const) parts.set(`${name} ${what}`, row[what][at] ?? null);
  });
  return parts;
}

/** Sums of floats in another order may differ in their last digits. */
function isSame(a: unknown, b: unknown, name: string): boolean {
  if (a === b) return true;
  if (typeof a !== "number" || typeof b !== "number" || !name.endsWith(" sum")) return false;
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
