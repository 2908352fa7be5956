import { ByteWriter } from "../core/bytes.ts";
import type { Responder } from "../core/conversation.ts";
import type { DeviceAddress, MeterState } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import type { TakeOrder } from "../core/orders.ts";
import { encodeDecimal } from "./dataTypes.ts";
import { encodeRecord, type RecordCode } from "./encode.ts";
import { ackFrame, address, control, frameLength, longFrame, parseFrame, type Frame } from "./frame.ts";
import { manufacturerWord } from "./header.ts";
import { isClock, type PreparedArchive, type PreparedRow, type ReadingPlan } from "./readings.ts";
import { decodeRecords } from "./records.ts";
import { targetOf } from "./target.ts";

/** Identification of a simulated meter. */
export interface MeterIdentity {
  /** Three capital letters. */
  readonly manufacturer: string;
  readonly version: number;
  /** Device type: 4 heat, 7 water, 2 electricity, 3 gas. */
  readonly medium: number;
}

export interface SimulatedMeter {
  readonly identity: MeterIdentity;
  readonly plan: ReadingPlan;
  readonly device: DeviceAddress;
  readonly state: MeterState;
  readonly now: () => number;
  readonly takeOrder: TakeOrder;
}

/** A long frame carries 252 bytes after CI: 12 of header, and one for DIF 1F. */
const recordSpace = 252 - 12 - 1;

/**
 * The meter's side of the protocol.
 * Answers SND_NKE, REQ_UD2 with the FCB rule (the same FCB repeats the last telegram), selection, application
 * reset, the setting of its clock and other SND_UD; stays silent for foreign addresses and damaged frames. Keeps the unparsed rest.
 * Archives fill as the meter's clock passes the ends of periods.
 * Source: EN 13757-2, 5.5; EN 13757-3, 5.4 and 11.3. Layout: answers are RSP_UD with CI 72 and the rows of
 * the model; those that do not fit follow in further telegrams, announced by DIF 1F. Errors: none.
 */
export function meterResponder(simulated: SimulatedMeter): Responder {
  let shift = 0;
  const meter: SimulatedMeter = { ...simulated, now: () => simulated.now() + shift };
  const id = serialOf(meter.device);
  const primary = primaryOf(meter.device);
  const archives = meter.plan.archives.map((archive) => keepArchive(archive, meter));
  const identity = identityBytes(id, meter.identity);
  const link = { isSelected: false, lastFcb: undefined as number | undefined, next: 0, accessNumber: 0 };
  let telegrams: Uint8Array[] = [];
  let repeat: Uint8Array | undefined;
  let rest: Uint8Array = new Uint8Array(0);

  const restart = (): void => {
    link.lastFcb = undefined;
    link.next = 0;
  };

  const answerData = (c: number): Uint8Array => {
    const fcb = (c & control.fcv) === 0 ? undefined : c & control.fcb;
    if (repeat !== undefined && fcb !== undefined && fcb === link.lastFcb) return repeat;
    if (link.next === 0) telegrams = splitTelegrams(recordsOf(meter, { id, archives }));
    const records = telegrams[link.next] ?? new Uint8Array(0);
    link.next = (link.next + 1) % Math.max(telegrams.length, 1);
    link.lastFcb = fcb;
    link.accessNumber = (link.accessNumber + 1) & 0xff;
    const data = new ByteWriter(256).raw(identity).u8(link.accessNumber).u8(0).u16le(0).raw(records);
    repeat = longFrame(control.rspUd, primary, 0x72, data.finish());
    return repeat;
  };

  /** A set clock is obeyed as `takeOrder` says; a meter that refuses does not acknowledge. */
  const takeData = ({ ci, data }: Extract<Frame, { kind: "long" }>): Uint8Array | undefined => {
    if (ci === 0x50) restart();
    const local = ci === 0x51 ? clockIn(data) : undefined;
    if (local === undefined) return ackFrame;
    const seconds = local - localNow(meter);
    const obedience = meter.takeOrder({ kind: "clock", seconds });
    if (obedience === "obey") shift += seconds;
    return obedience === "refuse" ? undefined : ackFrame;
  };

  const answer = (frame: Frame): Uint8Array | undefined => {
    if (frame.kind === "ack" || (frame.control & control.fromMaster) === 0) return undefined;
    const isSelection = frame.kind === "long" && frame.ci === 0x52 && frame.address === address.selected;
    if (isSelection) {
      link.isSelected = isSelectedBy(frame.data, identity);
      if (link.isSelected) restart();
      return link.isSelected ? ackFrame : undefined;
    }
    if (!isForUs(frame.address, primary, link.isSelected)) return undefined;
    const reply = frame.kind === "long" ? takeData(frame) : takeShort(frame, { link, restart, answerData });
    return frame.address === address.allWithoutAnswer ? undefined : reply;
  };

  return {
    receive(bytes) {
      const { frames, left } = splitFrames(Uint8Array.of(...rest, ...bytes));
      rest = left;
      return frames.flatMap((frame) => answer(frame) ?? []);
    },
  };
}

