import { pollResults, type PollResult } from "@metrum/contract/headend";
import { activeCodec } from "#metering/codecs";
import { Batcher, isDataFault, isPoison, type Db, type Parts, type Services } from "#core";
import { quarantineMessages, type QuarantinedMessage } from "#headend/channels";
import {
  addExchanges,
  devicesByNetworkId,
  logExchanges,
  withQuarantined,
  type AskedDevice,
  type ExchangeRow,
  type NetworkName,
} from "#headend/exchanges";
import { serialOf } from "@metrum/protocols/core";
import { noteResult, noteSerials, type NamedNumber } from "#metering/device-state";
import { ingestEach, withRecords, type Incoming } from "#metering/messages";
import { answerDevice } from "./orders/answers.ts";
import { noteReports, type OrderReport } from "./orders/orderStore.ts";
import { countFrames, type CountedFrame } from "./read/counters.ts";
import { decode, uplinkDriver } from "./read/decode.ts";
import type { Content, UplinkOutcome, Uplink } from "./uplink.ts";
import { withRadio } from "./read/senderValues.ts";
import { rememberRepeats, type Repeats } from "./repeats.ts";
import { rowOf, withNote } from "./read/logRows.ts";

/** Rows to be written for one uplink. */
type Entry =
  | { readonly kind: "quarantined"; readonly message: QuarantinedMessage }
  | {
      readonly kind: "exchange";
      readonly device: AskedDevice;
      readonly readings: readonly Incoming[];
      /** The number that the device has named in this message. */
      readonly serial?: string;
      readonly row: ExchangeRow;
      /**
       * For a network with frame counters: returns the number of missing frames, which only its session
       * knows.
       */
      readonly frame?: CountedFrame;
      /** What the network has reported of a downlink. */
      readonly report?: OrderReport;
    };
type ExchangeEntry = Extract<Entry, { kind: "exchange" }>;

interface UplinkIntake {
  readonly devices: Batcher<NetworkName, AskedDevice | undefined>;
  readonly entries: Batcher<Entry, UplinkOutcome>;
  readonly repeats: Repeats;
}

/** Devices are looked up in batches; decoding comes between, so that a slow codec delays no other batch. */
const lookups = { fullAt: 1_000, closeAfterMs: 5, flights: 2, mostWaiting: 20_000 };
const writes = { fullAt: 2_000, closeAfterMs: 20, flights: 2, mostWaiting: 20_000 };

declare module "#core" {
  interface Parts {
    /** Uplinks that this process has received and is about to look up or write. */
    readonly uplinkIntake: UplinkIntake;
  }
}

interface Writing extends Pick<Services, "database" | "bus" | "clock"> {
  readonly parts: Pick<Parts, "readingStore">;
}

export function openUplinkIntake(services: Writing): UplinkIntake {
  const { database, clock } = services;
  return {
    devices: new Batcher<NetworkName, AskedDevice | undefined>({
      ...lookups,
      isOfItem: isDataFault,
      write: (names) => devicesByNetworkId(database.system, names),
    }),
    entries: new Batcher<Entry, UplinkOutcome>({
      ...writes,
      isOfItem: isDataFault,
      write: (entries) => write(services, entries),
    }),
    repeats: rememberRepeats(clock),
  };
}

/**
 * Takes an uplink into the store and the log, or into quarantine. Resolves after COMMIT of both, so that it
 * may be acknowledged. Rejects only when the database is unavailable, never because of the content; a repeat
 * is harmless.
 */
export async function takeUplink(services: Services, uplink: Uplink): Promise<UplinkOutcome> {
  const { repeats } = services.parts.uplinkIntake;
  const { companyId, deduplicationId } = uplink;
  const takeOnce = () =>
    take(services, uplink).catch((error: unknown) => quarantine(services, uplink, error));
  if (deduplicationId === undefined) return takeOnce();
  return repeats.once(`${companyId}:${deduplicationId}`, takeOnce);
}

/** Reason of quarantine for a message that neither the database nor the code could accept. */
export const unstorable = "cannot be stored";

/** An unacceptable message is kept with its bytes and acknowledged, or its sender would repeat it forever. */
async function quarantine(services: Services, uplink: Uplink, error: unknown): Promise<UplinkOutcome> {
  if (!isPoison(error)) throw error;
  services.log.error(
    { err: error, way: uplink.way, company: uplink.companyId },
    "an uplink cannot be stored",
  );
  await services.parts.uplinkIntake.entries.add([quarantinedOf(services, uplink, unstorable)]);
  return { result: "aside", message: unstorable };
}

