import type { FieldName, ResourceKey } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { parseDataLines } from "./dataLine.ts";
import { iecReadings } from "./readings.ts";
import { parseStamp, parseTime, toEpoch, formatStamp } from "./stamps.ts";
import { ratioTo, wireUnit } from "./units.ts";

type Row = [unit: string, field: FieldName, value: number, resource?: ResourceKey];

/** A value of 1000 in this unit, in the unit of the field. Source: SI; 1 Gcal = 1163 kWh. */
const rows: readonly Row[] = [
  ["Wh", "tariff0", 1],
  ["kWh", "tariff0", 1000],
  ["KWH", "tariff0", 1000],
  ["MWh", "tariff0", 1e6],
  ["GJ", "tariff0", 277_777.777_778],
  ["MJ", "tariff0", 277.777_778],
  ["Gcal", "tariff0", 1_163_000],
  ["kWh", "tariff1", 0.859_845, "heat"],
  ["GJ", "tariff1", 238.845_897, "heat"],
  ["Gcal", "tariff1", 1000, "heat"],
  ["varh", "tariff_reactive0", 1],
  ["kvarh", "tariff_reactive0", 1000],
  ["kVArh", "tariff_reactive0", 1000],
  ["Mvarh", "tariff_reactive0", 1e6],
  ["W", "power_active", 1],
  ["kW", "power_active", 1000],
  ["MW", "power_active", 1e6],
  ["var", "power_reactive", 1],
  ["kVAr", "power_reactive", 1000],
  ["Mvar", "power_reactive", 1e6],
  ["VA", "power_apparent", 1],
  ["kVA", "power_apparent", 1000],
  ["MVA", "power_apparent", 1e6],
  ["V", "voltage1", 1000],
  ["v", "voltage1", 1000],
  ["mV", "voltage1", 1],
  ["kV", "voltage1", 1e6],
  ["A", "current1", 1000],
  ["a", "current1", 1000],
  ["mA", "current1", 1],
  ["kA", "current1", 1e6],
  ["Hz", "Frequency", 1000],
  ["hz", "Frequency", 1000],
  ["kHz", "Frequency", 1e6],
  ["deg", "coruu1", 1000],
  ["DEG", "coruu1", 1000],
  ["°", "coruu1", 1000],
  ["m3", "in1", 1000],
  ["M3", "in1", 1000],
  ["dm3", "in1", 1],
  ["l", "in1", 1],
  ["m3/h", "Q_in", 1000],
  ["M3/H", "Q_in", 1000],
  ["C", "T_in", 1000],
  ["c", "T_in", 1000],
  ["°C", "T_in", 1000],
  ["K", "T_delta", 1000],
  ["k", "T_delta", 1000],
  ["bar", "pressure", 1000],
  ["BAR", "pressure", 1000],
  ["h", "working_time", 1000],
  ["H", "working_time", 1000],
  ["s", "working_time", 0.277_778],
  ["%", "Humidity", 1000],
  ["", "status_code", 1000],
];

describe("a written unit", () => {
  it.each<Row>(rows)("%s is that of %s: 1000 is %d", (unit, field, value, resource = "electricity") => {
    expect((ratioTo(unit, field, resource) ?? Number.NaN) * 1000).toBeCloseTo(value, 4);
  });

  it.each<[string, FieldName]>([
    ["kvarh", "tariff0"],
    ["kW", "tariff0"],
    ["kWh", "power_active"],
    ["kVA", "power_active"],
    ["kvar", "power_apparent"],
    ["V", "current1"],
    ["A", "voltage1"],
    ["m3", "Q_in"],
    ["K", "T_in"],
    ["h", "Humidity"],
    ["furlong", "tariff0"],
    ["constructor", "tariff0"],
    ["kWh", "status_code"],
  ])("%s is none of %s", (unit, field) => {
    expect(ratioTo(unit, field, "electricity")).toBeUndefined();
  });

  it.each<[FieldName, string]>([
    ["tariff0", "kWh"],
    ["tariff_reactive0", "kvarh"],
    ["power_active", "kW"],
    ["power_reactive", "kvar"],
    ["power_apparent", "kVA"],
    ["voltage1", "V"],
    ["current1", "A"],
    ["Frequency", "Hz"],
    ["coruu1", "deg"],
    ["Humidity", "%"],
    ["in1", "m3"],
    ["Q_in", "m3/h"],
    ["T_in", "C"],
    ["T_delta", "K"],
    ["pressure", "bar"],
    ["working_time", "h"],
    ["status_code", ""],
  ])("of %s is written as %s", (field, unit) => {
    expect(wireUnit(field, "electricity")).toBe(unit);
    expect(wireUnit("tariff1", "heat")).toBe("Gcal");
  });

  it("that does not fit leaves its value out, with the reason", () => {
    const readings = iecReadings(
      {
        rows: [
          { obis: "1.8.0", field: "tariff0" },
          { obis: "2.8.0", field: "tariff_negative0" },
          { obis: "32.7.0", field: "voltage1", unit: "mV" },
          { obis: "52.7.0", field: "voltage2" },
        ],
        utcOffsetMinutes: 0,
      },
      parseDataLines("1.8.0(5*kvarh)\r\n2.8.0(abc*kWh)\r\n32.7.0(230000)\r\n52.7.0()\r\n"),
    );

    expect(readings).toEqual([
      {
        ...{ msgType: 1, at: null, values: { tariff_negative0: null } },
        warnings: [
          "1.8.0: the unit kvarh is not one of tariff0",
          "2.8.0: abc is no number (tariff_negative0)",
        ],
      },
      { msgType: 2, at: null, values: { voltage1: 230, voltage2: null } },
    ]);
  });
});

