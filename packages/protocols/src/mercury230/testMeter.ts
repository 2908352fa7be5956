import type { Conversation, Responder } from "../core/conversation.ts";
import type { DeviceAddress, PollRequest } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse } from "../core/replay.ts";
import { mercury230 } from "./driver.ts";
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
