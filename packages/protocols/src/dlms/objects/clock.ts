import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { clockStatus, dateTimeBytes, dateTimeOf, fromEpoch, toEpoch } from "../data/dateTime.ts";
import type { Session } from "../session/session.ts";
import type { CosemAttribute, DlmsData } from "../types.ts";

/** Clock properties of a family of meters. */
export interface ClockOptions {
  /** Standard time of a clock that sends no deviation, minutes east of Greenwich. */
  readonly utcOffsetMinutes: number;
  /**
   * Minutes added while status bit 7 reports daylight saving, for clocks that send no deviation; default 60.
   */
  readonly daylightMinutes?: number;
  /** The meter sends the deviation with the wrong sign: UTC+2 as +120. */
  readonly isDeviationReversed?: boolean;
  /** The meter sends a meaningless deviation; its clock runs in `utcOffsetMinutes`. */
  readonly isDeviationIgnored?: boolean;
}

export const clockAttribute = (attribute: number): CosemAttribute => ({
  classId: 8,
  obis: "0.0.1.0.0.255",
  attribute,
});

/**
 * Epoch seconds UTC of a date-time value; null when it is not set, or marked as unreliable.
 * Source: Blue Book 4.1.6.1. Layout: a date-time, or an octet string of 12 bytes; a plain 32-bit number is
 * Unix time. Errors: none.
 */
export function instantOf(data: DlmsData | undefined, clock: ClockOptions): number | null {
  if (data === undefined) return null;
  if (data.type === "uint32") return data.value;
  const at = dateTimeOf(data);
  if (at === null) return null;
  const isDaylight = at.status !== null && (at.status & clockStatus.daylightSaving) !== 0;
  const east = clock.utcOffsetMinutes + (isDaylight ? (clock.daylightMinutes ?? 60) : 0);
  const sent = clock.isDeviationIgnored === true ? { ...at, deviation: null } : at;
  return toEpoch(sent, { deviation: -east, isDeviationReversed: clock.isDeviationReversed ?? false });
}

/** An instant as this meter writes it, in its standard time, in 12 bytes. */
export function instantData(seconds: number, clock: ClockOptions): DlmsData {
  const at = fromEpoch(seconds, { deviation: -clock.utcOffsetMinutes, status: 0 });
  const sign = clock.isDeviationReversed === true ? -1 : 1;
  const deviation = clock.isDeviationIgnored === true ? null : sign * -clock.utcOffsetMinutes;
  return { type: "octets", value: dateTimeBytes({ ...at, deviation }) };
}

/** The meter's clock, epoch seconds UTC; null when it is not set. Errors: as `Session.value`. */
export function* readClock(session: Session, clock: ClockOptions): Conversation<number | null> {
  return instantOf(yield* session.value(clockAttribute(2)), clock);
}

/** Longest shift of method 6. Source: Blue Book 4.5.1. */
export const longestShiftSec = 900;

/**
 * Moves the clock by a few seconds, forwards or back, so that no interval is torn.
 * Source: Blue Book 4.5.1, method 6 shift_time (int16, -900..900 s). Sent once, never repeated blindly.
 * Errors: ProtocolError "unexpected" beyond 900 s; as `Session.action`.
 */
export function* shiftClock(session: Session, seconds: number): Conversation<void> {
  const whole = Math.round(seconds);
  if (Math.abs(whole) > longestShiftSec)
    throw new ProtocolError("unexpected", `a clock is shifted by ${String(longestShiftSec)} s at most`);
  yield* session.action({ classId: 8, obis: "0.0.1.0.0.255", method: 6 }, { type: "int16", value: whole });
}

/**
 * Sets the clock to an instant (epoch seconds UTC). Errors: as `Session.set`. The caller compensates the
 * duration of the exchange; `shiftClock` is more precise.
 */
export function* setClock(session: Session, at: number, clock: ClockOptions): Conversation<void> {
  yield* session.set(clockAttribute(2), instantData(at, clock));
}
