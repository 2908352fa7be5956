import { fromHex } from "@metrum/protocols/core";
import { lineOfTelegram } from "@metrum/protocols/wmbus";
import type { Exchange } from "./faults.ts";
import type { Meter } from "./meter.ts";
import type { PlannedListening } from "./plans/plan.ts";
import { noise } from "./random.ts";
import { openServerPort, type ServerPort } from "./serverPort.ts";
import type { Timetable } from "./timetable.ts";

export interface SpeakerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly listens: PlannedListening;
  readonly meters: readonly Meter[];
  /** Epoch seconds UTC, with fractions. */
  readonly now: () => number;
  readonly timetable: Timetable;
  readonly hasOutages: () => boolean;
  /** Created with `damagerOf`. */
  readonly faults: Exchange;
}

/** P1 ports push every second or every ten. */
const p1Sec = 10;
/** Radio meters send several times per interval, as telegrams get lost. */
const radioSec = { often: 16, seldom: 120 };
/** From this interval on a radio meter sends rarely. */
const seldomFromSec = 900;
/** Share of a period by which a timer may be early. */
const early = 0.01;

/**
 * A line with unsolicited telegrams: the P1 port of one meter, or a receiver of wireless M-Bus that writes a
 * line for each telegram. Every connected client receives them; a receiver with a start-up command is silent
 * until it has received it. Errors: those of listening.
 */
export async function startSpeaker(options: SpeakerOptions): Promise<ServerPort> {
  const { host, port, listens, meters, now, timetable } = options;
  const greeting = fromHex(listens.hello ?? "");
  let greeted = 0;
  const line = await openServerPort({
    host,
    port,
    onClient: () => (greeted = 0),
    onBytes(bytes) {
      for (const byte of bytes)
        if (greeted < greeting.length) greeted = byte === greeting[greeted] ? greeted + 1 : 0;
    },
  });
  const isHeard = (): boolean => line.hasClient() && greeted === greeting.length;
  const say = inTurn(line, timetable);
  const speak = (meter: Meter, at: number): void => {
    if (!isHeard() || (options.hasOutages() && meter.isSilentAt(at))) return;
    const telegram = wordsOf(listens, meter, at);
    if (telegram) say(options.faults(new Uint8Array(0), [telegram]));
  };
  const plan = (meter: Meter, everySec: number): void => {
    const phase = noise(meter.device.seed, 5) * everySec;
    const next = (Math.floor((now() - phase) / everySec + early) + 1) * everySec + phase;
    timetable.after((next - now()) * 1000, () => {
      speak(meter, Math.floor(next));
      plan(meter, everySec);
    });
  };
  for (const meter of meters) plan(meter, everySecOf(listens, meter));
  return line;
}

function everySecOf({ to }: PlannedListening, { device }: Meter): number {
  if (to === "p1") return p1Sec;
  return device.intervalSec < seldomFromSec ? radioSec.often : radioSec.seldom;
}

/** Bytes on the line after this meter has sent. */
function wordsOf(listens: PlannedListening, meter: Meter, at: number): Uint8Array | undefined {
  const { driver } = meter.model;
  if (driver.kind !== "uplink") return undefined;
  const telegram = driver.encode(meter.address, meter.stateAt(at), at).payload;
  if (listens.to === "p1") return telegram;
  const rssi = -55 - Math.round(noise(meter.device.seed, at) * 40);
  return new TextEncoder().encode(lineOfTelegram(kindOf(listens), { telegram, at, rssi }));
}

/** A receiver with a start-up command is one with culfw. */
const kindOf = ({ hello }: PlannedListening) => (hello === undefined ? "rtl_wmbus" : "culfw");

/** Telegrams are sent one after another, however many meters send at once and in however many parts. */
function inTurn(line: ServerPort, timetable: Timetable): (pieces: ReturnType<Exchange>) => void {
  let freeAtMs = 0;
  return (pieces) => {
    const nowMs = performance.now();
    const waitMs = Math.max(0, freeAtMs - nowMs);
    for (const { afterMs, bytes } of pieces) {
      freeAtMs = nowMs + waitMs + afterMs + 1;
      timetable.after(waitMs + afterMs, () => line.say(bytes));
    }
  };
}

/**
 * How a telegram on such a line is corrupted: rtl-wmbus marks it itself, elsewhere a character is changed.
 */
export function damagerOf(listens: PlannedListening): (bytes: Uint8Array) => Uint8Array {
  if (listens.to === "wmbus_lines" && kindOf(listens) === "rtl_wmbus")
    return (bytes) => new TextEncoder().encode(new TextDecoder().decode(bytes).replace(";1;", ";0;"));
  return (bytes) => {
    const damaged = Uint8Array.from(bytes);
    const middle = damaged.length >> 1;
    damaged[middle] = (damaged[middle] ?? 0) ^ 1;
    return damaged;
  };
}
