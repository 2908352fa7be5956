import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { refusalOf } from "../../core/testing/testRefusal.ts";
import { formatObis, parseObis } from "./axdr.ts";
import {
  dateTimeBytes,
  dateTimeOf,
  dateTimeOfBytes,
  formatDate,
  formatDateTime,
  formatTime,
  fromEpoch,
  toEpoch,
} from "./dateTime.ts";
import { joinSegments, placeSpan, withPlacedErrors, type Segment } from "../decode/segments.ts";
import {
  captureObjectData,
  captureObjectOf,
  clockColumn,
  entryAccess,
  entryOf,
  rangeAccess,
  rangeOf,
} from "../apdu/selectiveAccess.ts";
import type { DlmsData, DlmsDateTime } from "../types.ts";

const noon: DlmsDateTime = {
  ...{ year: 2026, month: 11, day: 20, weekday: 5, hour: 12, minute: 0, second: 0, hundredths: 0 },
  ...{ deviation: 0, status: 0 },
};
const noonUtc = Date.UTC(2026, 10, 20, 12) / 1000;

describe("a date-time", () => {
  it.each<[string, Partial<DlmsDateTime>, number | null]>([
    ["of UTC", {}, noonUtc],
    ["of an hour east", { deviation: -60 }, noonUtc - 3600],
    ["of an hour west", { deviation: 60 }, noonUtc + 3600],
    ["without hundredths", { hundredths: null }, noonUtc],
    ["with hundredths", { hundredths: 99 }, noonUtc],
    ["without a second", { second: null }, noonUtc],
    ["of the last second", { hour: 23, minute: 59, second: 59 }, noonUtc + 43_199],
    ["of hour 24", { hour: 24 }, null],
    ["of minute 60", { minute: 60 }, null],
    ["of second 60", { second: 60 }, null],
    ["of no hour", { hour: null }, null],
    ["of no minute", { minute: null }, null],
    ["of any year", { year: null }, null],
    ["of any month", { month: null }, null],
    ["of any day", { day: null }, null],
    ["of month 13", { month: 13 }, null],
    ["of month 0", { month: 0 }, null],
    ["of the begin of summer", { month: 0xfd }, null],
    ["of the last day", { day: 0xfe }, null],
    ["of day 31 of 30", { day: 31 }, null],
    ["of day 0", { day: 0 }, null],
    ["that is doubtful", { status: 0x02 }, noonUtc],
    ["of another base", { status: 0x04 }, noonUtc],
    ["with a status that is invalid", { status: 0x08 }, noonUtc],
    ["of summer", { status: 0x80 }, noonUtc],
    ["without a status", { status: null }, noonUtc],
    ["that is invalid", { status: 0x81 }, null],
    ["of an early year", { year: 99 }, Date.UTC(2099, 10, 20, 12) / 1000 - 63_113_904_000],
  ])("%s is an instant", (_, changes, expected) => {
    expect(toEpoch({ ...noon, ...changes })).toBe(expected);
  });

  it("without a zone has that of the model, one of the wrong sign the opposite", () => {
    const bare = { ...noon, deviation: null };

    expect([toEpoch(bare), toEpoch(bare, { deviation: -60 })]).toEqual([noonUtc, noonUtc - 3600]);
    expect(toEpoch({ ...noon, deviation: 60 }, { deviation: 5, isDeviationReversed: true })).toBe(
      noonUtc - 3600,
    );
    expect(toEpoch({ ...noon, deviation: 60 }, { deviation: 5, isDeviationReversed: false })).toBe(
      noonUtc + 3600,
    );
  });

  it("of an instant has its day of the week, and the time of its zone", () => {
    const sunday = Date.UTC(2026, 10, 22) / 1000;

    expect(fromEpoch(noonUtc)).toEqual(noon);
    expect(fromEpoch(noonUtc, { deviation: -90, status: null })).toEqual({
      ...{ ...noon, hour: 13, minute: 30, deviation: -90, status: null },
    });
    expect(fromEpoch(noonUtc + 5.25)).toMatchObject({ second: 5, hundredths: 25 });
    expect([sunday, sunday + 86_400].map((at) => fromEpoch(at).weekday)).toEqual([7, 1]);
    expect(fromEpoch(noonUtc, { deviation: null })).toEqual({ ...noon, deviation: null });
  });

  it.each<[string, Partial<DlmsDateTime>]>([
    ["07ea0b14050c000000000000", {}],
    ["07ea0b14050c0000000334ff", { deviation: 820, status: null }],
    ["07ea0b14050c000000fcf480", { deviation: -780, status: 0x80 }],
    ["07ea0b14ff0c0000ff800001", { weekday: null, hundredths: null, deviation: null, status: 1 }],
    [
      "fffffdfe05ffffff00000000",
      { year: null, month: 0xfd, day: 0xfe, hour: null, minute: null, second: null },
    ],
  ])("is %s", (hex, changes) => {
    const at = { ...noon, ...changes };

    expect(dateTimeOfBytes(fromHex(hex))).toEqual(at);
    expect(toHex(dateTimeBytes(at))).toBe(hex);
  });

  it("has 12 bytes, in a value of its own or in octets", () => {
    const value = dateTimeBytes(noon);

    expect(refusalOf(() => dateTimeOfBytes(value.subarray(1)))).toEqual({ kind: "unexpected", offset: 11 });
    expect(() => dateTimeOfBytes(Uint8Array.of(...value, 0))).toThrow(
      expect.objectContaining({ kind: "unexpected", offset: 12, message: "a date-time has 12 bytes" }),
    );
    expect(dateTimeOf({ type: "dateTime", value: noon })).toBe(noon);
    expect(dateTimeOf({ type: "octets", value })).toEqual(noon);
    expect(dateTimeOf({ type: "octets", value: value.subarray(1) })).toBeNull();
    expect(dateTimeOf({ type: "visible", value: "x".repeat(12) })).toBeNull();
  });

  it.each<[Partial<DlmsDateTime>, string]>([
    [{}, "2026-11-20T12:00:00+00:00"],
    [{ deviation: null }, "2026-11-20T12:00:00"],
    [{ deviation: -345 }, "2026-11-20T12:00:00+05:45"],
    [{ deviation: 210 }, "2026-11-20T12:00:00-03:30"],
    [{ year: 99, month: 1, day: 2, hour: 3, minute: 4, second: 5 }, "0099-01-02T03:04:05+00:00"],
    [
      { year: null, month: null, day: null, hour: null, minute: null, second: null },
      "????-??-??T??:??:??+00:00",
    ],
  ])("with %o is shown as %s", (changes, text) => {
    const at = { ...noon, ...changes };

    expect(formatDateTime(at)).toBe(text);
    expect(`${formatDate(at)}T${formatTime(at)}`).toBe(text.slice(0, 19));
  });
});

