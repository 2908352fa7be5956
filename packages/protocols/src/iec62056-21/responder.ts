import { fields, type FieldName } from "@metrum/vocabulary";
import type { Responder } from "../core/conversation.ts";
import type { DeviceAddress, MeterState } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { formatDataSet } from "./dataLine.ts";
import type { IecOptions } from "./options.ts";
import {
  bauds,
  char,
  commandBlock,
  dataBlock,
  messageLength,
  parseMessage,
  type BlockCheck,
  type IecMessage,
} from "./message.ts";
import type { IecPlan } from "./readings.ts";
import { formatStamp } from "./stamps.ts";
import { bytesOf, withEvenParity, withoutParity } from "./text.ts";
import { ratioTo, wireUnit } from "./units.ts";

/** A simulated meter; its password is that of the device, else of the model. */
export interface SimulatedIec {
  readonly options: IecOptions;
  readonly plan: IecPlan;
  readonly device: DeviceAddress;
  readonly state: MeterState;
  readonly now: () => number;
}

interface Memory {
  mode: "idle" | "called" | "locked" | "open";
  baud: number;
  /** Last message, for NAK. */
  last: Uint8Array;
  /** Parts of an answer that are still to be acknowledged. */
  parts: Uint8Array[];
  written: Map<string, string>;
}

/** An answer longer than this goes out in parts that end in EOT. */
const partChars = 200;
/** Buffer limit of an idle meter. */
const maxPending = 512;
/** Months of billing values that the simulated meter keeps. */
const billingMonths = 3;

/** Initial baud rate, and the character of the offered one. */
const startBaud = 300;
const offered = "5";

const errors = { unknown: "(ERR12)", locked: "(ERR15)", password: "(ERR11)" } as const;
/** Arbitrary numbers; observed meters of this kind send two digits alone. */
const bareErrors = { unknown: "(01)", locked: "(02)", password: "(03)" } as const;

const refusalOf = ({ options }: SimulatedIec, error: keyof typeof errors): string =>
  (options.hasBareErrors === true ? bareErrors : errors)[error];

/**
 * The meter's side: sign-on, read-out, programming mode with password, partial blocks, NAK, errors, break,
 * mode E. Silent for other addresses and damaged lines, NAK for damaged blocks. Answers with even parity when
 * the line sets it. Goes to the speed of the acknowledgement with its answer, and back with a break or the
 * next sign-on; a real one goes back by itself behind a read-out.
 * Errors: none.
 */
export function iecResponder(meter: SimulatedIec): Responder {
  const memory: Memory = {
    mode: "idle",
    baud: startBaud,
    last: new Uint8Array(0),
    parts: [],
    written: new Map(),
  };
  let pending: Uint8Array = new Uint8Array(0);
  const sent = (bytes: Uint8Array) => (meter.options.evenParity === true ? withEvenParity(bytes) : bytes);
  return {
    baud: () => memory.baud,
    receive(bytes) {
      pending = withoutParity(Uint8Array.from([...pending, ...bytes])).slice(-maxPending);
      const answers: Uint8Array[] = [];
      for (;;) {
        const found = nextMessage(pending, meter.options.check);
        if (!found) return answers;
        pending = pending.slice(found.end);
        const answer = found.message ? serve(meter, memory, found.message) : Uint8Array.of(char.nak);
        if (!answer) continue;
        memory.last = answer;
        answers.push(sent(answer));
      }
    },
  };
}

/**
 * The next complete message; a damaged one comes without `message`. Bytes of another protocol are dropped.
 */
function nextMessage(
  bytes: Uint8Array,
  check: BlockCheck | undefined,
): { end: number; message?: IecMessage } | undefined {
  for (let at = 0; at < bytes.length; at++) {
    if (![0x2f, char.soh, char.stx, char.ack, char.nak].includes(bytes[at] ?? 0)) continue;
    const length = messageLength(bytes.subarray(at));
    if (length === undefined) continue;
    try {
      return { end: at + length, message: parseMessage(bytes.subarray(at, at + length), { check }) };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (error.kind === "checksum") return { end: at + length };
    }
  }
  return undefined;
}

function serve(meter: SimulatedIec, memory: Memory, message: IecMessage): Uint8Array | undefined {
  switch (message.kind) {
    case "request":
      return identify(meter, memory, message.address);
    case "option":
      return memory.mode === "called" ? openMode(meter, memory, message) : undefined;
    case "ack":
      return memory.parts.shift();
    case "nak":
      return memory.last;
    case "command":
      return memory.mode === "idle" ? undefined : obey(meter, memory, message);
    default:
      return undefined;
  }
}

function identify(
  { options, device }: SimulatedIec,
  memory: Memory,
  address: string,
): Uint8Array | undefined {
  const own = [device.insideAddr.trim(), device.deviceID];
  if (address !== "" && !own.includes(address)) return undefined;
  memory.mode = "called";
  memory.baud = startBaud;
  memory.parts = [];
  return bytesOf(`/${options.manufacturer}${offered}${options.type}\r\n`);
}

type Option = Extract<IecMessage, { kind: "option" }>;

function openMode(meter: SimulatedIec, memory: Memory, { mode, baud }: Option): Uint8Array {
  memory.baud = bauds[Number(baud)] ?? startBaud;
  if (mode === "2") return bytesOf(`\x062${baud}2\r\n`);
  if (mode === "0") {
    memory.mode = "idle";
    const text = readOutLines(meter).flatMap(({ lines }) => lines);
    return dataBlock(`${text.join("\r\n")}\r\n!\r\n`, meter.options);
  }
  memory.mode = passwordOf(meter) === undefined ? "open" : "locked";
  return commandBlock("P0", `(${meter.device.deviceID})`, meter.options.check);
}

