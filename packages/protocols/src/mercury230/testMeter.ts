import { fromHex, toHex } from "../core/bytes.ts";
import { stepOf, type Conversation, type Responder, type Step } from "../core/conversation.ts";
import type { DeviceAddress, PollRequest } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse } from "../core/fuzz/replay.ts";
import { mercury230 } from "./driver.ts";
import { closeFrame } from "./frame.ts";
import type { MercuryMeter, MercuryOptions } from "./meter.ts";
import { inSession, mercurySession, type AccessLevel, type MercurySession } from "./session.ts";

export const now = Date.UTC(2026, 10, 21, 21, 10) / 1000;
export const device: DeviceAddress = { insideAddr: "23", deviceID: "00412023" };
const state = (field: string) =>
  field === "power_active" ? -1.5 : field.startsWith("cos") ? 0.95 : 20 + field.length;
/** Has all counters and a power profile. */
export const full: MercuryOptions = {
  keeps: ["aMinus", "rPlus", "rMinus"],
  profile: { memoryBytes: 65_536 },
};

/** The same with its defaults. */
export const aMercury: MercuryMeter = {
  tariffs: 4,
  phases: 3,
  keeps: ["aMinus", "rPlus", "rMinus"],
  isPasswordAscii: false,
  utcOffsetMinutes: 180,
  hasSummerTime: false,
  profile: { memoryBytes: 65_536 },
};

/** The simulated meter. */
export const meter = (options: MercuryOptions = full, of: DeviceAddress = device, clock = () => now) =>
  mercury230(options).respond(of, state, clock);
/** Result of polling it. Errors: ProtocolError. */
export const poll = (request: PollRequest, options: MercuryOptions = full, responder = meter(options)) =>
  converse(mercury230(options).poll(request, device), responder);
/** The ProtocolError of a promise, if it rejects with one. */
export const errorOf = (act: () => unknown): ProtocolError | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  return undefined;
};
/** Runs an operation in an open channel. Errors: ProtocolError. */
export const within = <Result>(
  level: AccessLevel,
  work: (session: MercurySession) => Conversation<Result>,
  responder: Responder = meter(),
) => converse(inSession(mercurySession(device, level), work), responder);
/** The simulated meter, which answers some requests otherwise. */
export function answering(others: Readonly<Record<string, string>>, of: Responder = meter()): Responder {
  return {
    receive: (bytes) => {
      const other = others[toHex(bytes.subarray(1, -2))];
      return other === undefined ? of.receive(bytes) : [closeFrame(bytes[0] ?? 0, fromHex(other))];
    },
  };
}
/** The steps of a dialogue with this meter, up to 100. */
export function stepsOf(dialogue: Conversation<unknown>, responder: Responder = meter()): Step[] {
  const steps: Step[] = [];
  let turn = dialogue.next();
  while (steps.length < 100 && !turn.done) {
    const step = stepOf(turn);
    steps.push(step);
    turn = dialogue.next(responder.receive(step.send)[0] ?? new Uint8Array());
  }
  return steps;
}
/** Body of the request of a step. */
export const bodyOf = ({ send }: Step): string => toHex(send.subarray(1, -2));
