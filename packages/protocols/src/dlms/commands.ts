import type { DeviceState, TariffSchedule } from "@metrum/vocabulary";
import {
  changeInSession,
  changing,
  changingInTurn,
  isSetTo,
  isUnmoved,
  otherThanSet,
  type Change as ChangeIn,
} from "../core/changing.ts";
import type { CommandFunctions } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { localSeconds } from "../core/localTime.ts";
import { isSameSchedule } from "../core/tariffSchedule.ts";
import { inZoneOf } from "./session/archives.ts";
import { writeCalendar, writeSpecialDays } from "./objects/calendar.ts";
import { longestShiftSec, readClock, setClock, shiftClock, type ClockOptions } from "./objects/clock.ts";
import {
  prepareLimit,
  readLimiter,
  readRelay,
  switchRelay,
  type Relay,
  type RelayState,
} from "./objects/control.ts";
import {
  prepareSchedule,
  prepareSpecialSchedule,
  readSchedule,
  readSpecialSchedule,
  type SpecialSchedule,
} from "./objects/tariffs.ts";
import type { DlmsOptions } from "./options.ts";
import type { Session } from "./session/session.ts";

/** Runs work in a session with a device. */
export type RunInSession = <Result>(
  device: DeviceAddress,
  work: (session: Session) => Conversation<Result>,
) => Conversation<Result>;

type Change = ChangeIn<Session>;

/**
 * Commands of DLMS meters: disconnect control, limiter, clock, tariff schedule, special days.
 * Source: Blue Book 4.5.1, 4.5.4, 4.5.5, 4.5.8, 4.5.9. A change is sent once and read back. The state is read
 * by the client that reads, changes are made by the one that may.
 * Units: kW, seconds. Errors: ProtocolError before the change is sent.
 */
export function dlmsCommands(
  options: DlmsOptions,
  { reading, changing: asController }: { readonly reading: RunInSession; readonly changing: RunInSession },
) {
  const clockOf = (device: DeviceAddress): ClockOptions => inZoneOf(options, device).clock;
  const change = (device: DeviceAddress, work: (session: Session) => Conversation<Change>) =>
    changeInSession<Session>((task) => asController(device, task), work);

  return {
    relay_state: (device) => reading(device, relayState),
    power: (device, { power }) => change(device, (session) => switchLoad(session, power)),
    limit_state: (device) => reading(device, limitState),
    limit: (device, { limit, limit_mode }) => {
      if (limit_mode !== undefined)
        throw new ProtocolError("unsupported", "the limiter of the standard has no further settings");
      return change(device, (session) => setLimit(session, limit));
    },
    get_datetime: (device) => reading(device, (session) => clockState(session, clockOf(device))),
    time_set: (device, { time_set }) => {
      const clock = clockOf(device);
      const at = localSeconds(time_set) - clock.utcOffsetMinutes * 60;
      return change(device, (session) => setTime(session, clock, at));
    },
    time_correct: (device, { time_correct }) =>
      change(device, (session) => correctTime(session, clockOf(device), time_correct)),
    time_correct2: (device, { time_correct2 }) =>
      change(device, (session) => correctTime(session, clockOf(device), time_correct2)),
    get_shedule_tariff: (device) => reading(device, scheduleState),
    set_shedule_tariff: (device, given) => change(device, (session) => setSchedule(session, given)),
    get_special_day: (device) => reading(device, specialState),
    set_special_day: (device, { shedule, day_list }) =>
      change(device, (session) => setSpecialDays(session, { days: day_list, schedule: shedule })),
  } satisfies CommandFunctions;
}

function* relayState(session: Session): Conversation<DeviceState> {
  return contactState(yield* readRelay(session));
}

function contactState({ isClosed }: Relay): DeviceState {
  const power = isClosed ? 1 : 0;
  return { power, relay_state: power };
}

/** The control state proves the change; the contact may follow within seconds, and is told as it is. */
function* switchLoad(session: Session, power: 0 | 1): Conversation<Change> {
  const wanted: RelayState = power === 1 ? "connected" : "disconnected";
  return {
    sent: yield* changing(switchRelay(session, power === 1)),
    *read(open) {
      const relay = yield* readRelay(open);
      if (relay.state === wanted) return contactState(relay);
      return relay.state === "ready_for_reconnection"
        ? new ProtocolError("refused", "the meter is ready: its button must be pressed to switch on")
        : otherThanSet("the relay");
    },
  };
}