const passwordOf = ({ device, options }: SimulatedIec): string | undefined =>
  device.password ?? (options.access === "readout" ? undefined : options.access.password);

type Command = Extract<IecMessage, { kind: "command" }>;

function obey(meter: SimulatedIec, memory: Memory, { command, text }: Command): Uint8Array | undefined {
  if (command === "B0") {
    memory.mode = "idle";
    memory.baud = startBaud;
    return undefined;
  }
  if (command === "P1") return unlock(meter, memory, text);
  const refuse = (error: keyof typeof errors) => dataBlock(refusalOf(meter, error), meter.options);
  if (memory.mode !== "open") return refuse("locked");
  const address = text.replace(/\(.*/s, "");
  if (command === "W1") {
    memory.written.set(address, text);
    return Uint8Array.of(char.ack);
  }
  if (command !== "R1") return refuse("unknown");
  const answer = memory.written.get(address) ?? answerTo(meter, address);
  return answer === undefined ? refuse("unknown") : inParts(meter, memory, answer);
}

function unlock(meter: SimulatedIec, memory: Memory, text: string): Uint8Array {
  if (text !== `(${passwordOf(meter) ?? ""})`) return dataBlock(refusalOf(meter, "password"), meter.options);
  memory.mode = "open";
  return Uint8Array.of(char.ack);
}

function inParts({ options: { check } }: SimulatedIec, memory: Memory, text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < text.length; at += partChars)
    parts.push(dataBlock(text.slice(at, at + partChars), { isLast: at + partChars >= text.length, check }));
  const [first = dataBlock("", { check }), ...rest] = parts;
  memory.parts = rest;
  return first;
}

/** The lines of one address, as the read-out has them. */
function answerTo(meter: SimulatedIec, address: string): string | undefined {
  const found = readOutLines(meter).find((each) => each.address === address);
  return found && `${found.lines.join("\r\n")}\r\n`;
}

/**
 * The lines of one address: its brackets behind each other, or a line each, with or without the address in
 * front.
 */
interface Written {
  readonly address: string;
  readonly lines: readonly string[];
}

type Brackets = Parameters<typeof formatDataSet>[1];

function lay(address: string, brackets: Brackets, layout: IecPlan["layout"] = "line"): Written {
  if (layout === "line") return { address, lines: [formatDataSet(address, brackets)] };
  const lines = brackets.map((bracket, at) =>
    formatDataSet(at === 0 || layout === "named_lines" ? address : "", [bracket]),
  );
  return { address, lines };
}

function readOutLines(meter: SimulatedIec): Written[] {
  const codes = [...new Set(meter.plan.rows.map(({ obis }) => obis))];
  return [
    lay("0.0.0", [{ value: meter.device.deviceID }]),
    ...clockLines(meter),
    ...codes.map((code) => lay(code, bracketsOf(meter, code), meter.plan.layout)),
    ...billingLines(meter),
  ];
}

/** Brackets of one address in order; one without a row is empty. */
function bracketsOf({ plan, state }: SimulatedIec, code: string) {
  const rows = plan.rows.filter(({ obis }) => obis === code);
  const count = Math.max(...rows.map(({ index }) => index ?? 0)) + 1;
  return Array.from({ length: count }, (_, index) => {
    const own = rows
      .filter((each) => (each.index ?? 0) === index)
      .toSorted((a, b) => (a.part ?? 0) - (b.part ?? 0))
      .map((row) => written(row.field, state(row.field), row.unit));
    const [first] = own;
    return first ? { ...first, value: own.map(({ value }) => value).join(",") } : { value: null };
  });
}

/**
 * A row whose unit is not the field's own is written in that unit, without naming it, like the real meter.
 */
function written(field: FieldName, value: number, unit: string | undefined) {
  const ratio = ratioTo(unit ?? "", field, "electricity") ?? 1;
  const number = (Number.isFinite(value) ? value : 0) / ratio;
  const text = number.toFixed(fields[field].kind === "counter" ? 3 : 4);
  return { value: text, unit: unit === undefined ? wireUnit(field, "electricity") : "" };
}

const localNow = ({ plan, now }: SimulatedIec): number => Math.floor(now()) + plan.utcOffsetMinutes * 60;

function clockLines(meter: SimulatedIec): Written[] {
  const { clock } = meter.plan;
  if (!clock) return [];
  const stamp = formatStamp(localNow(meter));
  if ("stamp" in clock) return [lay(clock.stamp, [{ value: stamp }])];
  return [lay(clock.date, [{ value: stamp.slice(0, 6) }]), lay(clock.time, [{ value: stamp.slice(6) }])];
}

/** Billing values are the counter less 2 % for each month past. */
function billingLines(meter: SimulatedIec): Written[] {
  const { billing, rows } = meter.plan;
  if (!billing) return [];
  const date = new Date(localNow(meter) * 1000);
  return Array.from({ length: billingMonths }, (_, back) => {
    const local = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1) / 1000;
    const number = `*${String(billingMonths - back).padStart(2, "0")}`;
    const billed = rows.filter(({ isBilled }) => isBilled === true);
    return [
      lay(`${billing.stamp}${number}`, [{ value: formatStamp(local).slice(0, 10) }]),
      ...billed.map(({ obis, field, unit }) =>
        lay(obis + number, [written(field, meter.state(field) * (1 - 0.02 * (back + 1)), unit)]),
      ),
    ];
  }).flat();
}
