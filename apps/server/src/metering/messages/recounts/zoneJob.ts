import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { dayOf, inTransaction, startOfDay, together, type Day, type Services, type Stop } from "#core";
import {
  compareDays,
  countedDays,
  dayKeyOf,
  firstCountedDay,
  latestSets,
  recountDays,
  type Recounted,
} from "../days/index.ts";
import {
  dependantsOf,
  dueKinds,
  forever,
  forgetGone,
  forgetZoneDue,
  markDue,
  noteCounted,
  putZoneOff,
  takeZoneDue,
  type ZoneDue,
} from "../due/index.ts";
import { firstAndLastTime, firstTime, timesOf } from "../read/index.ts";
import { makeSet, type FieldSet, type FieldSets } from "../rows/index.ts";
import { recountLatest } from "./recountLatest.ts";

/** Days per part: 45,000 rows with a reading every minute. */
const partDays = 31;
const readingsType = 1;
const sideBySide = 2;
/** After this many failures a device is skipped until its zone changes. */
const mostAttempts = 3;
const pauseMs = 10_000;

/**
 * Recomputes the days of devices whose zone has changed, or whose numbers were found wrong, and continues until the worker stops. The database
 * marks them in the transaction of the change; a part and the progress are one transaction, so a kill repeats
 * work and loses nothing.
 */
export function startZoneRecounts(services: Services): Stop {
  let isStopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    running = recountZones(services, () => !isStopped)
      .then(
        () => undefined,
        (error: unknown) =>
          services.log.warn({ err: error }, "days of a changed zone could not be counted, trying again"),
      )
      .finally(() => {
        if (!isStopped) timer = setTimeout(run, pauseMs);
      });
  };
  run();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}

/**
 * Processes the due devices; returns the number of parts. Devices take turns, part by part, in the order of
 * their ids.
 */
export async function recountZones(services: Services, mayGoOn: () => boolean = () => true): Promise<number> {
  await forgetGone(services.database.pool);
  let parts = 0;
  let after = 0;
  const work = async (): Promise<void> => {
    while (mayGoOn()) {
      const from = after;
      const id = await recountPart(services, from);
      if (id !== undefined) [parts, after] = [parts + 1, id];
      else if (from > 0) after = 0;
      else return;
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return parts;
}

/** One part of the next device after an id; undefined when none is due there. */
async function recountPart(services: Services, after: number): Promise<DeviceId | undefined> {
  let due: ZoneDue | undefined;
  try {
    return await inTransaction(services.database.pool, async (client) => {
      await client.query("begin");
      due = await takeZoneDue(client, { after, mostAttempts });
      if (due) await recount(services, client, due);
      return due?.device_id;
    });
  } catch (error) {
    if (!due) throw error;
    services.log.warn({ err: error, device_id: due.device_id }, "days of a changed zone were not counted");
    await putZoneOff(services.database.pool, due, error);
    return due.device_id;
  }
}

type Device = Recounted["of"]["device"] & { readonly id: DeviceId };

/**
 * The next part of a device, or its end: then its derived rows, midnights above all, must be derived again, and
 * what depends on its days.
 */
async function recount(services: Services, client: pg.ClientBase, due: ZoneDue): Promise<void> {
  const { sets } = services.parts.readingStore;
  const device = { id: due.device_id, companyId: due.company_id, zone: due.zone };
  if (due.is_whole && due.next_day === null) await recountLatest(services, client, device.id);
  const setOf = await setsByType(client, sets, device.id);
  const from = await firstDay(client, device, { types: [...setOf.keys()], from: due.next_day ?? 0 });
  if (from === undefined) return finish(client, device.id);
  const span = { from, to: from + partDays };
  await recountDays(client, sets, await daysOf(client, device, { ...span, setOf }));
  await noteCounted(client, device.id, span.to);
}

/** Message types of a device, each with the set of its newest message. */
async function setsByType(
  client: pg.ClientBase,
  sets: FieldSets,
  deviceId: DeviceId,
): Promise<Map<number, FieldSet>> {
  const rows = await latestSets(client, deviceId);
  await sets.load(rows.map((row) => row.field_set_id));
  return new Map(
    rows.flatMap((row) => {
      const set = sets.byId(row.field_set_id);
      return set ? [[row.msg_type, set] as const] : [];
    }),
  );
}

/** The first day from this one on that has a row by the old zone or a message by the new one. */
async function firstDay(
  client: pg.ClientBase,
  { id, zone }: Device,
  given: { readonly types: readonly number[]; readonly from: Day },
): Promise<Day | undefined> {
  const { types, from } = given;
  const period = { deviceIds: [id], types, from: startOfDay(zone, from), to: forever };
  const [day, ts] = await together(client, () => [
    firstCountedDay(client, id, from),
    firstTime(client, period),
  ]);
  const ofMessage = ts === undefined ? undefined : dayOf(zone, ts);
  return day === undefined ? ofMessage : Math.min(day, ofMessage ?? day);
}

/** Days of a part that have a row or a message, in the order of their key. */
async function daysOf(
  client: pg.ClientBase,
  device: Device,
  given: { readonly from: Day; readonly to: Day; readonly setOf: ReadonlyMap<number, FieldSet> },
): Promise<Recounted[]> {
  const { from, to, setOf } = given;
  const days = new Map<string, Recounted>();
  const add = (msgType: number, day: Day): void => {
    const set = setOf.get(msgType) ?? makeSet(0, []);
    const key = { deviceId: device.id, msgType, day };
    days.set(dayKeyOf(key), { ...key, of: { device, set } });
  };
  for (const { msg_type, day } of await countedDays(client, device.id, given)) add(msg_type, day);
  const messages = await timesOf(client, {
    ...{ deviceId: device.id, types: [...setOf.keys()] },
    ...{ from: startOfDay(device.zone, from), to: startOfDay(device.zone, to) - 1 },
  });
  for (const { msg_type, ts } of messages) add(msg_type, dayOf(device.zone, ts));
  return [...days.values()].sort(compareDays);
}

async function finish(client: pg.ClientBase, deviceId: DeviceId): Promise<void> {
  const readings = { deviceIds: [deviceId], types: [readingsType], from: 0, to: forever };
  const span = await firstAndLastTime(client, readings);
  if (span) {
    const kinds = [dueKinds.derived, ...(await dependantsOf(client, deviceId))];
    await markDue(
      client,
      kinds.map((kind) => ({ kind, deviceId, ...span })),
    );
  }
  await forgetZoneDue(client, deviceId);
}
