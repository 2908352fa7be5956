import { describe, expect, it } from "vitest";
import { entryAccess, rangeAccess } from "../apdu/selectiveAccess.ts";
import type { GetOptions } from "../session/session.ts";
import { ended } from "../testing/testLink.ts";
import type { DlmsData } from "../types.ts";
import { instantData } from "./clock.ts";
import { isClock, readProfile, readScalerProfile, type ProfileTable } from "./profile.ts";
import {
  column,
  list,
  moment,
  octets,
  scale,
  structure,
  testSession,
  whole,
  type Kept,
} from "./testSession.ts";
import type { ScalerUnit } from "./units.ts";

const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });

const load = "1.0.99.1.0.255";
const energy = "1.0.1.29.0.255";
const clock = { utcOffsetMinutes: 0 };
const noon = Date.UTC(2026, 10, 20, 12) / 1000;
const row = (time: DlmsData, ...cells: readonly DlmsData[]): DlmsData => structure(time, ...cells);
const at = (minute: number, value: number): DlmsData =>
  row(moment(new Date((noon + minute * 60) * 1000).toISOString().slice(0, 19)), whole("uint32", value));
const meter = (buffer: Kept, more: Record<string, Kept> = {}): Record<string, Kept> => ({
  [`7 ${load} 3`]: list(column(8, "0.0.1.0.0.255"), column(3, energy)),
  [`7 ${load} 2`]: buffer,
  [`3 ${energy} 3`]: scale(0, 30),
  ...more,
});
const table: ProfileTable = {
  msgType: 5,
  obis: load,
  columns: [{ obis: energy, field: "power_a_plus" }],
  period: 1800,
};

function read(objects: Record<string, Kept>, of: Partial<ProfileTable> = {}, span = { from: 0, to: 60 }) {
  const made = testSession(objects);
  const readings = () =>
    ended(
      readProfile(made.session, {
        ...{ table: { ...table, ...of }, resource: "electricity", clock, scales: new Map() },
        ...{ from: noon + span.from * 60, to: noon + span.to * 60 },
      }),
    );
  return { ...made, readings };
}
const counters: Partial<ProfileTable> = { msgType: 101, columns: [{ obis: energy, field: "tariff0" }] };
const times = (readings: readonly { readonly at: number | null }[]) =>
  readings.map((each) => ((each.at ?? 0) - noon) / 60);

