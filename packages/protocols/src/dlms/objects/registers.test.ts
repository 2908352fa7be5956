import { describe, expect, it } from "vitest";
import { ended } from "../testing/testLink.ts";
import { readCurrent, type CurrentTable } from "./current.ts";
import { attributeOf, readRegisters, readScales, scaleAttribute, type RegisterRow } from "./registers.ts";
import {
  column,
  list,
  moment,
  nameOf,
  scale,
  structure,
  testSession,
  whole,
  type Kept,
} from "./testSession.ts";
import type { ScalerUnit } from "./units.ts";

const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });

const rows: readonly RegisterRow[] = [
  { obis: "1.0.1.8.0.255", field: "tariff0" },
  { obis: "1.0.31.7.0.255", field: "current1", classId: 5 },
  { obis: "1.0.32.7.0.255", field: "voltage1", classId: 4, attribute: 5 },
  { obis: "0.0.96.1.9.255", field: "Frequency", classId: 1 },
  { obis: "1.0.1.7.0.255", field: "power_active", scale: { scaler: 1, unit: 27 } },
];
const meter: Record<string, Kept> = {
  "3 1.0.1.8.0.255 2": whole("uint32", 12_345),
  "3 1.0.1.8.0.255 3": scale(1, 30),
  "5 1.0.31.7.0.255 2": whole("uint32", 875),
  "5 1.0.31.7.0.255 4": scale(-2, 33),
  "4 1.0.32.7.0.255 5": whole("uint32", 2314),
  "4 1.0.32.7.0.255 3": scale(-1, 35),
  "1 0.0.96.1.9.255 2": whole("uint16", 50),
  "3 1.0.1.7.0.255 2": whole("uint16", 250),
};

function read(objects: Record<string, Kept>, of = rows, scales = new Map<string, ScalerUnit>()) {
  const made = testSession(objects);
  const values = () => ended(readRegisters(made.session, { rows: of, resource: "electricity", scales }));
  return { ...made, values, scales };
}

describe("a register", () => {
  it("has its value in attribute 2, and scaler and unit in 3, or in 4 of a demand register", () => {
    expect(rows.map(attributeOf)).toEqual([
      { classId: 3, obis: "1.0.1.8.0.255", attribute: 2 },
      { classId: 5, obis: "1.0.31.7.0.255", attribute: 2 },
      { classId: 4, obis: "1.0.32.7.0.255", attribute: 5 },
      { classId: 1, obis: "0.0.96.1.9.255", attribute: 2 },
      { classId: 3, obis: "1.0.1.7.0.255", attribute: 2 },
    ]);
    expect(rows.map((row) => scaleAttribute(attributeOf(row)).attribute)).toEqual([3, 4, 3, 3, 3]);
  });

  it("is read with its scale, unless the model has it or it is no register", () => {
    const { values, asked, scales } = read(meter);

    expect(values()).toEqual({
      tariff0: 123.45,
      current1: 8.75,
      voltage1: 231.4,
      Frequency: 50,
      power_active: 2.5,
    });
    expect(asked).toEqual([
      ...["3 1.0.1.8.0.255 2", "5 1.0.31.7.0.255 2", "4 1.0.32.7.0.255 5", "1 0.0.96.1.9.255 2"],
      ...["3 1.0.1.7.0.255 2", "3 1.0.1.8.0.255 3", "5 1.0.31.7.0.255 4", "4 1.0.32.7.0.255 3"],
    ]);
    expect([...scales]).toEqual([
      ["1.0.1.8.0.255", { scaler: 1, unit: 30 }],
      ["1.0.31.7.0.255", { scaler: -2, unit: 33 }],
      ["1.0.32.7.0.255", { scaler: -1, unit: 35 }],
    ]);
  });

  it("is absent, null, or refuses the whole, by the code of the meter", () => {
    const key = "3 1.0.1.8.0.255 2";

    for (const code of [3, 4, 9, 11])
      expect(read({ ...meter, [key]: code }).values()).not.toHaveProperty("tariff0");
    for (const code of [1, 2])
      expect(read({ ...meter, [key]: code }).values()).toMatchObject({ tariff0: null });
    expect(read({ ...meter, [key]: { type: "null" } }).values()).toMatchObject({ tariff0: null });
    expect(read({ ...meter, [key]: 13 }).values).toThrow(
      refused("refused", "1.0.1.8.0.255 attribute 2: scope of access violated", 13),
    );
    expect(read({}).values).toThrow(refused("unsupported", "the meter has none of the registers"));
  });

  it("without a scale is a plain number, and one of another kind is refused", () => {
    expect(read({ ...meter, "3 1.0.1.8.0.255 3": 4 }).values()).toMatchObject({ tariff0: 12_345 });
    expect(read({ ...meter, "3 1.0.1.8.0.255 3": scale(0, 33) }).values).toThrow(
      refused("unexpected", "1.0.1.8.0.255 is in unit 33, which tariff0 is not"),
    );
  });

  it("of a scale that is known, or asked for already, is not asked again", () => {
    const known = new Map([["1.0.1.8.0.255", { scaler: 2, unit: 30 }]]);
    const { values, asked } = read(meter, rows.slice(0, 1), known);
    const twice = testSession(meter);
    const object = { classId: 3, obis: "1.0.1.8.0.255" };
    ended(readScales(twice.session, [object, object], new Map()));

    expect(values()).toEqual({ tariff0: 1234.5 });
    expect(asked).toEqual(["3 1.0.1.8.0.255 2"]);
    expect(twice.asked).toEqual(["3 1.0.1.8.0.255 3"]);
  });
});

