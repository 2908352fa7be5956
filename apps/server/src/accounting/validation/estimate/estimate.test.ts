import { statuses, type FieldName } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { dayOf, offsetSec, startOfDay } from "#core";
import { withoutRollover } from "#metering/messages";
import { estimateBy, type Sources } from "./estimate.ts";
import type { Judged, Step, Value } from "../judged/judged.ts";
import { judgedProfile, judgedRegister, profileField, profileSteps, type Given } from "../judged/series.ts";
import type { Frame } from "./slots.ts";

const [day, hour, half] = [86_400, 3600, 1800];
const dayNumber = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 1000 / day;

/** Power by the clock of the zone, the same every week, in whole kilowatts: another one each hour of the week. */
function powerAt(zone: string, at: number): number {
  const shown = at + offsetSec(zone, at);
  const hourOfWeek = Math.floor(shown / hour) % (7 * 24);
  return 10 + ((hourOfWeek * 37) % 101);
}

interface Place {
  readonly zone: string;
  readonly date: string;
  readonly hours: number;
}
/** Days on which the clocks change or the law changes them, and an ordinary one. */
const places: readonly Place[] = [
  { zone: "Europe/Berlin", date: "2026-03-29", hours: 23 },
  { zone: "Europe/Berlin", date: "2026-10-25", hours: 25 },
  { zone: "Europe/Berlin", date: "2026-07-01", hours: 24 },
  { zone: "Asia/Ulaanbaatar", date: "2016-03-26", hours: 23 },
  { zone: "Asia/Ulaanbaatar", date: "2016-09-23", hours: 25 },
  { zone: "America/Sao_Paulo", date: "2018-11-04", hours: 23 },
  { zone: "America/Sao_Paulo", date: "2018-02-17", hours: 25 },
  { zone: "Asia/Almaty", date: "2024-02-29", hours: 25 },
  { zone: "Pacific/Apia", date: "2011-12-31", hours: 24 },
  { zone: "Pacific/Apia", date: "2020-09-27", hours: 23 },
];
/** The day itself, and those that are compared with it. */
const later = [0, 7, 14];
const cases = places.flatMap((place) =>
  later.map((days) => ({ ...place, days, what: days === 0 ? "itself" : `${String(days)} days later` })),
);

const aValue = (field: FieldName, ts: number, value: number): Value => ({
  ts,
  msgType: field === profileField ? 5 : 1,
  field,
  value,
  status: statuses.measured.id,
  source: 1,
  receivedAt: ts + 1,
  meterAt: null,
});

/** Half-hours of a span, as the meter keeps them. */
const profileOf = (zone: string, from: number, to: number): Value[] =>
  Array.from({ length: (to - from) / half }, (_, n) => from + n * half).map((ts) =>
    aValue(profileField, ts, powerAt(zone, ts)),
  );

/** The counter at each hour of a span. */
function registerOf(zone: string, from: number, to: number): Value[] {
  let level = 1000;
  const values: Value[] = [];
  for (let ts = from; ts <= to; ts += hour) {
    values.push(aValue("tariff0", ts, level));
    level += powerAt(zone, ts);
  }
  return values;
}

function given(zone: string, field: FieldName, values: readonly Value[]): Given {
  return {
    resource: "electricity",
    zone,
    now: values.at(-1)?.ts ?? 0,
    field: "tariff0",
    span: { from: 0, to: 0 },
    ratio: 1,
    siblings: [],
    known: [],
    rangeOf: () => withoutRollover,
    levels: new Map([[field, values]]),
    clock: [],
  };
}

interface Hole {
  readonly zone: string;
  readonly from: number;
  readonly to: number;
}
function holeOf({ zone, date, days }: Place & { readonly days: number }): Hole {
  const first = dayNumber(date) + days;
  return { zone, from: startOfDay(zone, first), to: startOfDay(zone, first + 1) };
}
const isOutside =
  ({ from, to }: Hole) =>
  ({ ts }: { readonly ts: number }): boolean =>
    ts < from || ts >= to;

