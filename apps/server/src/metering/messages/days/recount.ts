import type pg from "pg";
import { startOfDay } from "#core";
import {
  inOrderOf,
  int2Array,
  int4Array,
  int8Array,
  parseValues,
  type ByField,
  type DeviceMetadata,
  type FieldSet,
  type FieldSets,
} from "../rows/index.ts";
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

interface MessageRow {
  readonly k: number;
  readonly ts: number;
  readonly status: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
}

/** The messages of parts of days: up to 1,440 rows a day, by the primary key of one or two partitions. */
async function messagesOf(
  client: pg.ClientBase,
  sets: FieldSets,
  parts: readonly Part[],
): Promise<DayMessage[]> {
  if (parts.length === 0) return [];
  const days = parts.map(({ day }) => day);
  const { rows } = await client.query<MessageRow>({
    name: "messages-of-days",
    text: `select k.n::int as k, m.* from unnest($1::int4[], $2::int2[], $3::int8[], $4::int8[])
        with ordinality as k(device_id, msg_type, from_ts, to_ts, n)
      cross join lateral (
        select ts, status, field_set_id, v::text as v, by_field from message
        where device_id = k.device_id and msg_type = k.msg_type and ts >= k.from_ts and ts <= k.to_ts
      ) m`,
    values: [
      int4Array(days.map((day) => day.deviceId)),
      int2Array(days.map((day) => day.msgType)),
      int8Array(parts.map(({ from }) => from)),
      int8Array(parts.map(({ to }) => to)),
    ],
  });
  await sets.load(new Set(rows.map((row) => row.field_set_id)));
  const wide = await setOfEachDay(sets, days, rows);
  return rows.flatMap((row) => {
    const [day, set, own] = [days[row.k - 1], wide[row.k - 1], sets.byId(row.field_set_id)];
    if (!day || !set || !own) return [];
    const { ts, status, by_field } = row;
    const device = { id: day.deviceId, zone: day.of.device.zone };
    return [
      { device, msgType: day.msgType, ts, status, by_field, set, v: inOrderOf(set, own, parseValues(row.v)) },
    ];
  });
}

/**
 * The set with all fields of a day's messages: that of the device, unless another process has extended it.
 */
async function setOfEachDay(
  sets: FieldSets,
  days: readonly Recounted[],
  rows: readonly MessageRow[],
): Promise<FieldSet[]> {
  const wide = days.map(({ of }) => of.set);
  for (const { k, field_set_id } of rows) {
    const [set, day] = [wide[k - 1], days[k - 1]];
    const own = sets.byId(field_set_id);
    if (!set || !day || !own || own.id === set.id) continue;
    wide[k - 1] = await sets.union(set, own, day.of.device.companyId);
  }
  return wide;
}
