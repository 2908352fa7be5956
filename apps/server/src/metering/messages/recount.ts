import type pg from "pg";
import { startOfDay } from "#core";
import { int2Array, int4Array, int8Array } from "./arrays.ts";
import { lockDays, makeDays, replaceDays } from "./dayStore.ts";
import { dayKeyOf, sumDays, type DayKey, type DayMessage, type DayRow } from "./days.ts";
import { inOrderOf, type FieldSets } from "./fieldSets.ts";
import type { ByField } from "./trust.ts";
import type { DeviceFacts, FieldSet } from "./types.ts";
import { parseValues } from "./values.ts";

/** A day whose row is to be counted anew, with the device and the set that its messages have by now. */
export interface Recounted extends DayKey {
  readonly of: { readonly device: Pick<DeviceFacts, "companyId" | "zone">; readonly set: FieldSet };
}

/**
 * Counts the rows of these days anew from their messages. They are locked first, in the order of their key, which is theirs
 * here, and read after that: whoever adds to one of them has either committed, and is read, or waits and adds to what is
 * written here.
 */
export async function recountDays(
  client: pg.ClientBase,
  sets: FieldSets,
  days: readonly Recounted[],
): Promise<void> {
  if (days.length === 0) return;
  const empty = days.map(emptyDay);
  if ((await lockDays(client, empty)) < empty.length) {
    await makeDays(client, empty);
    await lockDays(client, empty);
  }
  const counted = new Map(sumDays(await messagesOf(client, sets, days)).map((day) => [dayKeyOf(day), day]));
  await replaceDays(
    client,
    empty.map((day) => counted.get(dayKeyOf(day)) ?? day),
  );
}

function emptyDay({ deviceId, msgType, day, of }: Recounted): DayRow {
  const v = of.set.fields.map(() => null);
  const moving = of.set.moving.map(() => null);
  return {
    deviceId,
    msgType,
    day,
    set: of.set,
    hours: 0,
    n: 0,
    firstTs: 0,
    lastTs: 0,
    first: v,
    last: v,
    sum: moving,
    min: moving,
    max: moving,
    counts: undefined,
  };
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