/** Unit of the watched register: watts. Source: Blue Book, table of units. */
const watt = 27;

function* limitState(session: Session): Conversation<DeviceState> {
  const { normalThreshold, unit } = yield* readLimiter(session);
  return unit === watt && normalThreshold !== null ? { last_set_limit: normalThreshold / 1000 } : {};
}

function* setLimit(session: Session, limit: number): Conversation<Change> {
  const { unit } = yield* readLimiter(session);
  if (unit !== watt) throw new ProtocolError("unsupported", "the limiter does not watch a power");
  const [write] = yield* prepareLimit(session, { threshold: limit * 1000 });
  if (write === undefined) throw new ProtocolError("unexpected", "there is nothing to write");
  return {
    sent: yield* changing(session.set(write.attribute, write.value)),
    *read(open) {
      const found = yield* open.value(write.attribute);
      const isSame = JSON.stringify(found) === JSON.stringify(write.value);
      return isSame ? yield* limitState(open) : otherThanSet("the limit");
    },
  };
}

function* clockState(session: Session, clock: ClockOptions): Conversation<DeviceState> {
  return { device_time: yield* timeOf(session, clock) };
}

/** Errors: ProtocolError "unexpected" for a clock that is not set. */
function* timeOf(session: Session, clock: ClockOptions): Conversation<number> {
  const at = yield* readClock(session, clock);
  if (at === null) throw new ProtocolError("unexpected", "the clock of the meter is not set");
  return at;
}

function* setTime(session: Session, clock: ClockOptions, at: number): Conversation<Change> {
  return {
    sent: yield* changing(setClock(session, at, clock)),
    *read(open) {
      const now = yield* timeOf(open, clock);
      return isSetTo(now, at) ? { device_time: now } : otherThanSet("the clock");
    },
  };
}

/**
 * Moves the clock; the meter shifts whole seconds, further ones are set. A correction without an answer is
 * not read back: the time that it took is not known.
 */
function* correctTime(session: Session, clock: ClockOptions, seconds: number): Conversation<Change> {
  const first = yield* timeOf(session, clock);
  const second = yield* timeOf(session, clock);
  const isShift = Number.isInteger(seconds) && Math.abs(seconds) <= longestShiftSec;
  const sent = yield* changing(
    isShift ? shiftClock(session, seconds) : setClock(session, second + seconds, clock),
  );
  if (sent.state !== "done") return { sent };
  return {
    sent,
    *read(open) {
      const after = yield* timeOf(open, clock);
      return isUnmoved({ first, second, after }, seconds)
        ? otherThanSet("the clock")
        : { device_time: after };
    },
  };
}

function* scheduleState(session: Session): Conversation<DeviceState> {
  const schedule = yield* readSchedule(session);
  return schedule === undefined ? {} : { last_shedule_tariff: schedule };
}

function* specialState(session: Session): Conversation<DeviceState> {
  const { days, schedule } = yield* readSpecialSchedule(session);
  return {
    last_special_shedule_day: days,
    ...(schedule === undefined ? {} : { last_special_shedule_tariff: schedule }),
  };
}

function* setSchedule(session: Session, schedule: TariffSchedule): Conversation<Change> {
  const calendar = yield* prepareSchedule(session, schedule);
  return {
    sent: yield* changing(writeCalendar(session, calendar)),
    *read(open) {
      const found = yield* readSchedule(open);
      return found && isSameSchedule(found, schedule)
        ? { last_shedule_tariff: schedule }
        : otherThanSet("the tariff schedule");
    },
  };
}

function* setSpecialDays(session: Session, wanted: Required<SpecialSchedule>): Conversation<Change> {
  const { calendar, table } = yield* prepareSpecialSchedule(session, wanted);
  return {
    sent: yield* changingInTurn([writeCalendar(session, calendar), writeSpecialDays(session, table)]),
    found: specialState,
    *read(open) {
      const { days, schedule } = yield* readSpecialSchedule(open);
      const isSame =
        days.toSorted().join() === wanted.days.toSorted().join() &&
        (days.length === 0 || (schedule !== undefined && isSameSchedule(schedule, wanted.schedule)));
      return isSame
        ? { last_special_shedule_day: wanted.days, last_special_shedule_tariff: wanted.schedule }
        : otherThanSet("the special days");
    },
  };
}
