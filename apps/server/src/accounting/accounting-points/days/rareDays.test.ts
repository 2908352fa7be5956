import { expect, it } from "vitest";
import { statuses, type AccountingPointId, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { withLoad } from "#testing/load";
import { dayFlags } from "../records/tables.ts";
import { daysOf, type DayRow, type Sources } from "./days.ts";
import { ratioSteps } from "./ratios.ts";

const midnight = Date.parse("2026-05-10T00:00:00Z") / 1000;
const day = 86_400;
const hour = 3600;
const first = midnight / day;
const meter = 1 as DeviceId;
const field: FieldName = "in1";

/** Hours after midnight of the first day, the value then, and its message type. */
type Values = readonly (readonly [hours: number, value: number, msgType?: number])[];

function sourcesOf(
  values: Values,
  { zone = "UTC", capacity }: { zone?: string; capacity?: number },
): Sources {
  const tie = {
    pointId: 1 as AccountingPointId,
    deviceId: meter,
    field,
    from: 0,
    to: null,
    opening: {},
    closing: {},
  };
  const readings = values.map(([hours, value, msgType = 1]) => ({
    ...{ ts: midnight + hours * hour, value, msgType },
    ...{ status: statuses.measured.id, isCalculated: false },
  }));
  const times = readings.map(({ ts }) => ts);
  return {
    zone,
    ties: [tie],
    ratios: ratioSteps([]),
    added: [],
    readings: new Map([[meter, new Map([[field, readings]])]]),
    rangeOf: () =>
      withLoad(
        { capacity: capacity === undefined ? undefined : BigInt(capacity) * 1_000_000n, start: 0n },
        1,
      ),
    read: [{ from: Math.min(...times) - day, to: Math.max(...times) + day }],
  };
}

/** Rows of the days from the first to the fifth. */
const rows = (values: Values, capacity?: number): Partial<DayRow>[] =>
  daysOf(
    sourcesOf(values, capacity === undefined ? {} : { capacity }),
    "main",
    [0, 1, 2, 3, 4].map((n) => first + n),
  ).rows.map(({ day: name, amount, known_sec, gap_amount, gap_day, flags }) => ({
    ...{ day: name.slice(8), amount, known_sec, flags },
    ...(gap_amount === null ? {} : { gap_amount, gap_day: gap_day?.slice(8) ?? "" }),
  }));

/** A value every day at ten, from four days before the first midnight on. */
const daily = (values: readonly (readonly [number, number])[] = []): Values => {
  const own = Array.from({ length: 9 }, (_, n): readonly [number, number] => [
    (n - 4) * 24 + 10,
    100 + n * 24,
  ]);
  return own.map(([hours, value]) => values.find(([at]) => at === hours) ?? ([hours, value] as const));
};
const rare = dayFlags.interpolated | dayFlags.rare;

it("TRUST-011 a meter read once a day gets whole days: midnight is interpolated, and the day says so", () => {
  expect(rows(daily())).toEqual([
    { day: "10", amount: "24", known_sec: day, flags: rare },
    { day: "11", amount: "24", known_sec: day, flags: rare },
    { day: "12", amount: "24", known_sec: day, flags: rare },
    { day: "13", amount: "24", known_sec: day, flags: rare },
    { day: "14", amount: "10", known_sec: 10 * hour, flags: rare },
  ]);
});

it("TRUST-011 a reading nearer to midnight takes the place of the interpolated one", () => {
  const late = [23.5, 205] as const;

  const [before, after] = [daily(), [...daily(), late].sort((a, b) => a[0] - b[0])].map((values) =>
    rows(values).slice(0, 2),
  );

  expect(before?.map(({ amount }) => amount)).toEqual(["24", "24"]);
  // Of the growth of 24 from 10 to 10 o'clock, 9 until half past eleven in the evening.
  expect(after?.[0]?.amount).toBe("19.714286");
  expect(Number(after?.[0]?.amount) + Number(after?.[1]?.amount)).toBe(48);
});

it("TRUST-011 TRUST-002 between daily values a rollover is divided exactly, and a reset never", () => {
  const wrapped = daily().map(([hours, value]): readonly [number, number] => [
    hours,
    (value + 99_790) % 100_000,
  ]);
  const rolled = rows(wrapped, 100_000);

  expect(rolled.map(({ amount }) => amount)).toEqual(["24", "24", "24", "24", "10"]);
  expect(rolled.flatMap(({ flags = 0 }, at) => ((flags & dayFlags.rollover) === 0 ? [] : [at]))).toEqual([1]);

  const reset = rows(
    daily([
      [34, 3],
      [58, 27],
      [82, 51],
      [106, 75],
    ]),
  );
  expect(reset[0]).toMatchObject({ amount: "10", known_sec: 10 * hour });
  expect(reset[1]).toMatchObject({ amount: "14", known_sec: 14 * hour });
  expect((reset[1]?.flags ?? 0) & dayFlags.reset).toBe(dayFlags.reset);
});

it("TRUST-011 a daily value that was lost leaves a gap, which is one amount and not divided", () => {
  expect(rows(daily().filter(([hours]) => hours !== 34))).toMatchObject([
    { day: "10", amount: "10", known_sec: 10 * hour },
    { day: "12", amount: "14", known_sec: 14 * hour, gap_amount: "48", gap_day: "10" },
    { day: "13", amount: "24", known_sec: day },
    { day: "14", amount: "10" },
  ]);
});

it("TRUST-011 an archive that a wrong clock stamped between daily readings is not divided with", () => {
  const wrong = [12, 190, 101] as const;
  const found = rows([...daily(), wrong].sort((a, b) => a[0] - b[0]));

  expect(found[0]).toMatchObject({ amount: "24", known_sec: day });
});

it("TRUST-011 daily values divide days of 23 and 25 hours by their hours", () => {
  const at = (iso: string): number => (Date.parse(iso) / 1000 - midnight) / hour;
  for (const [name, hours] of [
    ["2026-03-29", 23],
    ["2026-10-25", 25],
  ] as const) {
    const noon = at(`${name}T10:00:00Z`);
    const values = Array.from({ length: 9 }, (_, n): readonly [number, number] => [
      noon + (n - 4) * 24,
      n * 24,
    ]);
    const start = Date.parse(`${name}T00:00:00Z`) / 1000 / day;
    const sources = sourcesOf(values, { zone: "Europe/Berlin" });
    expect(daysOf(sources, "main", [start]).rows[0]).toMatchObject({
      amount: String(hours),
      known_sec: hours * hour,
    });
  }
});
