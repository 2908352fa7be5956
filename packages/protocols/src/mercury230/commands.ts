import type { DeviceState } from "@metrum/vocabulary";
import {
  changeInSession,
  changing,
  changingInTurn,
  isSetTo,
  isUnmoved,
  otherThanSet,
  type Change as ChangeIn,
  type ReadBack,
} from "../core/changing.ts";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { localSeconds } from "../core/localTime.ts";
import { toUtc, type MercuryMeter } from "./meter.ts";
import { readMeterClock } from "./reads.ts";
import { inSession, mercurySession, type AccessLevel, type MercurySession } from "./session.ts";
import {
  correctClock,
  enablePowerLimit,
  highestLimitKw,
  readLoad,
  readPowerLimit,
  restart,
  setClock,
  setPowerLimit,
  switchLoad,
} from "./writes.ts";

type Change = ChangeIn<MercurySession>;
type Work<Result> = (session: MercurySession) => Conversation<Result>;

/**
 * Commands of the Mercury 230 family: load, power limit, clock, restart. Tariff schedules and holidays
 * (03 1D, 03 1E) are missing: their layout is not public.
 * Source: see `writes.ts`. A change is sent once and read back; a meter without the read-back is believed, and
 * one that reads otherwise leaves the result unknown, because the layout of the answer is not verified.
 * Units: kW, seconds. Errors: ProtocolError before the change is sent.
 */
export function mercuryCommands(meterOf: (device: DeviceAddress) => MercuryMeter) {
  const run = <Result>(device: DeviceAddress, level: AccessLevel, work: Work<Result>) =>
    inSession(mercurySession(device, level, meterOf(device).isPasswordAscii), work);
  const change = (
    device: DeviceAddress,
    level: AccessLevel,
    work: Work<Change>,
  ): Conversation<CommandResult> => changeInSession<MercurySession>((task) => run(device, level, task), work);

  return {
    relay_state: (device) => run(device, 1, loadState),
    power: (device, { power }) => change(device, 2, (session) => switchPower(session, power)),
    limit_state: (device) => run(device, 1, limitState),
    limit: (device, { limit, limit_mode }) => {
      if (limit_mode !== undefined || limit > highestLimitKw)
        throw new ProtocolError("unsupported", `the meter limits power up to ${String(highestLimitKw)} kW`);
      return change(device, 2, (session) => setLimit(session, limit));
    },
    get_datetime: (device) => run(device, 1, (session) => clockState(session, meterOf(device))),
    time_set: (device, { time_set }) =>
      change(device, 2, (session) => setTime(session, meterOf(device), localSeconds(time_set))),
    time_correct: (device, { time_correct }) =>
      change(device, 1, (session) => correctTime(session, meterOf(device), time_correct)),
    reset: (device) =>
      change(device, 2, function* (session) {
        return { sent: yield* changing(restart(session)) };
      }),
  } satisfies CommandFunctions;
}

/** What a meter says of a change, if it has the read-back: as wanted, or unknown. */
function* ifReadable(read: Conversation<boolean>, wanted: DeviceState, what: string): Conversation<ReadBack> {
  try {
    if (yield* read) return wanted;
  } catch (error) {
    if (error instanceof ProtocolError && error.kind === "unsupported") return {};
    throw error;
  }
  throw otherThanSet(what);
}

function* loadState(session: MercurySession): Conversation<DeviceState> {
  const power = (yield* readLoad(session)) ? 1 : 0;
  return { power, relay_state: power };
}

function* switchPower(session: MercurySession, power: 0 | 1): Conversation<Change> {
  function* isSwitched(open: MercurySession): Conversation<boolean> {
    return (yield* readLoad(open)) === (power === 1);
  }
  return {
    sent: yield* changing(switchLoad(session, power === 1)),
    read: (open) => ifReadable(isSwitched(open), { power, relay_state: power }, "the load control"),
  };
}

function* limitState(session: MercurySession): Conversation<DeviceState> {
  return { last_set_limit: yield* readPowerLimit(session) };
}

/** The limit first, then its control, which cannot be read: only the answer of the meter proves it. */
function* setLimit(session: MercurySession, limit: number): Conversation<Change> {
  const sent = yield* changingInTurn([setPowerLimit(session, limit), enablePowerLimit(session, true)]);
  function* isLimited(open: MercurySession): Conversation<boolean> {
    return Math.abs((yield* readPowerLimit(open)) - limit) < 1e-4;
  }
  return {
    sent,
    *read(open) {
      if (sent.state !== "done") return otherThanSet("the control of the limit");
      return yield* ifReadable(isLimited(open), { last_set_limit: limit }, "the limit");
    },
    found: limitState,
  };
}

function* clockState(session: MercurySession, meter: MercuryMeter): Conversation<DeviceState> {
  const { local, isWinter } = yield* readMeterClock(session);
  return { device_time: toUtc(meter, local, isWinter) };
}

function* setTime(session: MercurySession, meter: MercuryMeter, local: number): Conversation<Change> {
  const { isWinter } = yield* readMeterClock(session);
  return {
    sent: yield* changing(setClock(session, local, isWinter)),
    *read(open) {
      const now = yield* readMeterClock(open);
      return isSetTo(now.local, local)
        ? { device_time: toUtc(meter, now.local, now.isWinter) }
        : otherThanSet("the clock");
    },
  };
}

/** A correction without an answer is not read back: the time that it took is not known. */
function* correctTime(session: MercurySession, meter: MercuryMeter, seconds: number): Conversation<Change> {
  const { local: first } = yield* readMeterClock(session);
  const { local: second } = yield* readMeterClock(session);
  const sent = yield* changing(correctClock(session, second + seconds));
  if (sent.state !== "done") return { sent };
  return {
    sent,
    *read(open) {
      const { local: after, isWinter } = yield* readMeterClock(open);
      return isUnmoved({ first, second, after }, seconds)
        ? otherThanSet("the clock")
        : { device_time: toUtc(meter, after, isWinter) };
    },
  };
}