describe("rows of a profile by time", () => {
  it("are those of the slots that are asked for, once each, oldest first", () => {
    const buffer = list(at(60, 2000), at(30, 1000), at(0, 9), at(90, 9), at(30, 3000));

    expect(read(meter(buffer)).readings()).toEqual([
      { msgType: 5, at: noon, meterAt: noon + 1800, values: { power_a_plus: 6 } },
      { msgType: 5, at: noon + 1800, meterAt: noon + 3600, values: { power_a_plus: 4 } },
    ]);
  });

  it.each<[string, Partial<ProfileTable>, number[], number[]]>([
    ["ends of intervals", {}, [0, 30], [30, 60]],
    ["beginnings of intervals", { stamp: "start" }, [0, 30], [0, 30]],
    ["ends of intervals of type 10", { msgType: 10 }, [0, 30], [30, 60]],
    ["times of counters", counters, [0, 30], [0, 30]],
  ])("have stamps that are %s", (_, of, slots, stamps) => {
    const readings = read(meter(list(at(0, 1), at(30, 1), at(60, 1), at(90, 1))), of).readings();

    expect(times(readings)).toEqual(slots);
    expect(readings.map(({ meterAt = 0 }) => (meterAt - noon) / 60)).toEqual(stamps);
  });

  it("are asked for page by page, both ends included", () => {
    const { readings, selections } = read(
      meter(list()),
      { rowsAtOnce: 2, stamp: "start" },
      { from: 0, to: 150 },
    );
    const selection = (from: number, last: number): GetOptions => ({
      access: rangeAccess({
        restricting: { classId: 8, obis: "0.0.1.0.0.255", attribute: 2, index: 0 },
        from: instantData(noon + from, clock),
        to: instantData(noon + last, clock),
        columns: [],
      }),
      rows: {
        from: { local: new Date((noon + from) * 1000).toISOString().slice(0, 16) },
        to: { local: new Date((noon + last) * 1000).toISOString().slice(0, 16) },
      },
    });

    expect(readings()).toEqual([]);
    expect(selections).toEqual([selection(0, 3599), selection(3600, 7199), selection(7200, 8999)]);
    expect(selections[0]?.rows).toEqual({
      from: { local: "2026-11-20T12:00" },
      to: { local: "2026-11-20T12:59" },
    });
  });

  it.each<[string, Partial<ProfileTable>, number, number]>([
    ["96 rows", { stamp: "start" }, 96 * 30 * 2, 2],
    ["96 rows and one more", { stamp: "start" }, 96 * 30 * 2 + 1, 3],
    ["one row at least", { stamp: "start", rowsAtOnce: 0 }, 60, 2],
    ["rows of a minute at least", { stamp: "start", period: 1, rowsAtOnce: 10 }, 20, 2],
    ["months of 31 days", { ...counters, period: "month", rowsAtOnce: 1 }, 31 * 1440 * 2, 2],
    ["half-hours without a period", { ...counters, period: 0, rowsAtOnce: 2 }, 120, 2],
  ])("have %s in a page", (_, of, minutes, pages) => {
    const { readings, selections } = read(meter(list()), of, { from: 0, to: minutes });

    expect(readings()).toEqual([]);
    expect(selections).toHaveLength(pages);
  });

  it("have the period of the meter if the model asks for it", () => {
    const buffer = list(at(15, 1000), at(30, 1000));
    const quarter = read(meter(buffer, { [`7 ${load} 4`]: whole("uint32", 900) }), { period: "asked" });

    expect(times(quarter.readings())).toEqual([0, 15]);
    expect(quarter.readings()[0]?.values).toEqual({ power_a_plus: 4 });
    const watts = { [`7 ${load} 4`]: whole("uint32", 0), [`3 ${energy} 3`]: scale(0, 27) };
    expect(read(meter(buffer, watts), { period: "asked" }).readings).toThrow(
      refused("unsupported", `${load} has no capture period, so its intervals are unknown`),
    );
    expect(read(meter(buffer), { period: "asked" }).readings).toThrow(
      refused("unsupported", `${load} attribute 4: object undefined`, 4),
    );
  });
});

describe("rows of a profile by position", () => {
  const byEntry: Partial<ProfileTable> = { ...counters, access: "entry", rowsAtOnce: 2 };
  const entries = (count: number) =>
    meter(
      ({ rows }) => {
        const [first, last] = rows && "first" in rows ? [rows.first, rows.last] : [1, 0];
        return list(...Array.from({ length: last - first + 1 }, (_, n) => at((first + n) * 30, first + n)));
      },
      { [`7 ${load} 7`]: whole("uint32", count) },
    );
  const pages = (selections: readonly GetOptions[]) => selections.map(({ rows }) => rows);

  it("are read backwards until a page begins before what is asked for", () => {
    const { readings, selections } = read(entries(7), byEntry, { from: 150, to: 240 });

    expect(times(readings())).toEqual([150, 180, 210]);
    expect(pages(selections)).toEqual([
      { first: 6, last: 7 },
      { first: 4, last: 5 },
    ]);
    expect(selections[0]?.access).toEqual(
      entryAccess({ fromEntry: 6, toEntry: 7, fromColumn: 1, toColumn: 0 }),
    );
  });

  it("are read on as long as an earlier row may be of the same time", () => {
    const { readings, selections } = read(entries(7), byEntry, { from: 120, to: 240 });

    expect(times(readings())).toEqual([120, 150, 180, 210]);
    expect(pages(selections)).toHaveLength(3);
  });

  it("are read to the first one", () => {
    const { readings, selections } = read(entries(3), byEntry, { from: 30, to: 240 });

    expect(times(readings())).toEqual([30, 60, 90]);
    expect(pages(selections)).toEqual([
      { first: 2, last: 3 },
      { first: 1, last: 1 },
    ]);
    expect(read(entries(0), byEntry).readings()).toEqual([]);
    const usual = read(entries(97), { ...counters, access: "entry" });
    expect(usual.readings()).toHaveLength(1);
    expect(pages(usual.selections)).toEqual([
      { first: 2, last: 97 },
      { first: 1, last: 1 },
    ]);
  });
});