describe("an OBIS code", () => {
  it("is six numbers up to 255, in either notation", () => {
    const bytes = Uint8Array.of(1, 0, 99, 1, 0, 255);

    for (const text of ["1.0.99.1.0.255", "1-0:99.1.0*255", "001.000.099.001.000.255"])
      expect(parseObis(text)).toEqual(bytes);
    expect(formatObis(bytes)).toBe("1.0.99.1.0.255");
    for (const text of [
      "",
      "1.0.99.1.0",
      "1.0.99.1.0.255.0",
      "1.0.99.1.0.256",
      "1.0.99.1.0.",
      "1.0.99.1.0.x",
      "1.0.99.1.0.0255",
    ])
      expect(() => parseObis(text)).toThrow(
        expect.objectContaining({
          kind: "unsupported",
          message: `"${text}" is not an OBIS code of six numbers`,
        }),
      );
  });
});

describe("a selection of rows", () => {
  const nothing: DlmsData = { type: "null" };
  const uint = (value: number): DlmsData => ({ type: "uint32", value });
  const word = (value: number): DlmsData => ({ type: "uint16", value });
  const structure = (...items: readonly DlmsData[]): DlmsData => ({ type: "structure", items });
  const clock = structure(
    ...[word(8), { type: "octets", value: Uint8Array.of(0, 0, 1, 0, 0, 255) } as const],
    ...[{ type: "int8", value: 2 } as const, word(0)],
  );
  const parts = clock.type === "structure" ? clock.items : [];

  /** Source: Blue Book 4.3.6. */
  it("has the layout of the standard", () => {
    const columns = [clockColumn];

    expect(captureObjectData(clockColumn)).toEqual(clock);
    expect(rangeAccess({ restricting: clockColumn, from: uint(1), to: uint(2), columns })).toEqual({
      selector: 1,
      parameters: structure(clock, uint(1), uint(2), { type: "array", items: [clock] }),
    });
    expect(entryAccess({ fromEntry: 1, toEntry: 2, fromColumn: 3, toColumn: 4 })).toEqual({
      selector: 2,
      parameters: structure(uint(1), uint(2), word(3), word(4)),
    });
    expect(entryOf({ selector: 2, parameters: structure(uint(1), uint(2), word(3), word(4)) })).toEqual({
      ...{ fromEntry: 1, toEntry: 2, fromColumn: 3, toColumn: 4 },
    });
  });

  it.each<[string, DlmsData]>([
    ["another type", word(8)],
    ["a part too few", structure(...parts.slice(0, 3))],
    ["a part too many", structure(...parts, word(0))],
    ...[0, 1, 2, 3].map((place): [string, DlmsData] => [
      `another part ${String(place)}`,
      structure(...parts.map((each, at) => (at === place ? uint(1) : each))),
    ]),
    [
      "a short name",
      structure(
        ...parts.map((each, at): DlmsData => (at === 1 ? { type: "octets", value: fromHex("0102") } : each)),
      ),
    ],
  ])("is of no column with %s", (_, data) => {
    expect(captureObjectOf(data)).toBeNull();
    expect(
      rangeOf({ selector: 1, parameters: structure(data, nothing, nothing, { type: "array", items: [] }) }),
    ).toBeNull();
    const list: DlmsData = { type: "array", items: [clock, data] };
    expect(rangeOf({ selector: 1, parameters: structure(clock, nothing, nothing, list) })).toBeNull();
  });

  it.each<[string, number, DlmsData]>([
    ["another selector", 2, structure(clock, nothing, nothing, { type: "array", items: [] })],
    ["another type", 1, { type: "array", items: [clock, nothing, nothing, { type: "array", items: [] }] }],
    ["nothing", 1, structure()],
    ["no ends", 1, structure(clock)],
    ["one end", 1, structure(clock, nothing)],
    ["no columns", 1, structure(clock, nothing, nothing)],
    ["columns that are no list", 1, structure(clock, nothing, nothing, structure())],
  ])("by time is none with %s", (_, selector, parameters) => {
    expect(rangeOf({ selector, parameters })).toBeNull();
  });

  it.each<[string, number, DlmsData]>([
    ["another selector", 1, structure(uint(1), uint(2), word(3), word(4))],
    ["another type", 2, { type: "array", items: [uint(1), uint(2), word(3), word(4)] }],
    ...[0, 1, 2, 3].map((place): [string, number, DlmsData] => [
      `another part ${String(place)}`,
      2,
      structure(...[uint(1), uint(2), word(3), word(4)].map((each, at) => (at === place ? nothing : each))),
    ]),
    ["three parts", 2, structure(uint(1), uint(2), word(3))],
  ])("by place is none with %s", (_, selector, parameters) => {
    expect(entryOf({ selector, parameters })).toBeNull();
  });
});

