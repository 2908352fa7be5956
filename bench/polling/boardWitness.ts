import { converse } from "@metrum/protocols/core";
import type { Meter, OnAnswer } from "@metrum/simulator";
import type { FatedDevice } from "./boardPlan.ts";

/** What a simulated device did. Times in epoch milliseconds. */
export interface Deeds {
  /** Requests received by it, or that it should have received. */
  asked: number;
  /** Sound answers sent by it. */
  answered: number;
  /** Answers that refuse, and answers with a changed byte. */
  refused: number;
  damaged: number;
  /** Ends of complete polls: their last request was answered. */
  readonly polledMs: number[];
}

export interface Witness {
  readonly onAnswer: OnAnswer;
  /** By the number of the device. */
  readonly deedsOf: (deviceID: string) => Deeds;
}

/** Makes each device of the simulator behave by its fate, and keeps what it did. */
export function createWitness(devices: readonly FatedDevice[]): Witness {
  const fates = new Map(devices.map(({ deviceID, fate }) => [deviceID, fate]));
  const deeds = new Map<string, Deeds>();
  const former = new Map<string, readonly Uint8Array[]>();
  const lastRequests = new Map<string, string>();
  const requestBefore = new Map<string, string>();
  const deedsOf = (deviceID: string): Deeds => {
    const known = deeds.get(deviceID) ?? { asked: 0, answered: 0, refused: 0, damaged: 0, polledMs: [] };
    deeds.set(deviceID, known);
    return known;
  };
  const lastOf = (meter: Meter): string => {
    const known = lastRequests.get(meter.device.deviceID) ?? lastRequestOf(meter);
    lastRequests.set(meter.device.deviceID, known);
    return known;
  };
  return {
    deedsOf,
    onAnswer(meter, request, answers) {
      const { deviceID } = meter.device;
      const deed = deedsOf(deviceID);
      deed.asked += 1;
      const text = hex(request);
      // Its answer was lost: the same poll goes on.
      const isRetry = requestBefore.get(deviceID) === text;
      requestBefore.set(deviceID, text);
      switch (fates.get(deviceID)) {
        case "silent":
          return [];
        case "noisy":
          deed.damaged += 1;
          return answers.map(damaged);
        case "refused":
          deed.refused += 1;
          return [exceptionTo(request)];
        case "disordered": {
          const before = former.get(deviceID) ?? [];
          former.set(deviceID, answers);
          deed.answered += 1;
          return deed.asked % 2 === 0 ? [...before, ...answers] : answers;
        }
        default:
          deed.answered += 1;
          if (!isRetry && text === lastOf(meter)) deed.polledMs.push(Date.now());
          return answers;
      }
    },
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** The last request of a poll of current values. */
function lastRequestOf({ model, address, stateAt }: Meter): string {
  const { driver } = model;
  if (driver.kind !== "line") return "";
  const at = Math.floor(Date.now() / 1000);
  const responder = driver.respond(address, stateAt(at), () => at);
  let last = "";
  converse(driver.poll({ kind: "now" }, address), {
    receive(bytes) {
      last = hex(bytes);
      return responder.receive(bytes);
    },
  });
  return last;
}

function damaged(bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  const middle = changed.length >> 1;
  changed[middle] = (changed[middle] ?? 0) ^ 0x10;
  return changed;
}

/** Modbus RTU: address, function with the high bit, 4 (device failure), checksum with the low byte first. */
function exceptionTo(request: Uint8Array): Uint8Array {
  const body = [request[0] ?? 0, (request[1] ?? 0) | 0x80, 4];
  const crc = crcOf(body);
  return Uint8Array.of(...body, crc & 0xff, crc >> 8);
}

/** Independent of the code under test: polynomial A001, start FFFF. */
function crcOf(bytes: readonly number[]): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}