const noon = Date.UTC(2026, 10, 22, 13, 5) / 1000;
const day = Date.UTC(2026, 10, 22) / 1000;

describe("a stamp", () => {
  // Source: VDEW specification 2.1 (Zst10 to Zst13), DSMR 5.0.2, 6.2.1.
  it.each([
    ["261122", day, undefined],
    ["0261122", day, false],
    ["1261122", day, true],
    ["2611221305", noon, undefined],
    ["12611221305", noon, true],
    ["22611221305", noon, false],
    ["261122 1305", noon, undefined],
    ["261122130509", noon + 9, undefined],
    ["0261122130509", noon + 9, false],
    ["261122130509W", noon + 9, false],
    ["261122130509S", noon + 9, true],
    ["261122130509s", noon + 9, true],
    ["1261122130509W", noon + 9, false],
    [" 261122 ", day, undefined],
    ["22.11.26", day, undefined],
    ["22.11.2026", day, undefined],
    ["07.22.11.26", day, undefined],
    ["7.22.11.26", day, undefined],
    ["22.11.26 13:05", noon, undefined],
    ["22.11.2026,13:05:09", noon + 9, undefined],
    ["22.11.26 13:05S", noon, true],
    ["26-11-22", day, undefined],
    ["2026-11-22", day, undefined],
    ["2026/11/22 13:05", noon, undefined],
    ["2026-11-22T13:05:09", noon + 9, undefined],
    ["2026-11-22 13:05:09W", noon + 9, false],
    ["261122240000", day + 86_400, undefined],
    ["700101", 0, undefined],
    ["691231", Date.UTC(2069, 11, 31) / 1000, undefined],
    ["991231", Date.UTC(1999, 11, 31) / 1000, undefined],
    ["240229", Date.UTC(2024, 1, 29) / 1000, undefined],
  ])("%j is read", (text, local, isSummer) => {
    const found = parseStamp(text);

    expect([found?.local, found?.isSummer]).toEqual([local, isSummer]);
    expect(found?.dateOnly).toBe(local % 86_400 === 0 && !/24/.test(text.slice(2)));
    if (isSummer === undefined) expect(found).not.toHaveProperty("isSummer");
  });

  it.each([
    ...["261322", "260022", "261100", "261131", "260229", "261122250000", "261122240001", "261122240100"],
    ...[
      "261122136000",
      "261122130560",
      "2611",
      "26112213",
      "3261122",
      "261122X",
      "22.11.6",
      "1.1.26",
      "22-11",
    ],
    ...["2026-11-22 25:00", "2026-11-22 13", "", "abc"],
  ])("%j is none", (text) => {
    expect(parseStamp(text)).toBeUndefined();
  });

  it.each([
    ["130509", 47_109],
    ["1305", 47_100],
    ["1130509", 47_109],
    ["0130509", 47_109],
    ["2130509W", 47_109],
    ["13:05", 47_100],
    ["13:05:09", 47_109],
    ["113:05:09s", 47_109],
    [" 13:05 ", 47_100],
    ["000000", 0],
    ["235959", 86_399],
    ["240000", undefined],
    ["136000", undefined],
    ["130560", undefined],
    ["3130509", undefined],
    ["13", undefined],
    ["13:5", undefined],
    ["", undefined],
  ])("%j as a time of day is %s", (text, seconds) => {
    expect(parseTime(text)).toBe(seconds);
  });

  it("is an instant by the meter's zone, an hour less in summer", () => {
    const at = (isSummer?: boolean) =>
      toEpoch({ local: noon, dateOnly: false, ...(isSummer === undefined ? {} : { isSummer }) }, 90);

    expect([at(), at(false), at(true)]).toEqual([noon - 5400, noon - 5400, noon - 9000]);
    expect(formatStamp(noon + 9)).toBe("261122130509");
  });
});

