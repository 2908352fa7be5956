import type { Conversation } from "../core/conversation.ts";
import { requests } from "./requests.ts";
import { command, type MercurySession } from "./session.ts";
import { partsOf, toBcd } from "./values.ts";

/*
 * Commands that change the meter. None is retried: read the state back first.
 * Codes: Incotex protocol [public clients]. Arguments of load control and power limit are from memory; nothing
 * here was tried on a meter.
 */

/**
 * Sets the clock, level 2. Layout: 03 0C, ss mm hh weekday dd MM yy in BCD, season (0 summer, 1 winter).
 * `local` is epoch seconds of the meter's own time. Errors: ProtocolError of the status.
 */
export function* setClock(session: MercurySession, local: number, isWinter = true): Conversation<void> {
  const { second, minute, hour, weekday, day, month, year } = partsOf(local);
  const bytes = [second, minute, hour, weekday, day, month, year].map(toBcd);
  yield* command(session, requests.write("set_clock", 0x0c, ...bytes, isWinter ? 1 : 0));
}

/**
 * Corrects the clock by up to 4 minutes once a day, level 1 is enough. Layout: 03 0D, ss mm hh in BCD.
 * Errors: ProtocolError "refused" with detail 4 when it was corrected today already; others of the status.
 */
export function* correctClock(session: MercurySession, local: number): Conversation<void> {
  const { second, minute, hour } = partsOf(local);
  yield* command(session, requests.write("correct_clock", 0x0d, toBcd(second), toBcd(minute), toBcd(hour)));
}

/**
 * Switches the load, level 2. Layout: 03 31 and 1 to switch on, 0 to switch off (from memory). Errors:
 * ProtocolError of the status.
 */
export function* switchLoad(session: MercurySession, isOn: boolean): Conversation<void> {
  yield* command(session, requests.write(isOn ? "switch_load_on" : "switch_load_off", 0x31, isOn ? 1 : 0));
}

/**
 * Sets the limit of active power, level 2. Layout: 03 2C, limit in 0.01 W as high, low, middle byte like the
 * momentary values (from memory).
 * Units and range: kW, 0 to 41.943. Errors: ProtocolError of the status; RangeError outside the range (a bug
 * of the caller).
 */
export function* setPowerLimit(session: MercurySession, limitKw: number): Conversation<void> {
  const raw = Math.round(limitKw * 100_000);
  if (!(raw >= 0 && raw <= 0x3fffff)) throw new RangeError(`${limitKw} kW is no limit of this meter`);
  const bytes = [raw >> 16, raw & 0xff, (raw >> 8) & 0xff];
  yield* command(session, requests.write("set_power_limit", 0x2c, ...bytes));
}

/**
 * Switches the control of the power limit on or off, level 2. Layout: 03 2D and 1 or 0. Errors: ProtocolError
 * of the status.
 */
export function* enablePowerLimit(session: MercurySession, isOn: boolean): Conversation<void> {
  yield* command(session, requests.write("switch_power_limit", 0x2d, isOn ? 1 : 0));
}

/**
 * Allows the meter to change to summer time, level 2. Layout: 03 18 and 1 or 0 (from memory). Errors:
 * ProtocolError of the status.
 */
export function* allowSummerTime(session: MercurySession, isAllowed: boolean): Conversation<void> {
  yield* command(session, requests.write("switch_summer_time", 0x18, isAllowed ? 1 : 0));
}

/** Restarts the meter, level 2. Layout: 03 16. Errors: ProtocolError of the status. */
export function* restart(session: MercurySession): Conversation<void> {
  yield* command(session, requests.write("restart", 0x16));
}
