import { pollResults, type PollResult } from "@metrum/contract";
import { toHex } from "@metrum/protocols";
import pg from "pg";
import { Batcher, type Database, type Services } from "#core";
import { putAside, type AsideMessage } from "#channels";
import {
  devicesByNetworkId,
  logExchanges,
  noteResult,
  type AskedDevice,
  type ExchangeRow,
  type NetworkName,
} from "#exchanges";
import { ingest, type Incoming } from "#messages";
import { decode, uplinkDriver, type Decoded } from "./decode.ts";
import type { Delivery, Taken } from "./delivery.ts";
import { rememberRepeats, type Repeats } from "./repeats.ts";

/** What is to be written of one delivery. */
type Entry =
  | { readonly kind: "aside"; readonly message: AsideMessage }
  | {
      readonly kind: "exchange";
      readonly device: AskedDevice;
      readonly readings: readonly Incoming[];
      readonly row: ExchangeRow;
    };

interface Door {
  readonly devices: Batcher<NetworkName, AskedDevice | undefined>;
  readonly entries: Batcher<Entry, undefined>;
  readonly repeats: Repeats;
}

/** Devices are looked up together; decoding stands between, so that a slow codec holds up nobody else's batch. */
const lookups = { fullAt: 1_000, closeAfterMs: 5, flights: 2, mostWaiting: 20_000 };
const writes = { fullAt: 2_000, closeAfterMs: 20, flights: 2, mostWaiting: 20_000 };

const doors = new WeakMap<Database, Door>();

/**
 * Takes what a device sent by itself: into the store and the log, or into quarantine. Resolves after COMMIT of both, so
 * the sender may be told. Rejects only when the database is away; giving the same delivery again is harmless.
 */
export async function deliver(services: Services, delivery: Delivery): Promise<Taken> {
  const { repeats } = doorOf(services);
  const { companyId, deduplicationId } = delivery;
  if (deduplicationId === undefined) return take(services, delivery);
  return repeats.once(`${companyId}:${deduplicationId}`, () => take(services, delivery));
}

async function take(services: Services, delivery: Delivery): Promise<Taken> {
  const door = doorOf(services);
  const [device] = await door.devices.add([delivery]);
  const reason = device ? refusalOf(device, delivery) : "unknown device";
  if (!device || reason !== undefined) {
    await door.entries.add([asideOf(services, delivery, reason ?? "")]);
    return "aside";
  }
  if (!device.isPolled) return "off";
  await door.entries.add([exchangeOf(services, { delivery, device })]);
  return "taken";
}

/** Puts a message aside that names no device. */
export async function setAside(services: Services, message: Omit<AsideMessage, "receivedAt">): Promise<void> {
  const receivedAt = services.clock.now();
  await doorOf(services).entries.add([{ kind: "aside", message: { ...message, receivedAt } }]);
}

/** Resolves when nothing is on its way any more. */
export async function settleDeliveries({ database }: Services): Promise<void> {
  await doors.get(database)?.entries.settle();
}

function refusalOf({ modelId }: AskedDevice, { content }: Delivery): string | undefined {
  return content.kind === "readings" || uplinkDriver(modelId) ? undefined : "the model takes no uplinks";
}

function asideOf(services: Services, { companyId, networkId, topic, raw }: Delivery, reason: string): Entry {
  return {
    kind: "aside",
    message: { companyId, networkId, topic, payload: raw, reason, receivedAt: services.clock.now() },
  };
}

interface Found {
  readonly delivery: Delivery;
  readonly device: AskedDevice;
}

function exchangeOf(services: Services, found: Found): Entry {
  const { clock } = services;
  const receivedAt = clock.now();
  const decoded = decode(services, found.device, found.delivery.content);
  return {
    kind: "exchange",
    device: found.device,
    row: rowOf(found, decoded, { receivedAt, startedMs: clock.nowMs() }),
    readings: decoded.readings.map((reading) => ({
      deviceId: found.device.id,
      msgType: reading.msgType,
      ts: reading.at ?? found.delivery.at ?? receivedAt,
      receivedAt,
      source: "pushed",
      values: reading.values,
      ...(reading.meterAt === undefined ? {} : { meterAt: reading.meterAt }),
    })),
  };
}

function rowOf(
  { delivery, device }: Found,
  decoded: Decoded,
  { receivedAt, startedMs }: { receivedAt: number; startedMs: number },
): ExchangeRow {
  const { content } = delivery;
  const isPayload = content.kind === "payload";
  return {
    deviceId: device.id,
    startedMs,
    receivedAt,
    kind: "uplink",
    result: decoded.result,
    tries: 1,
    durationMs: 0,
    line: delivery.way,
    readings: decoded.readings.length,
    message: decoded.message,
    taskId: null,
    steps: [
      {
        label: isPayload ? `Uplink ${content.fCnt}, port ${content.fPort}` : "Push",
        try: 1,
        tries: 1,
        at: 0,
        answered: 0,
        ended: 0,
        sent: "",
        received: toHex(isPayload ? content.bytes : delivery.raw),
        ...(isPayload ? { fport: content.fPort } : {}),
        ...(decoded.error ? { error: decoded.error } : {}),
      },
    ],
  };
}

function doorOf(services: Services): Door {
  const { database, clock } = services;
  let door = doors.get(database);
  if (!door) {
    door = {
      devices: new Batcher<NetworkName, AskedDevice | undefined>({
        ...lookups,
        isOfItem: isOfTheData,
        write: (names) => devicesByNetworkId(database.system, names),
      }),
      entries: new Batcher<Entry, undefined>({
        ...writes,
        isOfItem: isOfTheData,
        write: (entries) => write(services, entries),
      }),
      repeats: rememberRepeats(clock),
    };
    doors.set(database, door);
  }
  return door;
}

/** Readings first: a kill between the two leaves readings without their bytes, never an acknowledgement without readings. */
async function write(services: Services, entries: readonly Entry[]): Promise<undefined[]> {
  const { database, bus } = services;
  const exchanges = entries.flatMap((entry) => (entry.kind === "exchange" ? [entry] : []));
  const readings = exchanges.flatMap((entry) => entry.readings);
  if (readings.length > 0) await ingest(services, readings);
  await database.system.transaction().execute(async (db) => {
    if (exchanges.length > 0)
      await logExchanges(
        db,
        exchanges.map(({ row }) => row),
      );
    for (const [result, ids] of byResult(exchanges.map(({ row }) => row))) await noteResult(db, ids, result);
    await putAside(
      db,
      entries.flatMap((entry) => (entry.kind === "aside" ? [entry.message] : [])),
    );
  });
  for (const { device, row } of exchanges)
    bus.publish("pollEnded", {
      companyId: device.companyId,
      deviceId: device.id,
      result: pollResults[row.result].id,
    });
  return entries.map(() => undefined);
}

function byResult(rows: readonly ExchangeRow[]): ReadonlyMap<PollResult, number[]> {
  const ids = new Map<PollResult, number[]>();
  for (const { deviceId, result } of rows) {
    const same = ids.get(result);
    if (same) same.push(deviceId);
    else ids.set(result, [deviceId]);
  }
  return ids;
}

/** A value that the database does not take: then the others of the batch must not suffer for it. */
const isOfTheData = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? "");