/** The half-hours of a hole, without any sum that they must have. */
function profileHole(hole: Hole, beside: Partial<Sources> = {}): Sources {
  const values = profileOf(hole.zone, hole.from - 46 * day, hole.to + 2 * day).filter(isOutside(hole));
  const judged = judgedProfile(given(hole.zone, profileField, values)) as Judged;
  const slots = profileOf(hole.zone, hole.from, hole.to).map(({ ts }) => ({
    ...{ msgTypes: [5], ts },
    ...{ from: ts, to: ts + half },
  }));
  const frame: Frame = { slots, before: undefined, after: undefined, total: undefined, fittedTo: undefined };
  return { judged, frame, lastYear: [], group: [], ...beside };
}

const truth = ({ zone, from, to }: Hole): number[] => profileOf(zone, from, to).map(({ value }) => value / 2);

describe("TRUST-016 TRUST-023 a load that follows the clock is estimated as itself", () => {
  it.each(cases)("by the same type of day, $zone, $hours hours on $date, $what", (place) => {
    const hole = holeOf(place);
    const found = estimateBy("same_day_type", profileHole(hole));

    expect(found?.amounts.map(({ amount }) => amount)).toEqual(truth(hole));
  });

  it.each(places)("by the last year, $zone, $hours hours on $date", (place) => {
    const hole = holeOf({ ...place, days: 0 });
    const lastYear = profileSteps(profileOf(hole.zone, hole.from - 366 * day, hole.to - 362 * day));
    const found = estimateBy("last_year", profileHole(hole, { lastYear }));

    expect(found?.amounts.map(({ amount }) => amount)).toEqual(truth(hole));
  });

  it.each(places)("by the profile of a group of twice its size, $zone, $hours hours on $date", (place) => {
    const hole = holeOf({ ...place, days: 0 });
    const doubled = profileOf(hole.zone, hole.from - day, hole.to + day).map((each) => ({
      ...each,
      value: 2 * each.value,
    }));
    const sources = profileHole(hole, { group: [profileSteps(doubled)] });
    const total = truth(hole).reduce((sum, each) => sum + each, 0);
    const found = estimateBy("profile", { ...sources, frame: { ...sources.frame, total } });

    expect(found?.amounts.map(({ amount }) => amount)).toEqual(truth(hole));
    expect(found?.total).toBe(total);
  });

  it.each(cases)("of a counter read every hour, $zone, $hours hours on $date, $what", (place) => {
    const hole = holeOf(place);
    const all = registerOf(hole.zone, hole.from - 46 * day, hole.to + 2 * day);
    const isMissing = ({ ts }: Value): boolean => ts > hole.from && ts < hole.to;
    const judged = judgedRegister(
      given(
        hole.zone,
        "tariff0",
        all.filter((each) => !isMissing(each)),
      ),
    );
    const [before, after] = [hole.from, hole.to].map((ts) => all.find((each) => each.ts === ts));
    const missing = all.filter(isMissing);
    const slots = missing.map(({ ts }) => ({ msgTypes: [1], ts, from: ts - hour, to: ts }));
    const frame: Frame = {
      ...{ slots, before, after, fittedTo: "neighbours" },
      total: (after?.value ?? 0) - (before?.value ?? 0),
    };
    const found = estimateBy("same_day_type", { judged, frame, lastYear: [], group: [] });

    expect(found?.values.map(({ ts, value }) => [ts, value])).toEqual(
      missing.map(({ ts, value }) => [ts, value]),
    );
  });
});

it("TRUST-001 TRUST-016 a suspect half-hour of a profile is no base of an estimate", () => {
  const values = profileOf("UTC", 0, day);
  const odd = values.map((each, n) => (n === 20 ? { ...each, status: statuses.suspect.id } : each));

  expect(profileSteps(odd).map(({ from }: Step) => from)).toEqual(
    values.map(({ ts }) => ts).filter((ts) => ts !== 20 * half),
  );
});

it("TRUST-016 without a whole day before or after nothing is guessed", () => {
  const hole = holeOf({ zone: "Europe/Berlin", date: "2026-03-29", hours: 23, days: 0 });
  const { judged, ...rest } = profileHole(hole);
  const young = { ...judged, steps: judged.steps.filter(({ from }) => from > hole.from - 6 * day) };

  expect(estimateBy("same_day_type", { ...rest, judged: young })).toBeUndefined();
  expect(estimateBy("last_year", { ...rest, judged })).toBeUndefined();
  expect(dayOf("Europe/Berlin", hole.to - 1)).toBe(dayNumber("2026-03-29"));
});