describe("the readings of a meter", () => {
  const plan = (of: object = {}) => ({
    rows: [
      { obis: "1.8.0", field: "tariff0", isBilled: true },
      { obis: "1.8.1", field: "tariff1" },
    ] as const,
    utcOffsetMinutes: 60,
    ...of,
  });
  const read = (text: string, of: object = {}) => iecReadings(plan(of), parseDataLines(text));
  const stampOf = (text: string, clock: object) => read(`${text}\r\n1.8.0(1)`, { clock })[0]?.meterAt;

  it("have the clock of one address, or of one each for date and time", () => {
    const both = { date: "0.9.2", time: "0.9.1" };

    expect(stampOf("0-0:1.0.0(2611221305)", { stamp: "1.0.0" })).toBe(noon - 3600);
    expect(stampOf("1.0.0(2611221305S)", { stamp: "1.0.0" })).toBe(noon - 7200);
    expect(stampOf("0.9.2(261122)\r\n0.9.1(130500)", both)).toBe(noon - 3600);
    expect(stampOf("0.9.2(1261122)\r\n0.9.1(1130500)", both)).toBe(noon - 7200);
    expect(stampOf("0.9.2(261122)\r\n0.9.1(000000)", both)).toBe(day - 3600);
    for (const text of ["", "0.9.2(261122)", "0.9.1(130500)", "0.9.2()\r\n0.9.1(130500)", "1.0.0(x)"]) {
      expect(stampOf(text, both), text).toBeUndefined();
      expect(stampOf(text, { stamp: "1.0.0" }), text).toBeUndefined();
    }
  });

  it("of billing periods are at the end of each, the oldest first", () => {
    const text = [
      ...["1.8.0(9)", "1.8.0*02(2)", "1.8.0*01(1)", "1.8.1*01(7)", "0.1.2*02(261101)", "0.1.2*01(261001)"],
      ...["0.1.2*03(x)", "1.8.0*03(3)", "0.1.2*04(260901)", "0.1.2(261122)", "9.9.9*02(261101)"],
    ].join("\r\n");
    const months = read(text, { billing: { stamp: "0.1.2" } }).slice(1);
    const end = (month: number) => Date.UTC(2026, month - 1, 1) / 1000 - 3600;

    expect(months).toEqual([
      { msgType: 103, at: end(10), meterAt: end(10), values: { tariff0: 1 } },
      { msgType: 103, at: end(11), meterAt: end(11), values: { tariff0: 2 } },
    ]);
    expect(read(text)).toHaveLength(1);
  });

  it("are of medium 0, 1 or none, of the first line, and of one part of a bracket", () => {
    const value = (text: string, row: object) =>
      iecReadings(
        { rows: [{ obis: "1.8.0", field: "tariff0", ...row }], utcOffsetMinutes: 0 },
        parseDataLines(text),
      )[0]?.values.tariff0;

    for (const address of ["1.8.0", "0-0:1.8.0", "1-3:1.8.0", "1.8", "1.8.0*255", "1.8.0&255"])
      expect(value(`${address}(5)`, {}), address).toBe(5);
    for (const address of ["2-0:1.8.0", "1.8.0*1", "1.8.0.0", "1.8.1"])
      expect(value(`${address}(5)`, {}), address).toBeUndefined();
    expect(value("1.8.0(5)\r\n1.8.0(6)", {})).toBe(5);
    expect(value("1.8.0(5)(6)", { index: 1 })).toBe(6);
    expect(value("1.8.0(5)", { index: 1 })).toBeUndefined();
    expect(value("1.8.0(5, 6,*kWh)", { part: 1 })).toBe(6);
    expect(value("1.8.0(5,6,)", { part: 2 })).toBeNull();
    expect(value("1.8.0(5,6)", { part: 2 })).toBeUndefined();
    expect(value("1.8.0()", { part: 1 })).toBeNull();
  });
});
