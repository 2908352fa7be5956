import type pg from "pg";
import { startOfDay } from "#core";
import { inOrderOf, parseValues, type DeviceMetadata, type FieldSet, type FieldSets } from "../rows/index.ts";
import { rowsOfSpans, type MessageRow } from "../read/index.ts";
import { lockDays, makeDays, replaceDays } from "./dayStore.ts";
import {
  byDay,
  dayKeyOf,
  emptyDay,
  isCounted,
  sumDays,
  type DayKey,
  type DayMessage,
  type DayRow,
} from "./days.ts";

/** A day whose row must be recomputed, with the device and the present set of its messages. */
export interface Recounted extends DayKey {
  readonly of: { readonly device: Pick<DeviceMetadata, "companyId" | "zone">; readonly set: FieldSet };
}

/** Changes and additions of the transaction to these days. */
export interface OwnMessages {
  /** Existing messages before their change. */
  readonly changed: readonly {
    readonly row: DayMessage;
    readonly before: Pick<DayMessage, "status" | "by_field" | "set" | "v">;
  }[];
  readonly added: readonly DayMessage[];
}

/**
 * Recomputes the rows of these days from their messages. They are locked first, in the order of their key,
 * and read after that: a concurrent addition has either committed, and is read, or waits and adds to the new
 * row. Messages changed by the transaction itself are not read again.
 */
export async function recountDays(
  client: pg.ClientBase,
  sets: FieldSets,
  days: readonly Recounted[],
  own?: OwnMessages,
): Promise<void> {
  if (days.length === 0) return;
  const empty = days.map((day) => emptyDay(day, day.of.set));
  let counts = await lockDays(client, empty);
  if (counts.includes(undefined)) {
    await makeDays(client, empty);
    counts = await lockDays(client, empty);
  }
  const counted = own
    ? await countFromOwn(client, sets, ownDays(days, counts, own))
    : new Map<string, DayRow>();
  const others = days.filter((day) => !counted.has(dayKeyOf(day)));
  const read = await messagesOf(client, sets, others.map(wholeDay));
  for (const day of sumDays(read)) counted.set(dayKeyOf(day), day);
  await replaceDays(
    client,
    empty.map((day) => counted.get(dayKeyOf(day)) ?? day),
  );
}

/** A day with its messages that the transaction has changed or added. */
interface OwnDay {
  readonly day: Recounted;
  /** In the order of time. */
  readonly messages: readonly DayMessage[];
  /** Trusted messages that it had before in addition to the changed ones. */
  readonly others: number;
  readonly hasAdded: boolean;
}

/** `counts`: the number of trusted messages of each day, in their order. */
function ownDays(
  days: readonly Recounted[],
  counts: readonly (number | undefined)[],
  { changed, added }: OwnMessages,
): OwnDay[] {
  const [changes, additions] = [byDay(changed, ({ row }) => row), byDay(added, (row) => row)];
  return days.map((day, at) => {
    const own = changes.get(dayKeyOf(day)) ?? [];
    const additional = additions.get(dayKeyOf(day)) ?? [];
    return {
      day,
      messages: [...own.map(({ row }) => row), ...additional].sort((a, b) => a.ts - b.ts),
      others: (counts[at] ?? 0) - own.filter(({ before }) => isCounted(before)).length,
      hasAdded: additional.length > 0,
    };
  });
}

/**
 * Computes the days that are fully known from the changes of the transaction and the rows before and after.
 * The others, with other messages in between or another set, are not returned.
 */
async function countFromOwn(
  client: pg.ClientBase,
  sets: FieldSets,
  days: readonly OwnDay[],
): Promise<Map<string, DayRow>> {
  const parts = days.flatMap((own) => (own.others > 0 && !own.hasAdded ? around(own) : []));
  const read = byDay(await messagesOf(client, sets, parts), (message) => message);
  const counted = new Map<string, DayRow>();
  for (const { day, messages, others } of days) {
    const around = read.get(dayKeyOf(day)) ?? [];
    const set = messages[0]?.set;
    const all = around.length === 0 ? messages : [...around, ...messages].sort((a, b) => a.ts - b.ts);
    if (around.filter(isCounted).length !== others || all.some((message) => message.set.id !== set?.id))
      continue;
    const [row] = sumDays(all);
    if (row) counted.set(dayKeyOf(day), row);
  }
  return counted;
}

/** A part of a day; both ends inclusive. */
interface Part {
  readonly day: Recounted;
  readonly from: number;
  readonly to: number;
}

const wholeDay = (day: Recounted): Part => ({
  day,
  from: startOfDay(day.of.device.zone, day.day),
  to: startOfDay(day.of.device.zone, day.day + 1) - 1,
});

/** The parts of a day before and after its own messages. */
function around({ day, messages }: OwnDay): Part[] {
  const { from, to } = wholeDay(day);
  const [first, last] = [messages[0]?.ts ?? to + 1, messages.at(-1)?.ts ?? to];
  return [
    { day, from, to: first - 1 },
    { day, from: last + 1, to },
  ].filter((part) => part.from <= part.to);
}

/** The messages of parts of days: up to 1,440 rows a day. */
async function messagesOf(
  client: pg.ClientBase,
  sets: FieldSets,
  parts: readonly Part[],
): Promise<DayMessage[]> {
  const spans = parts.map(({ day: { deviceId, msgType }, from, to }) => ({ deviceId, msgType, from, to }));
  const read = await rowsOfSpans(client, spans);
  await sets.load(new Set(read.flatMap((rows) => rows.map((row) => row.field_set_id))));
  const found: DayMessage[] = [];
  for (const [at, { day }] of parts.entries()) {
    const rows = read[at] ?? [];
    const set = await setOfDay(sets, day, rows);
    const device = { id: day.deviceId, zone: day.of.device.zone };
    for (const { ts, status, by_field, field_set_id, v } of rows) {
      const own = sets.byId(field_set_id);
      if (!own) continue;
      const values = inOrderOf(set, own, parseValues(v));
      found.push({ device, msgType: day.msgType, ts, status, by_field, set, v: values });
    }
  }
  return found;
}

/** The set with all fields of a day's messages: that of the device, unless another process has extended it. */
async function setOfDay(sets: FieldSets, { of }: Recounted, rows: readonly MessageRow[]): Promise<FieldSet> {
  let wide = of.set;
  for (const id of new Set(rows.map((row) => row.field_set_id))) {
    const own = sets.byId(id);
    if (own && own.id !== wide.id) wide = await sets.union(wide, own, of.device.companyId);
  }
  return wide;
}
