import { dayOf, instantOf, type Day } from "../time/calendar.ts";
import { isZone } from "../time/timeZone.ts";
import { readCron } from "./cron.ts";

/** Time of the day on the wall clocks of the zone: `08:30`. */
interface At {
  readonly at: string;
}

/**
 * When something is to be done, on the wall clocks of an IANA zone. Plain data, which can be stored.
 *
 * - A time that does not exist, because the clocks are put forward, means the first one after it.
 * - A time that occurs twice, because they are put back, means the first of the two, so nothing is done twice. An
 *   expression for every hour leaves out the repeated one: what is to be done so often is scheduled in Etc/UTC.
 */
export type Schedule = { readonly zone: string } & (
  | { readonly kind: "cron"; readonly cron: string }
  | ({ readonly kind: "daily" } & At)
  /** Monday to Friday. */
  | ({ readonly kind: "weekdays" } & At)
  /** 1 is Monday, 7 is Sunday. */
  | ({ readonly kind: "weekly"; readonly day: number } & At)
  /** Of a shorter month its last day. */
  | ({ readonly kind: "monthly"; readonly day: number } & At)
  | ({ readonly kind: "lastDay" } & At)
  /** The first, second … of the days from Monday to Friday of a month; 20 at most, as many as each month has. */
  | ({ readonly kind: "workingDay"; readonly nth: number } & At)
);

/** Days and, on each of them, seconds of the day, ascending. */
interface Rule {
  readonly isOn: (day: Day) => boolean;
  readonly seconds: readonly number[];
}

/** Leap days are eight years apart at most. */
const horizonDays = 8 * 366 + 1;

/**
 * The first moment after an instant; epoch seconds UTC. Errors: RangeError for an unknown zone, a wrong time or
 * expression, or one that never comes (31 February).
 */
export function nextMoment(schedule: Schedule, after: number): number {
  const rule = ruleOf(schedule);
  const { zone } = schedule;
  const first = dayOf(zone, after) - 1;
  for (let day = first; day <= first + horizonDays; day++) {
    const found = momentsOfDay(zone, rule, day).find((moment) => moment > after);
    if (found !== undefined) return found;
  }
  throw new RangeError("the schedule has no moment");
}

/** The latest moments after `from` until `to`, so many at most, in their order. Errors: as `nextMoment`. */
export function momentsBetween(
  schedule: Schedule,
  { from, to }: { readonly from: number; readonly to: number },
  most: number,
): number[] {
  const rule = ruleOf(schedule);
  const { zone } = schedule;
  const found = new Set<number>();
  for (let day = dayOf(zone, to); day >= dayOf(zone, from) - 1 && found.size < most; day--)
    for (const moment of momentsOfDay(zone, rule, day).toReversed())
      if (moment > from && moment <= to && found.size < most) found.add(moment);
  return [...found].sort((a, b) => a - b);
}

const momentsOfDay = (zone: string, { isOn, seconds }: Rule, day: Day): number[] =>
  isOn(day) ? seconds.map((second) => instantOf(zone, day, second)) : [];

function ruleOf(schedule: Schedule): Rule {
  if (!isZone(schedule.zone)) throw new RangeError(`no time zone has the name ${schedule.zone}`);
  if (schedule.kind === "cron") return ruleOfCron(schedule.cron);
  return { isOn: daysOf(schedule), seconds: [secondOf(schedule.at)] };
}

function ruleOfCron(expression: string): Rule {
  const cron = readCron(expression);
  return {
    seconds: cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 3600 + minute * 60)),
    isOn(day) {
      const { dayOfMonth, month, dayOfWeek } = dateOf(day);
      if (!cron.months.has(month)) return false;
      const [isOfMonth, isOfWeek] = [cron.daysOfMonth.has(dayOfMonth), cron.daysOfWeek.has(dayOfWeek)];
      return cron.isEitherDay ? isOfMonth || isOfWeek : isOfMonth && isOfWeek;
    },
  };
}

function daysOf(schedule: Exclude<Schedule, { kind: "cron" }>): (day: Day) => boolean {
  switch (schedule.kind) {
    case "daily":
      return () => true;
    case "weekdays":
      return isWorkingDay;
    case "weekly": {
      const wanted = whole(schedule.day, 7) % 7;
      return (day) => dateOf(day).dayOfWeek === wanted;
    }
    case "monthly": {
      const wanted = whole(schedule.day, 31);
      return (day) => {
        const { dayOfMonth, lastOfMonth } = dateOf(day);
        return dayOfMonth === Math.min(wanted, lastOfMonth);
      };
    }
    case "lastDay":
      return (day) => dateOf(day).dayOfMonth === dateOf(day).lastOfMonth;
    case "workingDay": {
      const wanted = whole(schedule.nth, 20);
      return (day) => isWorkingDay(day) && workingDaysUntil(day) === wanted;
    }
  }
}

const isWorkingDay = (day: Day): boolean => dateOf(day).dayOfWeek % 6 !== 0;

/** Days from Monday to Friday of its month until a day, itself included. */
function workingDaysUntil(day: Day): number {
  const { dayOfMonth } = dateOf(day);
  return Array.from({ length: dayOfMonth }, (_, n) => day - n).filter(isWorkingDay).length;
}

function dateOf(day: Day) {
  const date = new Date(day * 86_400_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    month: month + 1,
    dayOfMonth: date.getUTCDate(),
    dayOfWeek: date.getUTCDay(),
    lastOfMonth: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  };
}

function secondOf(at: string): number {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at);
  if (!found) throw new RangeError(`${at} is no time of the day`);
  return Number(found[1]) * 3600 + Number(found[2]) * 60;
}

function whole(value: number, most: number): number {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new RangeError(`${String(value)} is not a whole number from 1 to ${String(most)}`);
  return value;
}
