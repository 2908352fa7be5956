import type { TariffSchedule } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { scheduleOf, startsOf } from "../../core/tariffSchedule.ts";
import type { Session } from "../session/session.ts";
import type { DlmsDate, DlmsTime } from "../types.ts";
import {
  readCalendar,
  readSpecialDays,
  type Calendar,
  type DayProfile,
  type SpecialDay,
} from "./calendar.ts";

/** Script table of the tariffs: selector 1 is the first tariff. Source: Blue Book 6.2.7. */
const tariffScripts = "0.0.10.0.100.255";
const ordinaryDay = 1;

const timeAt = (minute: number): DlmsTime => ({
  hour: Math.floor(minute / 60),
  minute: minute % 60,
  second: 0,
  hundredths: 0,
});

/** A day of a schedule. Errors: ProtocolError "unexpected" for an empty one. */
export function dayProfileOf(dayId: number, schedule: TariffSchedule): DayProfile {
  const starts = startsOf(schedule);
  if (starts.length === 0) throw new ProtocolError("unexpected", "a schedule without a tariff");
  return {
    dayId,
    actions: starts.map(({ minute, tariff }) => ({
      start: timeAt(minute),
      script: tariffScripts,
      selector: tariff + 1,
    })),
  };
}

/** The schedule of a day; undefined if it cannot be written as one, or switches other scripts. */
export function scheduleOfDay({ actions }: DayProfile): TariffSchedule | undefined {
  if (actions.some(({ script }) => script !== tariffScripts)) return undefined;
  return scheduleOf(
    actions.map(({ start, selector }) => ({
      minute: (start.hour ?? 0) * 60 + (start.minute ?? 0),
      tariff: selector - 1,
    })),
  );
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A calendar with the same schedule on every day of the year, and further days for special ones. */
const uniform = (schedule: TariffSchedule, further: readonly DayProfile[]): Calendar => ({
  name: bytes("1"),
  seasons: [
    {
      name: bytes("1"),
      start: {
        ...{ year: null, month: 1, day: 1, weekday: null },
        ...{ ...timeAt(0), deviation: null, status: null },
      },
      week: bytes("1"),
    },
  ],
  weeks: [{ name: bytes("1"), days: Array.from({ length: 7 }, () => ordinaryDay) }],
  days: [dayProfileOf(ordinaryDay, schedule), ...further],
});

/** The schedule in force, if it is the same on every ordinary day. Errors: as `readCalendar`. */
export function* readSchedule(session: Session): Conversation<TariffSchedule | undefined> {
  return everyDay(yield* readCalendar(session, "active"));
}

function everyDay({ weeks, days }: Calendar): TariffSchedule | undefined {
  const used = new Set(weeks.flatMap((week) => week.days));
  const day = days.find(({ dayId }) => used.has(dayId));
  return used.size === 1 && day ? scheduleOfDay(day) : undefined;
}

/**
 * A calendar with one schedule for every ordinary day; days that special days refer to are kept. Nothing is
 * changed yet. Errors: as `readSpecialDays` and `readCalendar`; ProtocolError "unexpected" for an empty
 * schedule.
 */
export function* prepareSchedule(session: Session, schedule: TariffSchedule): Conversation<Calendar> {
  const used = new Set((yield* specialDaysOf(session)).map(({ dayId }) => dayId));
  const { days } = yield* readCalendar(session, "active");
  return uniform(
    schedule,
    days.filter(({ dayId }) => dayId !== ordinaryDay && used.has(dayId)),
  );
}

/** A meter without the table has no special days. */
function* specialDaysOf(session: Session): Conversation<readonly SpecialDay[]> {
  try {
    return yield* readSpecialDays(session);
  } catch (error) {
    if (error instanceof ProtocolError && error.kind === "unsupported") return [];
    throw error;
  }
}

/** Special days and their schedule. `days` are MM-DD; a schedule that cannot be read as one is absent. */
export interface SpecialSchedule {
  readonly days: readonly string[];
  readonly schedule?: TariffSchedule;
}

const two = (value: number | null): string => (value === null ? "??" : String(value).padStart(2, "0"));

/** Errors: as `readSpecialDays` and `readCalendar`. */
export function* readSpecialSchedule(session: Session): Conversation<SpecialSchedule> {
  const special = yield* readSpecialDays(session);
  const { days } = yield* readCalendar(session, "active");
  const used = new Set(special.map(({ dayId }) => dayId));
  const day = days.find(({ dayId }) => used.has(dayId));
  const schedule = used.size === 1 && day ? scheduleOfDay(day) : undefined;
  return {
    days: special.map(({ date }) => `${two(date.month)}-${two(date.day)}`),
    ...(schedule === undefined ? {} : { schedule }),
  };
}

/**
 * The calendar and the table of special days, which come every year. The calendar is to be activated first,
 * so that the table never refers to a missing day. Nothing is changed yet. Errors: as `readCalendar`;
 * ProtocolError "unexpected" for an empty schedule.
 */
export function* prepareSpecialSchedule(
  session: Session,
  { days, schedule }: Required<SpecialSchedule>,
): Conversation<{ readonly calendar: Calendar; readonly table: readonly SpecialDay[] }> {
  const active = yield* readCalendar(session, "active");
  const ordinary = new Set([ordinaryDay, ...active.weeks.flatMap((week) => week.days)]);
  const dayId = Math.max(...ordinary) + 1;
  const others = active.days.filter((day) => ordinary.has(day.dayId));
  return {
    calendar: { ...active, days: [...others, dayProfileOf(dayId, schedule)] },
    table: days.map((day, at) => ({ index: at + 1, date: dateOf(day), dayId })),
  };
}

function dateOf(day: string): DlmsDate {
  const [month = 0, date = 0] = day.split("-").map(Number);
  return { year: null, month, day: date, weekday: null };
}
