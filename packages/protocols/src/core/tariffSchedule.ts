import { tariffIntervals, tariffKeys, type TariffSchedule } from "@metrum/vocabulary";

/** A tariff in force from a minute of the day on; 0 is the first tariff. */
export interface TariffStart {
  readonly minute: number;
  readonly tariff: number;
}

const dayMinutes = 1440;

/** The moments of a day at which the tariff changes, from midnight on. */
export const startsOf = (schedule: TariffSchedule): TariffStart[] =>
  tariffIntervals(schedule).map(({ from, tariff }) => ({ minute: from, tariff: tariff - 1 }));

const clockOf = (minute: number): string => {
  const within = minute % dayMinutes;
  return `${String(Math.floor(within / 60)).padStart(2, "0")}:${String(within % 60).padStart(2, "0")}`;
};

/**
 * The schedule of a day; the inverse of `startsOf`. Undefined for a day that does not begin at midnight, or
 * has more than four tariffs or none.
 */
export function scheduleOf(starts: readonly TariffStart[]): TariffSchedule | undefined {
  const changes = starts
    .toSorted((a, b) => a.minute - b.minute)
    .filter(({ tariff }, at, all) => at === 0 || all[at - 1]?.tariff !== tariff);
  const [first] = changes;
  if (first?.minute !== 0 || changes.some(({ tariff }) => tariff < 0 || tariff >= tariffKeys.length))
    return undefined;
  const ends = changes.map(({ tariff }, at) => ({ tariff, minute: changes[at + 1]?.minute ?? dayMinutes }));
  // The night goes on past midnight: it has one end.
  const isOverMidnight = ends.length > 1 && ends.at(-1)?.tariff === first.tariff;
  const counted = isOverMidnight ? ends.slice(0, -1) : ends;
  const timesOf = (tariff: number) =>
    counted.filter((end) => end.tariff === tariff).map(({ minute }) => clockOf(minute));
  return Object.fromEntries(
    tariffKeys.flatMap((key, tariff) => {
      const times = timesOf(tariff);
      return times.length > 0 ? [[key, times]] : [];
    }),
  );
}

/** Whether two schedules switch alike, however they are written. */
export const isSameSchedule = (one: TariffSchedule, other: TariffSchedule): boolean =>
  JSON.stringify(startsOf(one)) === JSON.stringify(startsOf(other));
