/** Keys of a tariff schedule on the wire, in the order of the tariffs. */
export const tariffKeys = ["tariff0", "tariff1", "tariff2", "tariff3"] as const;
export type TariffKey = (typeof tariffKeys)[number];

/** Times of one tariff at most. */
export const mostTariffTimes = 2;

/**
 * A day of tariffs, repeated every day. Times are HH:mm on the clock of the device and mark the end of an
 * interval of their tariff, which begins at the preceding end, on the day before if there is none.
 * 00:00 is the end of the day.
 */
export type TariffSchedule = { readonly [Key in TariffKey]?: readonly string[] | undefined };

/** A part of the day with its tariff, 1 to 4; minutes of the day. */
export interface TariffInterval {
  readonly tariff: number;
  readonly from: number;
  readonly to: number;
}

/** A time of the schedule that cannot stay: which of its tariff, and why. */
export interface TariffTimeFault {
  readonly key: TariffKey;
  readonly at: number;
  readonly fault: "time_twice" | "time_order";
}

const minutesOfDay = 1440;
const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Whether a text is a time of the 24-hour clock, HH:mm. */
export const isClockTime = (text: string): boolean => clockTime.test(text);

/** Minutes from the start of the day to an end; 00:00 is 1440. */
export function endMinute(time: string): number {
  const [, hours = 0, minutes = 0] = clockTime.exec(time) ?? [];
  return Number(hours) * 60 + Number(minutes) || minutesOfDay;
}

interface End {
  readonly key: TariffKey;
  readonly at: number;
  readonly tariff: number;
  readonly minute: number;
}

const endsOf = (schedule: TariffSchedule): End[] =>
  tariffKeys.flatMap((key, index) =>
    (schedule[key] ?? []).map((time, at) => ({ key, at, tariff: index + 1, minute: endMinute(time) })),
  );

/** Times that occur twice, and second times of a tariff that do not follow its first. */
export function tariffTimeFaults(schedule: TariffSchedule): TariffTimeFault[] {
  const ends = endsOf(schedule);
  return ends.flatMap(({ key, at, minute }, index): TariffTimeFault[] => {
    const earlier = ends.slice(0, index);
    if (earlier.some((each) => each.minute === minute)) return [{ key, at, fault: "time_twice" }];
    const isLate = earlier.some((each) => each.key === key && each.minute > minute);
    return isLate ? [{ key, at, fault: "time_order" }] : [];
  });
}

/** The intervals of the day in their order; empty without times. */
export function tariffIntervals(schedule: TariffSchedule): TariffInterval[] {
  const ends = endsOf(schedule).toSorted((a, b) => a.minute - b.minute);
  const [first] = ends;
  if (!first) return [];
  const intervals = ends.map(({ tariff, minute }, index) => ({
    tariff,
    from: ends[index - 1]?.minute ?? 0,
    to: minute,
  }));
  const last = ends.at(-1)?.minute ?? 0;
  const overMidnight = last < minutesOfDay ? [{ tariff: first.tariff, from: last, to: minutesOfDay }] : [];
  return joined([...intervals, ...overMidnight]);
}

/** Adjacent intervals of one tariff are one. */
function joined(intervals: readonly TariffInterval[]): TariffInterval[] {
  const found: TariffInterval[] = [];
  for (const each of intervals) {
    const before = found.at(-1);
    if (before?.tariff === each.tariff) found.splice(-1, 1, { ...before, to: each.to });
    else found.push(each);
  }
  return found;
}

/** A part of the day in which two schedules differ, with the tariff of each. */
export interface TariffDifference {
  readonly from: number;
  readonly to: number;
  readonly wanted: number;
  readonly present: number;
}

/** Parts of the day in which a device has another tariff than wanted; empty if either has no times. */
export function tariffDifferences(wanted: TariffSchedule, present: TariffSchedule): TariffDifference[] {
  return tariffIntervals(wanted).flatMap((own) =>
    tariffIntervals(present)
      .filter(({ tariff, from, to }) => tariff !== own.tariff && from < own.to && to > own.from)
      .map((other) => ({
        from: Math.max(own.from, other.from),
        to: Math.min(own.to, other.to),
        wanted: own.tariff,
        present: other.tariff,
      })),
  );
}
