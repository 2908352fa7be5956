import type { StepName } from "@metrum/vocabulary";
import { ByteReader, toHex } from "../core/bytes.ts";
import type { Conversation, Responder, Step } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeTelegram } from "./application.ts";
import { address, control, longFrame, parseFrame, shortFrame } from "./frame.ts";
import { readLongHeader } from "./header.ts";
import { answerMs } from "./session.ts";
import { fitsMask, targetOf } from "./target.ts";

/** A meter found by the search, as its header identifies it. */
export interface FoundMeter {
  readonly id: string;
  readonly manufacturer: string;
  readonly version: number;
  readonly medium: number;
  readonly mediumName: string;
}

export interface SearchResult {
  /** In the order of their numbers. */
  readonly meters: readonly FoundMeter[];
  /** Masks with unresolved collisions: two meters with one number, or a damaged one. */
  readonly unresolved: readonly string[];
  /** False: the limit of steps was reached, and masks remain. */
  readonly isComplete: boolean;
}

export interface SearchOptions {
  /** Baud rate of the line, for the time limits. Default 2400. */
  readonly baud?: number;
  /** Digits to begin with, F for any: "1234FFFF" searches one batch. Default: all meters. */
  readonly mask?: string;
  /** Maximum exchanges on the line. Default 2000: at 2400 baud some 20 minutes of silence. */
  readonly maxSteps?: number;
  /** Receives each meter when it is found: a search takes up to hours, and its line may break. */
  readonly onFound?: (meter: FoundMeter) => void;
}

const anyMeter = "FFFFFFFF";
const ack = 0xe5;

/**
 * Finds the meters of a line by their numbers.
 * Source: EN 13757-3, 11.5 (wildcard search), The M-Bus: A Documentation, 7.1. Layout: SND_NKE to 253, SND_UD
 * with CI 52 and the mask, and when anything answers REQ_UD2 to 253: a whole frame is one meter, garbage are
 * several. Then the first digit that is F takes 0 to 9, and so on. Two meters whose E5 fall together look
 * like one: only their data tell. A meter much louder than another on the same mask hides it. Numbers with
 * digits A to E are found while no other meter shares their mask. Errors: ProtocolError "unexpected" for a
 * broken mask; silence is no error.
 */
export function* searchMeters(options: SearchOptions = {}): Conversation<SearchResult> {
  const { mask = anyMeter, baud = 2400, maxSteps = 2000, onFound } = options;
  if (!/^[0-9F]{8}$/i.test(mask)) throw new ProtocolError("unexpected", "the mask is not eight digits or F");
  const found: FoundMeter[] = [];
  const unresolved: string[] = [];
  const waiting = [mask.toUpperCase()];
  let steps = 0;
  while (waiting.length > 0) {
    // A mask takes three exchanges at most.
    if (steps + 3 > maxSteps) return { meters: found, unresolved, isComplete: false };
    const current = waiting.pop() ?? anyMeter;
    const answer = yield* ask(current, baud);
    steps += answer.steps;
    if (answer.kind === "meter") {
      found.push(answer.meter);
      onFound?.(answer.meter);
    }
    if (answer.kind !== "collision") continue;
    const narrower = narrowed(current);
    if (narrower.length === 0) unresolved.push(current);
    // The last one waiting is next: smallest digits first, so meters are found in the order of their numbers, each once.
    else waiting.push(...narrower.toReversed());
  }
  return { meters: found, unresolved, isComplete: true };
}

/** Ten masks with the first wildcard replaced; none when all digits are given. */
function narrowed(mask: string): string[] {
  const at = mask.indexOf("F");
  if (at < 0) return [];
  return Array.from(
    { length: 10 },
    (_, digit) => `${mask.slice(0, at)}${String(digit)}${mask.slice(at + 1)}`,
  );
}

type Answer = { readonly steps: number } & (
  | { readonly kind: "none" | "collision" }
  | { readonly kind: "meter"; readonly meter: FoundMeter }
);

function* ask(mask: string, baud: number): Conversation<Answer> {
  yield* heard(shortFrame(control.sndNke, address.selected), "deselect", baud);
  const target = targetOf({ insideAddr: mask });
  const selection = target.kind === "secondary" ? target.selection : new Uint8Array(8).fill(0xff);
  const select = longFrame(control.sndUd, address.selected, 0x52, selection);
  const selected = yield* heard(select, { code: "select", n: mask }, baud);
  if (selected.length === 0) return { kind: "none", steps: 2 };
  if (selected.some((byte) => byte !== ack) || selected.length > 1) return { kind: "collision", steps: 2 };
  const request = shortFrame(control.reqUd2 | control.fcb, address.selected);
  const data = yield* heard(request, { code: "read_behind_mask", n: mask }, baud);
  const meter = meterOf(data);
  if (meter === undefined || !fitsMask(meter.id, mask)) return { kind: "collision", steps: 3 };
  return { kind: "meter", meter, steps: 3 };
}

/** All bytes until the line is silent; none is an answer too. The own echo is removed. */
function* heard(send: Uint8Array, label: StepName, baud: number): Conversation<Uint8Array> {
  const limits = { firstByteMs: answerMs(baud), interByteMs: answerMs(baud), tries: 1, endsBySilence: true };
  const step: Step = { label, send, match: () => ({ state: "more" }), ...limits };
  try {
    const received = yield step;
    const isEcho = toHex(received.subarray(0, send.length)) === toHex(send);
    return isEcho ? received.subarray(send.length) : received;
  } catch (error) {
    if (error instanceof ProtocolError) return new Uint8Array(0);
    throw error;
  }
}

/** Sender of these bytes; undefined unless they are one complete answer that names its meter. */
function meterOf(bytes: Uint8Array): FoundMeter | undefined {
  try {
    const frame = parseFrame(bytes);
    if (frame.kind !== "long" || (frame.control & control.fromMaster) !== 0) return undefined;
    // The data after the header may be encrypted or unknown; the number is readable nevertheless.
    const header =
      frame.ci === 0x72
        ? readLongHeader(new ByteReader(frame.data))
        : decodeTelegram(frame.ci, frame.data).header;
    const { id, manufacturer, version, medium, mediumName } = header ?? {};
    if (id === undefined) return undefined;
    return {
      id,
      manufacturer: manufacturer ?? "",
      version: version ?? 0,
      medium: medium ?? 0,
      mediumName: mediumName ?? "",
    };
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

/**
 * Several slaves on one line. Equal answers that fall together look like one, as acknowledgements do on a
 * real line. Others become garbage: each slave begins one byte after the one before, and a 0 of any of them
 * wins over the 1 of another.
 * Source: EN 13757-2, 4.3 (space is the larger current). Errors: none.
 */
export function sharedLine(slaves: readonly Responder[]): Responder {
  return {
    receive(bytes) {
      const answers = slaves.map((slave) => slave.receive(bytes)).filter((each) => each.length > 0);
      if (answers.length <= 1) return answers[0] ?? [];
      const whole = answers.map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));
      const [first = new Uint8Array(0)] = whole;
      if (whole.every((each) => toHex(each) === toHex(first))) return [first];
      const length = Math.max(...whole.map((each, late) => each.length + late));
      const mixed = (at: number): number =>
        whole.reduce((mix, each, late) => mix & (each[at - late] ?? 0xff), 0xff);
      return [Uint8Array.from({ length }, (_, at) => mixed(at))];
    },
  };
}
