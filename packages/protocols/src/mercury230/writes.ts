import { ByteReader } from "../core/bytes.ts";
import type { Conversation } from "../core/conversation.ts";
import { requests } from "./requests.ts";
import { ask, command, type MercurySession } from "./session.ts";
import { partsOf, readThree, toBcd } from "./values.ts";

/*
 * Commands that change the meter. None is retried: read the state back first.
 * Codes: Incotex protocol [public clients]. Arguments and read-back of load control and power limit are from
 * memory; nothing here was tried on a meter.
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
  const raw = Math.round(limitKw * limitSteps);
  if (!(raw >= 0 && raw <= 0x3fffff)) throw new RangeError(`${limitKw} kW is no limit of this meter`);
  const bytes = [raw >> 16, raw & 0xff, (raw >> 8) & 0xff];
  yield* command(session, requests.write("set_power_limit", 0x2c, ...bytes));
}

/** Steps of a limit in a kilowatt, and the highest limit. */
const limitSteps = 100_000;
export const highestLimitKw = 0x3fffff / limitSteps;

/**
 * Switches the control of the power limit on or off, level 2. Layout: 03 2D and 1 or 0. Errors: ProtocolError
 * of the status.
 */
export function* enablePowerLimit(session: MercurySession, isOn: boolean): Conversation<void> {
  yield* command(session, requests.write("switch_power_limit", 0x2d, isOn ? 1 : 0));
}

/** Restarts the meter, level 2. Layout: 03 16. Errors: ProtocolError of the status. */
export function* restart(session: MercurySession): Conversation<void> {
  yield* command(session, requests.write("restart", 0x16));
}

/**
 * State of the load control. Layout: 08 18, answer of 2 bytes, bit 0 of the first: the load is on (from
 * memory). Errors: ProtocolError "unsupported" for a meter without it; others of the status.
 */
export function* readLoad(session: MercurySession): Conversation<boolean> {
  const [word = 0] = yield* ask(session, requests.loadControl());
  return (word & 1) === 1;
}

/**
 * Limit of active power, kW. Layout: 08 19, answer of 3 bytes in 0.01 W, in the order of the momentary values
 * (from memory). Errors: as `readLoad`.
 */
export function* readPowerLimit(session: MercurySession): Conversation<number> {
  return readThree(new ByteReader(yield* ask(session, requests.powerLimit()))).value / limitSteps;
}