describe("a row of a profile", () => {
  const nothing: DlmsData = { type: "null" };

  it.each<[string, Partial<ProfileTable>, number[]]>([
    ["one period later", {}, [0, 30, 45]],
    ["unknown without a period", { period: 0 }, [0, 45]],
    ["unknown after a month", { period: "month" }, [0, 45]],
  ])("without a stamp is %s", (_, of, expected) => {
    const silent = row(nothing, whole("uint32", 9000));
    const buffer = list(row(nothing, nothing), at(0, 1000), silent, at(45, 3000));
    const readings = read(meter(buffer), { ...counters, ...of }).readings();

    expect(times(readings)).toEqual(expected);
    expect(readings.at(-1)?.values).toEqual({ tariff0: 3 });
    expect(readings[0]?.values).toEqual({ tariff0: 1 });
  });

  it("whose stamp cannot be is left out, but its values repeat", () => {
    const invalid = row(moment("2026-11-20T12:15:00", 1), whole("uint32", 5000));
    const after = row(moment("2026-11-20T12:30:00"), nothing);

    expect(read(meter(list(invalid, after)), counters).readings()).toMatchObject([
      { at: noon + 1800, values: { tariff0: 5 } },
    ]);
    expect(read(meter(list(row(moment("2026-11-20T12:30:00"), nothing))), counters).readings()).toMatchObject(
      [{ values: { tariff0: null } }],
    );
  });

  it.each<[string, Record<string, Kept>, Partial<ProfileTable>, string]>([
    ["no clock", { [`7 ${load} 3`]: list(column(3, energy)) }, {}, `${load} has no column of the clock`],
    [
      "none of the columns",
      {},
      { columns: [{ obis: energy, field: "power_a_plus", attribute: 3 }] },
      `${load} has none of the columns that the model names`,
    ],
    [
      "a unit of another kind",
      { [`3 ${energy} 3`]: scale(0, 35) },
      {},
      `${energy} is in unit 35, which power_a_plus is not`,
    ],
    [
      "another number of cells",
      { [`7 ${load} 2`]: list(structure(moment("2026-11-20T12:30:00"))) },
      {},
      "a row of 1 columns where 2 are captured",
    ],
    ["no rows", { [`7 ${load} 2`]: octets(1) }, {}, "buffer is no list, but octets"],
    ["cells that are none", { [`7 ${load} 2`]: list(octets(1)) }, {}, "row is no list, but octets"],
    ["no columns", { [`7 ${load} 3`]: octets(1) }, {}, "capture objects is no list, but octets"],
  ])("is refused for %s", (_, more, of, message) => {
    expect(read(meter(list(), more), of).readings).toThrow(refused("unexpected", message));
  });

  it("has columns wherever the meter puts them, and lacks those that it lacks", () => {
    const captures = list(
      column(1, "1.0.1.8.2.255"),
      column(3, energy),
      column(8, "0.0.1.0.0.255"),
      column(4, energy, 5),
    );
    const cells = structure(
      whole("uint8", 4),
      whole("uint32", 1000),
      moment("2026-11-20T12:00:00"),
      whole("uint32", 7000),
    );
    const columns: ProfileTable["columns"] = [
      { obis: energy, field: "tariff0", attribute: 5 },
      { obis: "1.0.1.8.2.255", field: "tariff2" },
      { obis: "1.0.1.8.3.255", field: "tariff3" },
    ];
    const objects = meter(list(cells), { [`7 ${load} 3`]: captures, [`4 ${energy} 3`]: scale(0, 30) });
    const { readings, asked } = read(objects, { ...counters, columns });

    expect(readings()[0]?.values).toEqual({ tariff0: 7, tariff2: 4 });
    expect(asked).not.toContain("1 1.0.1.8.2.255 3");
    const plain = read(meter(list(at(0, 5)), { [`3 ${energy} 3`]: 4 }), counters);
    expect(plain.readings()[0]?.values).toEqual({ tariff0: 5 });
  });
});