async function take(services: Services, uplink: Uplink): Promise<UplinkOutcome> {
  const intake = services.parts.uplinkIntake;
  const [device] = await intake.devices.add([uplink]);
  const reason = device ? await refusalOf(services, device, uplink) : unknownDevice;
  if (!device || reason !== undefined) {
    await intake.entries.add([quarantinedOf(services, uplink, reason ?? "")]);
    return { result: "aside", message: reason ?? "" };
  }
  if (!device.isOn) return { result: "off", message: "" };
  const [outcome] = await intake.entries.add([await exchangeOf(services, { uplink, device })]);
  if (uplink.keptMs === undefined) await answerDevice(services, device, uplink);
  return outcome ?? { result: "taken", message: "" };
}

/** Reason of quarantine for a message of an unknown device. */
export const unknownDevice = "unknown device";

/** Quarantines a message that names no device. */
export async function quarantineMessage(
  services: Services,
  message: Omit<QuarantinedMessage, "receivedAt">,
): Promise<void> {
  const receivedAt = services.clock.now();
  await services.parts.uplinkIntake.entries.add([
    { kind: "quarantined", message: { ...message, receivedAt } },
  ]);
}

/** Resolves when no uplink is in progress. */
export async function settleUplinks({ parts }: Services): Promise<void> {
  await parts.uplinkIntake.entries.settle();
}

async function refusalOf(
  services: Services,
  device: AskedDevice,
  { content }: Uplink,
): Promise<string | undefined> {
  if (content.kind !== "payload" || uplinkDriver(device.modelId)) return undefined;
  return (await activeCodec(services, device)) ? undefined : "the model takes no uplinks";
}

function quarantinedOf(
  services: Services,
  { companyId, networkId, topic, raw }: Uplink,
  reason: string,
): Entry {
  return {
    kind: "quarantined",
    message: { companyId, networkId, topic, payload: raw, reason, receivedAt: services.clock.now() },
  };
}

interface Found {
  readonly uplink: Uplink;
  readonly device: AskedDevice;
}

async function exchangeOf(services: Services, { uplink, device }: Found): Promise<ExchangeEntry> {
  const { clock } = services;
  const { content, at, keptMs } = uplink;
  const receivedAt = keptMs === undefined ? clock.now() : Math.floor(keptMs / 1000);
  const decoded = await decode(services, device, { content, receivedAt: at ?? receivedAt });
  const readings =
    content.kind === "payload" ? withRadio(device, decoded.readings, content.radio) : decoded.readings;
  const serial = serialOf(readings);
  const frame = frameOf(uplink, device, at ?? receivedAt);
  const report = reportOf(device, content);
  return {
    kind: "exchange",
    device,
    row: rowOf(uplink, device, decoded, { receivedAt, startedMs: keptMs ?? clock.nowMs() }),
    ...(frame ? { frame } : {}),
    ...(report ? { report } : {}),
    ...(serial === undefined ? {} : { serial }),
    readings: readings.map((reading) => ({
      deviceId: device.id,
      msgType: reading.msgType,
      ts: reading.at ?? at ?? receivedAt,
      receivedAt,
      source: "pushed",
      values: reading.values,
      ...(reading.meterAt === undefined ? {} : { meterAt: reading.meterAt }),
    })),
  };
}

/** Of an order that the platform has given: only these have a reference. */
function reportOf({ id: deviceId }: AskedDevice, content: Content): OrderReport | undefined {
  if (content.kind !== "event" || content.event.event !== "downlink") return undefined;
  const { reference, outcome } = content.event;
  return reference === "" ? undefined : { deviceId, reference, outcome };
}

const namedNumber = ({ device, row, serial }: ExchangeEntry): NamedNumber[] =>
  serial === undefined
    ? []
    : [{ deviceId: device.id, serial, at: row.receivedAt ?? Math.floor(row.startedMs / 1000) }];

/** Frames and joins affect the frame counter; other network events do not. */
function frameOf(uplink: Uplink, device: AskedDevice, at: number): CountedFrame | undefined {
  const { network, way, content } = uplink;
  if (!network || content.kind === "readings") return undefined;
  return { deviceId: device.id, way, network, fCnt: content.kind === "payload" ? content.fCnt : null, at };
}

/**
 * Readings first: a kill between the two leaves readings without their exchange, never an acknowledgement
 * without readings.
 */
