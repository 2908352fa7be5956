import {
  tariffIntervals,
  tariffKeys,
  tariffTimeFaults,
  type TariffKey,
  type TariffSchedule,
} from "@metrum/vocabulary";

/** A time of a tariff by its place: `tariff0.0` is its first end, `tariff0.1` its second. */
export type TimeName = `${TariffKey}.${0 | 1}`;

/** Number of tariffs, 0 before it is chosen, and their times; an empty second one is absent. */
export type TariffValues = { readonly count: number } & { readonly [Name in TimeName]: string };

export const mostTariffs = tariffKeys.length;

const defaultTimes = {
  "tariff0.0": "10:00",
  "tariff0.1": "21:00",
  "tariff1.0": "07:00",
  "tariff1.1": "",
  "tariff2.0": "17:00",
  "tariff2.1": "23:00",
  "tariff3.0": "00:00",
  "tariff3.1": "",
} as const;
const firstOf = (key: TariffKey) => `${key}.0` as const;
const secondOf = (key: TariffKey) => `${key}.1` as const;

/** The tariffs whose times are shown: none of a single one. */
export const shownTariffs = (count: number): readonly TariffKey[] =>
  count < 2 ? [] : tariffKeys.slice(0, count);

/** The values of a schedule; without one, no number of tariffs and the usual times. */
export function valuesOf(schedule: TariffSchedule | undefined): TariffValues {
  const given = tariffKeys.filter((key) => (schedule?.[key]?.length ?? 0) > 0);
  const count = tariffKeys.findLastIndex((key) => given.includes(key)) + 1;
  const times: Partial<Record<TimeName, string>> = {};
  // A tariff without times among others stays without: those of a new schedule would change the day unseen.
  for (const key of tariffKeys.slice(0, count)) {
    times[firstOf(key)] = schedule?.[key]?.[0] ?? "";
    times[secondOf(key)] = schedule?.[key]?.[1] ?? "";
  }
  return { ...defaultTimes, ...(count > 1 ? times : {}), count };
}

/** Another number of tariffs: the first time becomes the usual one of that number. */
export function withCount(count: number): Partial<TariffValues> {
  if (count === 2) return { count, "tariff0.0": "23:00", "tariff0.1": "" };
  return { count, "tariff0.0": defaultTimes["tariff0.0"], "tariff0.1": defaultTimes["tariff0.1"] };
}

const timesOf = (values: TariffValues, key: TariffKey): string[] =>
  [values[firstOf(key)], values[secondOf(key)]].filter((time) => time !== "");

/** The schedule of the values; a single tariff lasts the whole day. */
export function scheduleOf(values: TariffValues) {
  if (values.count < 2) return { tariff0: ["00:00"] };
  return {
    tariff0: timesOf(values, "tariff0"),
    tariff1: timesOf(values, "tariff1"),
    ...(values.count > 2 ? { tariff2: timesOf(values, "tariff2") } : {}),
    ...(values.count > 3 ? { tariff3: timesOf(values, "tariff3") } : {}),
  };
}

const timeFaults: readonly string[] = ["required", "time_twice", "time_order"];
/** Whether a code is a fault of a time; refusals of the server may have others. */
export const isTimeFault = (code: string): boolean => timeFaults.includes(code);

/** Missing, equal and misplaced times, as codes by their names. */
export function faultsOf(values: TariffValues): Partial<Record<TimeName, string>> {
  const faults: Partial<Record<TimeName, string>> = {};
  for (const { key, at, fault } of tariffTimeFaults(scheduleOf(values)))
    // A time alone in its tariff may stand at its second place.
    faults[at === 0 && values[firstOf(key)] !== "" ? firstOf(key) : secondOf(key)] = fault;
  for (const key of shownTariffs(values.count))
    if (values[firstOf(key)] === "") faults[firstOf(key)] = "required";
  return faults;
}

/** The names of the times below a field of a call. */
export const namesUnder = (parent: string): Readonly<Record<string, TimeName>> =>
  Object.fromEntries(
    tariffKeys.flatMap((key) => [firstOf(key), secondOf(key)].map((name) => [`${parent}.${name}`, name])),
  );

/** Minutes of the day that a tariff applies. */
export const minutesOf = (schedule: TariffSchedule, tariff: number): number =>
  tariffIntervals(schedule)
    .filter((each) => each.tariff === tariff)
    .reduce((sum, { from, to }) => sum + to - from, 0);

/** 07:00; the end of the day is 24:00. */
export const clockOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((each) => String(each).padStart(2, "0")).join(":");
