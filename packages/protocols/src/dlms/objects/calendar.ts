import { ByteReader, ByteWriter } from "../../core/bytes.ts";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { dateTimeBytes, readDate, readDateTime, readTime, writeDate, writeTime } from "../data/dateTime.ts";
import type { Session } from "../session/session.ts";
import type { CosemAttribute, DlmsData, DlmsDate, DlmsDateTime, DlmsTime } from "../types.ts";
import { integerOf, itemsOf, logicalName, logicalNameOf, octetsOf } from "./values.ts";

/** A tariff that begins at a time of day: the script that activates it. */
export interface DayAction {
  readonly start: DlmsTime;
  readonly script: string;
  readonly selector: number;
}
export interface DayProfile {
  readonly dayId: number;
  readonly actions: readonly DayAction[];
}
/** Day profiles of the week from Monday to Sunday. */
export interface WeekProfile {
  readonly name: Uint8Array;
  readonly days: readonly number[];
}
export interface Season {
  readonly name: Uint8Array;
  readonly start: DlmsDateTime;
  readonly week: Uint8Array;
}
/** A tariff schedule: seasons refer to weeks, weeks to days, days switch tariffs. */
export interface Calendar {
  readonly name: Uint8Array;
  readonly seasons: readonly Season[];
  readonly weeks: readonly WeekProfile[];
  readonly days: readonly DayProfile[];
}
export interface SpecialDay {
  readonly index: number;
  readonly date: DlmsDate;
  readonly dayId: number;
}

const calendar = { classId: 20, obis: "0.0.13.0.0.255" } as const;
const specialDays: CosemAttribute = { classId: 11, obis: "0.0.11.0.0.255", attribute: 2 };

const octets = (value: Uint8Array): DlmsData => ({ type: "octets", value });
const byte = (value: number): DlmsData => ({ type: "uint8", value });
const word = (value: number): DlmsData => ({ type: "uint16", value });
const structure = (...items: DlmsData[]): DlmsData => ({ type: "structure", items });
const array = (items: readonly DlmsData[]): DlmsData => ({ type: "array", items });

/** The reader of a fixed octet string. Errors: ProtocolError "unexpected" for another length. */
function fixed(data: DlmsData | undefined, bytes: number, what: string): ByteReader {
  const value = octetsOf(data, what);
  if (value.length !== bytes)
    throw new ProtocolError("unexpected", `${what} has ${String(value.length)} bytes, not ${String(bytes)}`);
  return new ByteReader(value);
}

function seasonOf(data: DlmsData): Season {
  const [name, start, week] = itemsOf(data, "season");
  return {
    name: octetsOf(name, "name of a season"),
    start: readDateTime(fixed(start, 12, "start of a season")),
    week: octetsOf(week, "week of a season"),
  };
}

function weekOf(data: DlmsData): WeekProfile {
  const [name, ...days] = itemsOf(data, "week");
  if (days.length !== 7) throw new ProtocolError("unexpected", `a week of ${String(days.length)} days`);
  return {
    name: octetsOf(name, "name of a week"),
    days: days.map((each) => integerOf(each, "day of a week")),
  };
}

function dayOf(data: DlmsData): DayProfile {
  const [dayId, actions] = itemsOf(data, "day");
  return {
    dayId: integerOf(dayId, "day id"),
    actions: itemsOf(actions, "actions of a day").map((each) => {
      const [start, script, selector] = itemsOf(each, "action");
      return {
        start: readTime(fixed(start, 4, "start of an action")),
        script: logicalNameOf(script, "script"),
        selector: integerOf(selector, "script selector"),
      };
    }),
  };
}

/**
 * The active or the passive schedule.
 * Source: Blue Book 4.5.5, attributes 2..5 active, 6..9 passive: name, seasons, weeks, days. Errors:
 * ProtocolError "unexpected" for another shape; as `Session.value`.
 */