async function write(services: Writing, entries: readonly Entry[]): Promise<UplinkOutcome[]> {
  const { database, bus } = services;
  const exchanges = await store(
    services,
    entries.flatMap((entry) => (entry.kind === "exchange" ? [entry] : [])),
  );
  const isPlain = exchanges.length === entries.length && exchanges.every(({ frame }) => frame === undefined);
  if (isPlain) await logPlain(services, exchanges);
  else await database.system.transaction().execute((db) => log(db, entries, exchanges));
  for (const { device, row } of exchanges.filter((entry) => isOwnWord(entry.row)))
    bus.publish("pollEnded", {
      companyId: device.companyId,
      deviceId: device.id,
      result: pollResults[row.result].id,
    });
  const answers = exchanges.map(uplinkOutcomeOf).values();
  return entries.map((entry) =>
    entry.kind === "quarantined"
      ? { result: "aside", message: entry.message.reason }
      : (answers.next().value ?? { result: "taken", message: "" }),
  );
}

async function log(db: Db, entries: readonly Entry[], exchanges: readonly ExchangeEntry[]): Promise<void> {
  const rows = await noted(db, exchanges);
  if (rows.length > 0) await logExchanges(db, rows);
  await noteOutcomes(db, exchanges, rows);
  await quarantineMessages(
    db,
    entries.flatMap((entry) => (entry.kind === "quarantined" ? [entry.message] : [])),
  );
}

/** Without frames to be counted nothing follows from an answer, as long as each exchange began in its own millisecond. */
async function logPlain({ database }: Writing, exchanges: readonly ExchangeEntry[]): Promise<void> {
  const rows = exchanges.map(({ row }) => row);
  const [left] = await database.atOnce((db) =>
    Promise.all([addExchanges(db, rows), noteOutcomes(db, exchanges, rows)]),
  );
  if (left.length > 0) await database.system.transaction().execute((db) => logExchanges(db, left));
}

/** What the exchanges say about orders, meters and polls. */
async function noteOutcomes(
  db: Db,
  exchanges: readonly ExchangeEntry[],
  rows: readonly ExchangeRow[],
): Promise<void> {
  await Promise.all([
    noteReports(
      db,
      exchanges.flatMap(({ report }) => report ?? []),
    ),
    noteSerials(db, exchanges.flatMap(namedNumber)),
    ...[...byResult(rows)].map(([result, ids]) => noteResult(db, ids, result)),
  ]);
}

/** The exchanges after storing their readings. */
async function store(
  services: Writing,
  exchanges: readonly ExchangeEntry[],
): Promise<readonly ExchangeEntry[]> {
  const readings = exchanges.flatMap((entry) => withRecords(entry.readings));
  if (readings.length === 0) return exchanges;
  const outcomes = await ingestEach(services, readings);
  let from = 0;
  return exchanges.map((entry) => {
    const own = outcomes.slice(from, (from += entry.readings.length));
    return { ...entry, row: withQuarantined(entry.row, entry.readings, own) };
  });
}

function uplinkOutcomeOf({ row, readings }: ExchangeEntry): UplinkOutcome {
  const { result, message } = row;
  if (!isOwnWord(row)) return { result: "taken", message: "" };
  if (readings.length > 0 && row.readings === 0) return { result: "out_of_time", message };
  return { result: result === "ok" ? "taken" : "unread", message };
}

/** The rows with notes on the frame counters of their devices. */
async function noted(db: Db, exchanges: readonly ExchangeEntry[]): Promise<readonly ExchangeRow[]> {
  const framed = exchanges.filter((entry) => entry.frame !== undefined);
  const notes = await countFrames(
    db,
    framed.flatMap(({ frame }) => frame ?? []),
  );
  const noteOf = new Map(framed.map((entry, at) => [entry, notes[at]]));
  return exchanges.map((entry) => {
    const note = noteOf.get(entry);
    return note ? withNote(entry.row, note) : entry.row;
  });
}

/** Only a message of the device itself is an outcome of its polling. */
const isOwnWord = ({ kind }: ExchangeRow): boolean => kind === "uplink";

function byResult(rows: readonly ExchangeRow[]): ReadonlyMap<PollResult, number[]> {
  const ids = new Map<PollResult, number[]>();
  for (const { deviceId, result } of rows.filter(isOwnWord)) {
    const same = ids.get(result);
    if (same) same.push(deviceId);
    else ids.set(result, [deviceId]);
  }
  return ids;
}