/** The local time in data sent to the meter; undefined if there is none. */
function clockIn(data: Uint8Array): number | undefined {
  try {
    return decodeRecords(data).records.find(isClock)?.stamp?.local;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

function takeShort(
  frame: Extract<Frame, { kind: "short" }>,
  meter: { link: { isSelected: boolean }; restart: () => void; answerData: (c: number) => Uint8Array },
): Uint8Array | undefined {
  const c = frame.control;
  if (c === control.sndNke) {
    meter.restart();
    if (frame.address === address.selected) meter.link.isSelected = false;
    return ackFrame;
  }
  const isRequest = (c & 0x4f) === (control.reqUd2 & 0x4f);
  return isRequest ? meter.answerData(c) : undefined;
}

const isForUs = (to: number, primary: number, isSelected: boolean): boolean =>
  to === primary ||
  to === address.anyWithAnswer ||
  to === address.allWithoutAnswer ||
  (to === address.selected && isSelected);

/**
 * The identification number: the secondary address when it has no wildcards, else the digits of the serial
 * number.
 */
function serialOf(device: DeviceAddress): string {
  const typed = device.insideAddr.trim().slice(0, 8);
  const digits = /^\d{8}$/.test(typed) ? typed : device.deviceID.replaceAll(/\D/g, "");
  return digits.slice(-8).padStart(8, "0");
}

/** A meter addressed by its identity has no primary address: 0. */
function primaryOf(device: DeviceAddress): number {
  try {
    const target = targetOf(device);
    return target.kind === "primary" && target.address <= 250 ? target.address : 0;
  } catch (error) {
    if (error instanceof ProtocolError) return 0;
    throw error;
  }
}

function identityBytes(id: string, { manufacturer, version, medium }: MeterIdentity): Uint8Array {
  const bytes = new ByteWriter(8).raw(encodeDecimal(Number(id), 4)).u16le(manufacturerWord(manufacturer));
  return bytes.u8(version).u8(medium).finish();
}

/** Nibble F of the number, and FF in the other four bytes, fit everything. */
function isSelectedBy(selection: Uint8Array, identity: Uint8Array): boolean {
  if (selection.length < 8) return false;
  return identity.every((own, at) => {
    const wanted = selection[at] ?? 0;
    if (at >= 4) return at < 6 ? isWordSelected(selection, identity) : wanted === 0xff || wanted === own;
    const isHighFit = wanted >> 4 === 0xf || wanted >> 4 === own >> 4;
    return isHighFit && ((wanted & 0xf) === 0xf || (wanted & 0xf) === (own & 0xf));
  });
}

const isWordSelected = (selection: Uint8Array, identity: Uint8Array): boolean =>
  (selection[4] === 0xff && selection[5] === 0xff) ||
  (selection[4] === identity[4] && selection[5] === identity[5]);

/** Complete frames in the received bytes, and the incomplete rest. */
function splitFrames(bytes: Uint8Array): { frames: Frame[]; left: Uint8Array } {
  const frames: Frame[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = frameLength(bytes.subarray(at));
    if (length === undefined) break;
    const frame = length === 0 ? undefined : frameOf(bytes.subarray(at, at + length));
    if (frame !== undefined) frames.push(frame);
    at += frame === undefined ? 1 : length;
  }
  return { frames, left: bytes.slice(at) };
}

function frameOf(bytes: Uint8Array): Frame | undefined {
  try {
    return parseFrame(bytes);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

type Archive = () => Uint8Array[];

function recordsOf(meter: SimulatedMeter, own: { id: string; archives: readonly Archive[] }): Uint8Array[] {
  const current = meter.plan.rows.map((row) =>
    encodeRecord(row.code, valueOf(row, meter, own.id), row.isCounter),
  );
  return [...current, ...own.archives.flatMap((archive) => archive())];
}

function valueOf({ row, code, ratio }: PreparedRow, meter: SimulatedMeter, id: string): number | string {
  if (row.field !== undefined) return meter.state(row.field) / ratio;
  if (row.value !== undefined) return row.value;
  if (code.meaning.form === "dateTime" || code.meaning.form === "date") return localNow(meter);
  return code.meaning.quantity === "Fabrication No" ? Number(id) : 0;
}

const localNow = (meter: SimulatedMeter): number =>
  Math.floor(meter.now()) + meter.plan.utcOffsetMinutes * 60;

/**
 * Stores the counters at the end of a period, newest first, like the meter's own memory. The value is that of
 * the first request after the end: past states are not available.
 */
function keepArchive(archive: PreparedArchive, meter: SimulatedMeter): Archive {
  const slots: { local: number; values: readonly number[] }[] = [];
  let ended = periodStart(archive.msgType, localNow(meter));
  return () => {
    const start = periodStart(archive.msgType, localNow(meter));
    if (start !== ended) {
      slots.unshift({ local: start, values: archive.rows.map((row) => Number(valueOf(row, meter, "0"))) });
      slots.splice(archive.count);
      ended = start;
    }
    return Array.from({ length: archive.count }, (_, at) =>
      archiveRecords(archive, slots[at], archive.firstStorage + at),
    ).flat();
  };
}

function archiveRecords(
  archive: PreparedArchive,
  slot: { local: number; values: readonly number[] } | undefined,
  storage: number,
): Uint8Array[] {
  const isLastDay = archive.dateCode.meaning.form === "date" && archive.dateMeans !== "startOfDay";
  const date = slot === undefined ? null : slot.local - (isLastDay ? 86_400 : 0);
  return [
    encodeRecord(atStorage(archive.dateCode, storage), date),
    ...archive.rows.map(({ code, isCounter }, at) =>
      encodeRecord(atStorage(code, storage), slot?.values[at] ?? 0, isCounter),
    ),
  ];
}

const atStorage = (code: RecordCode, storage: number): RecordCode => ({
  ...code,
  data: { ...code.data, storage },
});

function periodStart(msgType: PreparedArchive["msgType"], local: number): number {
  if (msgType === 100) return local - (local % 3600);
  if (msgType === 101) return local - (local % 86_400);
  const date = new Date(local * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
}

function splitTelegrams(records: readonly Uint8Array[]): Uint8Array[] {
  const telegrams: ByteWriter[] = [new ByteWriter(recordSpace)];
  for (const record of records) {
    let current = telegrams.at(-1);
    if (current === undefined || current.length + record.length > recordSpace) {
      current?.u8(0x1f);
      current = new ByteWriter(recordSpace);
      telegrams.push(current);
    }
    current.raw(record);
  }
  return telegrams.map((each) => each.finish());
}
