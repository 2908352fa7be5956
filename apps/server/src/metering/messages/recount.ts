import type pg from "pg";
import { startOfDay } from "#core";
import { int2Array, int4Array, int8Array } from "./arrays.ts";
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
import { inOrderOf, type FieldSets } from "./fieldSets.ts";
import type { ByField } from "./trust.ts";
import type { DeviceFacts, FieldSet } from "./types.ts";
import { parseValues } from "./values.ts";

/** A day whose row is to be counted anew, with the device and the set that its messages have by now. */
export interface Recounted extends DayKey {
  readonly of: { readonly device: Pick<DeviceFacts, "companyId" | "zone">; readonly set: FieldSet };
}

/** What the transaction has changed of these days and added to them. */
export interface OwnMessages {
  /** Messages that stood before, and what they said. */
  readonly changed: readonly {
    readonly row: DayMessage;
    readonly before: Pick<DayMessage, "status" | "by_field" | "set" | "v">;
  }[];
  readonly added: readonly DayMessage[];
}

/**
 * Counts the rows of these days anew from their messages. They are locked first, in the order of their key, which is theirs
 * here, and read after that: whoever adds to one of them has either committed, and is read, or waits and adds to what is
 * written here. A day of which every trusted message has been changed is counted from what it was changed to.
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
  const known = own ? knownDays(days, counts, own) : new Map<string, DayRow>();
  const unknown = days.filter((day) => !known.has(dayKeyOf(day)));
  const read = unknown.length > 0 ? sumDays(await messagesOf(client, sets, unknown)) : [];
  const counted = new Map(read.map((day) => [dayKeyOf(day), day]));
  await replaceDays(
    client,
    empty.map((day) => known.get(dayKeyOf(day)) ?? counted.get(dayKeyOf(day)) ?? day),
  );
}

/** The days that had no other trusted message than those that were changed; `counts`: how many each had, in their order. */
function knownDays(
  days: readonly Recounted[],
  counts: readonly (number | undefined)[],
  { changed, added }: OwnMessages,
): Map<string, DayRow> {
  const [changes, additions] = [byDay(changed, ({ row }) => row), byDay(added, (row) => row)];
  const known = new Map<string, DayRow>();
  days.forEach((key, at) => {
    const name = dayKeyOf(key);
    const own = changes.get(name) ?? [];
    if (counts[at] !== own.filter(({ before }) => isCounted(before)).length) return;
    const messages = [...own.map(({ row }) => row), ...(additions.get(name) ?? [])].sort(
      (a, b) => a.ts - b.ts,
    );
    if (messages.some(({ set }) => set.id !== messages[0]?.set.id)) return;
    const [day] = sumDays(messages);
    if (day) known.set(name, day);
  });
  return known;
}

interface MessageRow {
  readonly k: number;
  readonly ts: number;
  readonly status: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
}

/** The messages of some days: up to 1,440 rows each, by the primary key of one or two partitions. */
async function messagesOf(
  client: pg.ClientBase,
  sets: FieldSets,
  days: readonly Recounted[],
): Promise<DayMessage[]> {
  const { rows } = await client.query<MessageRow>({
    name: "messages-of-days",
    text: `select k.n::int as k, m.* from unnest($1::int4[], $2::int2[], $3::int8[], $4::int8[])
        with ordinality as k(device_id, msg_type, from_ts, to_ts, n)
      cross join lateral (
        select ts, status, field_set_id, v::text as v, by_field from message
        where device_id = k.device_id and msg_type = k.msg_type and ts >= k.from_ts and ts < k.to_ts
      ) m`,
    values: [
      int4Array(days.map((day) => day.deviceId)),
      int2Array(days.map((day) => day.msgType)),
      int8Array(days.map(({ of, day }) => startOfDay(of.device.zone, day))),
      int8Array(days.map(({ of, day }) => startOfDay(of.device.zone, day + 1))),
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

/** By day the set that has the fields of all its messages: that of the device, unless another process has grown it. */
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