describe("current values in one row", () => {
  const profile = "1.0.94.7.0.255";
  const table: CurrentTable = {
    obis: profile,
    scalerProfile: "1.0.94.7.3.255",
    columns: [
      { obis: "1.0.1.8.0.255", field: "tariff0", msgType: 1 },
      { obis: "1.0.32.7.0.255", field: "voltage1", msgType: 2 },
      { obis: "1.0.1.8.1.255", field: "tariff1", msgType: 1, attribute: 5 },
      { obis: "1.0.52.7.0.255", field: "voltage2", msgType: 2 },
    ],
  };
  const captures = list(
    column(8, "0.0.1.0.0.255"),
    column(3, "1.0.32.7.0.255"),
    column(1, "1.0.1.8.0.255"),
    column(4, "1.0.1.8.1.255", 2),
    column(4, "1.0.1.8.1.255", 5),
  );
  const row = structure(
    moment("2026-11-20T12:00:00"),
    whole("uint32", 2314),
    whole("uint32", 77),
    whole("uint32", 1),
    whole("uint32", 9000),
  );
  const own: Record<string, Kept> = {
    [`7 ${profile} 3`]: captures,
    [`7 ${profile} 2`]: list(structure(whole("uint8", 1)), row),
    "7 1.0.94.7.3.255 3": list(column(3, "1.0.32.7.0.255", 3)),
    "7 1.0.94.7.3.255 2": list(structure(scale(-1, 35))),
    "4 1.0.1.8.1.255 3": scale(0, 30),
  };
  const current = (objects: Record<string, Kept>, of = table, utcOffsetMinutes = 0) => {
    const made = testSession(objects);
    const clock = { utcOffsetMinutes };
    return {
      ...made,
      readings: () => ended(readCurrent(made.session, { table: of, resource: "electricity", clock })),
    };
  };
  const noon = Date.UTC(2026, 10, 20, 12) / 1000;

  it("are the last row by its columns, by type, with the time of the meter", () => {
    const { readings, asked } = current(own);

    expect(readings()).toEqual([
      { msgType: 1, at: null, meterAt: noon, values: { tariff0: 77, tariff1: 9 } },
      { msgType: 2, at: null, meterAt: noon, values: { voltage1: 231.4 } },
    ]);
    expect(asked).toEqual([
      ...[`7 ${profile} 3`, `7 ${profile} 2`, "7 1.0.94.7.3.255 3", "7 1.0.94.7.3.255 2"],
      "4 1.0.1.8.1.255 3",
    ]);
    expect(current(own, table, 60).readings()[0]).toMatchObject({ meterAt: noon - 3600 });
  });

  it("have their scales from the registers without a profile of scales, and nulls where the meter has them", () => {
    const { scalerProfile: _, ...bare } = table;
    const nothing = { type: "null" } as const;
    const objects = {
      ...own,
      [`7 ${profile} 2`]: list(structure(nothing, nothing, whole("uint8", 5), nothing, nothing)),
      "3 1.0.32.7.0.255 3": scale(-1, 35),
    };

    expect(current(objects, bare).readings()).toEqual([
      { msgType: 1, at: null, values: { tariff0: 5, tariff1: null } },
      { msgType: 2, at: null, values: { voltage1: null } },
    ]);
    expect(current(own, bare).readings()[1]?.values).toEqual({ voltage1: 2314 });
  });

  it("are refused for a row of another shape, or in a unit of another kind", () => {
    expect(current({ ...own, [`7 ${profile} 2`]: list(structure(whole("uint8", 1))) }).readings).toThrow(
      refused("unexpected", `${profile} has a row of another shape than its columns`),
    );
    expect(current({ ...own, "4 1.0.1.8.1.255 3": scale(0, 35) }).readings).toThrow(
      refused("unexpected", "1.0.1.8.1.255 is in a unit that tariff1 is not"),
    );
    expect(current({ ...own, [`7 ${profile} 2`]: list() }).readings).toThrow(
      refused("unexpected", "row is no list, but missing"),
    );
    expect(current({ ...own, [`7 ${profile} 2`]: nameOf(profile) }).readings).toThrow(
      refused("unexpected", "buffer is no list, but octets"),
    );
  });
});