describe("a profile of scales", () => {
  const scaler = "1.0.94.7.4.255";
  const scales = (objects: Record<string, Kept>) => {
    const found = new Map<string, ScalerUnit>();
    ended(readScalerProfile(testSession(objects).session, scaler, found));
    return [...found];
  };

  it("has those of attribute 3, or of 4 of a demand register, in its first row", () => {
    const captures = list(
      column(3, energy, 3),
      column(5, "1.0.31.7.0.255", 4),
      column(5, "1.0.32.7.0.255", 3),
      column(3, "1.0.33.7.0.255", 4),
      column(3, "1.0.34.7.0.255", 3),
    );
    const [own, other] = [scale(-1, 30), scale(0, 33)];
    const first = structure(own, other, own, own, whole("uint8", 1));

    expect(scales({ [`7 ${scaler} 3`]: captures, [`7 ${scaler} 2`]: list(first, structure(other)) })).toEqual(
      [
        [energy, { scaler: -1, unit: 30 }],
        ["1.0.31.7.0.255", { scaler: 0, unit: 33 }],
      ],
    );
    expect(scales({ [`7 ${scaler} 3`]: captures, [`7 ${scaler} 2`]: list(structure(own)) })).toHaveLength(1);
  });

  it("that the meter lacks leaves the scales of the registers; a list that is none is refused", () => {
    const own = { ...meter(list(at(30, 1000))), [`3 ${energy} 3`]: scale(3, 30) };
    const of = { scalerProfile: scaler };

    expect(scales({})).toEqual([]);
    expect(read(own, of).readings()[0]?.values).toEqual({ power_a_plus: 2000 });
    const scaled = {
      ...own,
      [`7 ${scaler} 3`]: list(column(3, energy, 3)),
      [`7 ${scaler} 2`]: list(structure(scale(0, 30))),
    };
    const profile = read(scaled, of);
    expect(profile.readings()[0]?.values).toEqual({ power_a_plus: 2 });
    expect(profile.asked).not.toContain(`3 ${energy} 3`);
    expect(() => scales({ [`7 ${scaler} 3`]: octets(1) })).toThrow(
      refused("unexpected", "capture objects is no list, but octets"),
    );
    expect(() => scales({ [`7 ${scaler} 3`]: list(), [`7 ${scaler} 2`]: octets(1) })).toThrow(
      refused("unexpected", "buffer is no list, but octets"),
    );
    expect(() => scales({ [`7 ${scaler} 3`]: list(), [`7 ${scaler} 2`]: list() })).toThrow(
      refused("unexpected", "row of scalers is no list, but missing"),
    );
  });
});

it("the clock of a meter is attribute 2 of class 8", () => {
  const object = { classId: 8, obis: "0.0.1.0.0.255", attribute: 2, index: 0 };

  expect(isClock(object)).toBe(true);
  expect(isClock({ ...object, classId: 3 })).toBe(false);
  expect(isClock({ ...object, attribute: 3 })).toBe(false);
});