describe("segments of a message", () => {
  const segments: readonly Segment[] = [
    { bytes: fromHex("0102"), offset: 10 },
    { bytes: fromHex("030405"), offset: 20 },
  ];
  const span = (offset: number, bytes: number): Span => ({ offset, bytes, name: "data", value: null });

  it("are joined, and a part of the message is that of each of them", () => {
    expect(toHex(joinSegments(segments))).toBe("0102030405");
    expect(placeSpan(span(0, 2), segments)).toEqual([span(10, 2)]);
    expect(placeSpan(span(1, 1), segments)).toEqual([span(11, 1)]);
    expect(placeSpan(span(1, 3), segments)).toEqual([span(11, 1), span(20, 2)]);
    expect(placeSpan(span(2, 3), segments)).toEqual([span(20, 3)]);
    expect(placeSpan(span(4, 9), segments)).toEqual([span(22, 1)]);
    expect(placeSpan(span(5, 1), segments)).toEqual([]);
  });

  it("place an error on the line, with its code; others stay as they are", () => {
    const failing =
      (error: unknown, of = segments) =>
      () =>
        withPlacedErrors(of, () => {
          throw error;
        });
    const at = (offset: number, detail?: number) =>
      new ProtocolError("unexpected", "wrong", { offset, ...(detail === undefined ? {} : { detail }) });
    const placed = (offset: number, detail?: number): unknown =>
      expect.objectContaining({ kind: "unexpected", message: "wrong", offset, detail });

    expect(withPlacedErrors(segments, () => 5)).toBe(5);
    expect(failing(at(1, 7))).toThrow(placed(11, 7));
    expect(failing(at(2))).toThrow(placed(20));
    expect(failing(at(5))).toThrow(placed(23));
    expect(failing(at(5), [])).toThrow(placed(0));
    const bare = new ProtocolError("timeout", "no answer");
    const bug = new RangeError("a bug");
    expect(failing(bare)).toThrow(expect.objectContaining({ kind: "timeout", offset: undefined }));
    expect(failing(bug)).toThrow(bug);
  });
});