export function* readCalendar(session: Session, which: "active" | "passive"): Conversation<Calendar> {
  const first = which === "active" ? 2 : 6;
  const at = (offset: number): CosemAttribute => ({ ...calendar, attribute: first + offset });
  return {
    name: octetsOf(yield* session.value(at(0)), "name of the calendar"),
    seasons: itemsOf(yield* session.value(at(1)), "seasons").map(seasonOf),
    weeks: itemsOf(yield* session.value(at(2)), "weeks").map(weekOf),
    days: itemsOf(yield* session.value(at(3)), "days").map(dayOf),
  };
}

/**
 * Writes a schedule into the passive set and activates it: at once, or at a date-time of the meter's clock.
 * Source: Blue Book 4.5.5, attributes 6..9, then method 1 activate_passive_calendar (int8 0) or attribute 10.
 * Nothing changes before the last step, so that a broken session leaves the meter with its old tariffs.
 * Errors: ProtocolError "unexpected" for a season without its week or a week without its days; as
 * `Session.set` and `Session.action`.
 */
export function* writeCalendar(
  session: Session,
  schedule: Calendar,
  activateAt?: DlmsDateTime,
): Conversation<void> {
  checkCalendar(schedule);
  const parts: readonly DlmsData[] = [
    octets(schedule.name),
    array(
      schedule.seasons.map(({ name, start, week }) =>
        structure(octets(name), octets(dateTimeBytes(start)), octets(week)),
      ),
    ),
    array(schedule.weeks.map(({ name, days }) => structure(octets(name), ...days.map(byte)))),
    array(schedule.days.map(dayData)),
  ];
  for (const [at, part] of parts.entries()) yield* session.set({ ...calendar, attribute: 6 + at }, part);
  if (activateAt === undefined) yield* session.action({ ...calendar, method: 1 }, { type: "int8", value: 0 });
  else yield* session.set({ ...calendar, attribute: 10 }, octets(dateTimeBytes(activateAt)));
}

const dayData = ({ dayId, actions }: DayProfile): DlmsData =>
  structure(
    byte(dayId),
    array(
      actions.map(({ start, script, selector }) =>
        structure(octets(writeTime(new ByteWriter(4), start).finish()), logicalName(script), word(selector)),
      ),
    ),
  );

function checkCalendar({ seasons, weeks, days }: Calendar): void {
  const fail = (message: string): never => {
    throw new ProtocolError("unexpected", message);
  };
  const named = new Set(weeks.map(({ name }) => name.join()));
  const known = new Set(days.map(({ dayId }) => dayId));
  for (const { week } of seasons)
    if (!named.has(week.join())) fail("a season names a week that there is not");
  for (const week of weeks) {
    if (week.days.length !== 7) fail(`a week of ${String(week.days.length)} days`);
    const missing = week.days.find((day) => !known.has(day));
    if (missing !== undefined) fail(`a week names day ${String(missing)}, which there is not`);
  }
}

/** Source: Blue Book 4.5.4: index, date of 5 bytes, day id. Errors: as `readCalendar`. */
export function* readSpecialDays(session: Session): Conversation<SpecialDay[]> {
  return itemsOf(yield* session.value(specialDays), "special days").map((each) => {
    const [index, date, dayId] = itemsOf(each, "special day");
    return {
      index: integerOf(index, "index"),
      date: readDate(fixed(date, 5, "date")),
      dayId: integerOf(dayId, "day id"),
    };
  });
}

/** Writes the whole table of special days. Source: Blue Book 4.5.4. Errors: as `Session.set`. */
export function* writeSpecialDays(session: Session, days: readonly SpecialDay[]): Conversation<void> {
  const rows = days.map(({ index, date, dayId }) =>
    structure(word(index), octets(writeDate(new ByteWriter(5), date).finish()), byte(dayId)),
  );
  yield* session.set(specialDays, array(rows));
}
