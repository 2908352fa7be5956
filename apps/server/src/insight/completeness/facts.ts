import { modelById } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { united, valuedTimes, type ReceivedDays, type Span, type TypeSpan } from "#metering/messages";
import { grouped } from "./grouped.ts";
import type { Facts } from "./holes.ts";
import * as store from "./store.ts";
import type { BoardDevice, ExchangeFact, Switched, Window } from "./store.ts";

const utcDaySec = 86_400;

/** Archives that a meter stores and the platform requests over its line, and whether it is polled at all. */
function lineOf(modelId: number) {
  const model = modelById(modelId);
  return model?.kind === "meter" && model.driver.kind === "line" ? model.driver : undefined;
}

const archiveOf = (modelId: number, msgType: number) =>
  lineOf(modelId)?.archives.find((archive) => archive.msgType === msgType);

/**
 * Reads what is stored about the holes of these devices, in a fixed number of queries. Returns the facts of a
 * device and message type. The devices must come from a query in the same transaction.
 */
export async function factsOf(
  { db, scope, clock }: Ctx,
  devices: ReadonlyMap<DeviceId, BoardDevice>,
  received: readonly ReceivedDays[],
): Promise<(of: ReceivedDays) => Facts> {
  const holes = received.map((each) => ({
    each,
    spans: united(each.days.flatMap(({ missing }) => missing)),
  }));
  const open = holes.filter(({ spans }) => spans.length > 0);
  const logged = open.filter(({ each }) => !archiveOf(each.device.model_id, each.msgType));
  const archived = idsOf(open.filter((hole) => !logged.includes(hole)));
  const windows = windowsOf(logged);
  const exchanges = grouped(await store.exchangesIn(db, windows), ({ device_id }) => device_id);
  const unread = unreadFrom(windows, exchanges);
  const quarantined = grouped(await store.quarantinedIn(db, windows), (row) =>
    keyOf(row.device_id, row.msg_type),
  );
  const untrusted = grouped(await valuedTimes(db, typeSpans(open)), (row) =>
    keyOf(row.device_id, row.msg_type),
  );
  const switches = grouped(
    await store.switchesOf(db, scope.companyId, idsOf(open)),
    ({ device_id }) => device_id,
  );
  const requestedUntil = new Map(
    (await store.requestedTo(db, archived)).map((row) => [keyOf(row.device_id, row.msg_type), row.asked_to]),
  );
  const newest = new Map((await store.newestPolls(db, archived)).map((row) => [row.device_id, row]));
  const logFrom = await store.logExpiredTo(db, scope.companyId);
  const now = clock.now();
  return ({ device: { id, model_id }, msgType, firstAt }) => {
    const archive = archiveOf(model_id, msgType);
    const switched = (of: Switched) => (switches.get(id) ?? []).filter(({ what }) => what === of);
    return {
      absentTo: Math.min(devices.get(id)?.created_at ?? 0, firstAt),
      addedAt: devices.get(id)?.created_at ?? 0,
      untrusted: ascending((untrusted.get(keyOf(id, msgType)) ?? []).map(({ ts }) => ts)),
      quarantined: ascending((quarantined.get(keyOf(id, msgType)) ?? []).map((row) => row.received_at)),
      exchanges: (exchanges.get(id) ?? []).toSorted((a, b) => a.at - b.at),
      unreadFrom: (slot) => unread.get(windowName(id, slot.to - 1)) ?? Infinity,
      switches: {
        device: switched("device"),
        polling: switched("polling"),
        gateway: switched("gateway"),
        company: switched("company"),
        group: switched("group"),
      },
      archive: archive && {
        keptFrom: now - archive.depthSec,
        askedTo: requestedUntil.get(keyOf(id, msgType)) ?? 0,
        newestPoll: newest.get(id),
      },
      isPolled: lineOf(model_id) !== undefined,
      logFrom,
    };
  };
}

interface Holes {
  readonly each: ReceivedDays;
  readonly spans: readonly Span[];
}

const keyOf = (deviceId: DeviceId, msgType: number): string => `${String(deviceId)} ${String(msgType)}`;
const ascending = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b);
const idsOf = (holes: readonly Holes[]): DeviceId[] => [...new Set(holes.map(({ each }) => each.device.id))];

const typeSpans = (holes: readonly Holes[]): TypeSpan[] =>
  holes.flatMap(({ each, spans }) =>
    spans.map((span) => ({ ...span, deviceId: each.device.id, msgType: each.msgType })),
  );

/** The time of all holes of a device, one window a day (UTC), as failures are counted in the exchange log. */
function windowsOf(holes: readonly Holes[]): Window[] {
  const ofDevices = grouped(holes, ({ each }) => each.device.id);
  return [...ofDevices].flatMap(([deviceId, own]) => {
    const days = new Map<number, Window>();
    for (const span of united(own.flatMap(({ spans }) => spans)))
      for (let from = span.from; from < span.to; from = nextDay(from)) {
        const day = Math.floor(from / utcDaySec);
        const known = days.get(day);
        days.set(day, { deviceId, from: known?.from ?? from, to: Math.min(span.to, nextDay(from)) });
      }
    return [...days.values()];
  });
}

const nextDay = (at: number): number => (Math.floor(at / utcDaySec) + 1) * utcDaySec;
const windowName = (deviceId: DeviceId, at: number): string =>
  `${String(deviceId)} ${String(Math.floor(at / utcDaySec))}`;

/** Where a window has more exchanges than were read: the time of the last one read. */
function unreadFrom(
  windows: readonly Window[],
  exchanges: ReadonlyMap<DeviceId, readonly ExchangeFact[]>,
): Map<string, number> {
  const counts = grouped([...exchanges.values()].flat(), ({ device_id, at }) => windowName(device_id, at));
  return new Map(
    windows.flatMap(({ deviceId, from }): [string, number][] => {
      const name = windowName(deviceId, from);
      const read = counts.get(name) ?? [];
      return read.length < store.mostExchanges ? [] : [[name, Math.max(...read.map(({ at }) => at))]];
    }),
  );
}
