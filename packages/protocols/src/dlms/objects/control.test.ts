import { describe, expect, it } from "vitest";
import { ended } from "../testing/testLink.ts";
import type { DlmsData } from "../types.ts";
import { instantData, instantOf, readClock, setClock, shiftClock } from "./clock.ts";
import { prepareLimit, readLimiter, readRelay, sameType, switchRelay } from "./control.ts";
import { moment, nameOf, octets, scale, structure, testSession, whole, type Kept } from "./testSession.ts";

const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });
const noon = Date.UTC(2026, 10, 20, 12) / 1000;

describe("a clock", () => {
  const own = "8 0.0.1.0.0.255 2";
  const at = (deviation: number, status = 0): DlmsData => {
    const word = deviation & 0xffff;
    return octets(7, 0xea, 11, 20, 5, 12, 0, 0, 0, word >> 8, word & 0xff, status);
  };

  it.each<[string, DlmsData | undefined, object, number | null]>([
    ["of UTC", at(0), {}, noon],
    ["two hours east", at(-120), {}, noon - 7200],
    ["two hours east, the wrong way round", at(120), { isDeviationReversed: true }, noon - 7200],
    ["of a zone that is not sent", moment("2026-11-20T12:00:00"), {}, noon - 3600],
    ["of a zone that is not meant", at(-120), { isDeviationIgnored: true }, noon - 3600],
    ["in summer", moment("2026-11-20T12:00:00", 0x80), {}, noon - 7200],
    [
      "in a summer of half an hour",
      moment("2026-11-20T12:00:00", 0x80),
      { daylightMinutes: 30 },
      noon - 5400,
    ],
    ["in summer, with its zone", at(-120, 0x80), {}, noon - 7200],
    ["without a status", moment("2026-11-20T12:00:00", 0xff), {}, noon - 3600],
    ["that is doubtful", moment("2026-11-20T12:00:00", 0x02), {}, noon - 3600],
    ["that is invalid", moment("2026-11-20T12:00:00", 0x01), {}, null],
    ["as a number", whole("uint32", 77), {}, 77],
    ["that is no time", whole("uint16", 77), {}, null],
    ["that is missing", undefined, {}, null],
  ])("%s is an instant", (_, data, changes, expected) => {
    expect(instantOf(data, { utcOffsetMinutes: 60, ...changes })).toBe(expected);
  });

  it("is written in its standard time, with its zone as it understands it", () => {
    const zoned = { utcOffsetMinutes: 60 };

    expect(instantData(noon, zoned)).toEqual(octets(7, 0xea, 11, 20, 5, 13, 0, 0, 0, 0xff, 0xc4, 0));
    expect(instantData(noon, { ...zoned, isDeviationReversed: true })).toEqual(
      octets(7, 0xea, 11, 20, 5, 13, 0, 0, 0, 0, 60, 0),
    );
    expect(instantData(noon, { ...zoned, isDeviationIgnored: true })).toEqual(
      octets(7, 0xea, 11, 20, 5, 13, 0, 0, 0, 0x80, 0, 0),
    );
    const { session, changes } = testSession({ [own]: at(0) });
    expect(ended(readClock(session, zoned))).toBe(noon);
    ended(setClock(session, noon, zoned));
    expect(changes).toEqual([[own, instantData(noon, zoned)]]);
  });

  it.each([
    [900.4, 900],
    [-900.5, -900],
    [-1.5, -1],
    [2.5, 3],
  ])("is shifted by whole seconds: %d by %i", (seconds, shift) => {
    const { session, changes } = testSession({});
    ended(shiftClock(session, seconds));

    expect(changes).toEqual([["8 0.0.1.0.0.255 6", whole("int16", shift)]]);
  });

  it.each([900.5, -901])("is not shifted by %d seconds", (seconds) => {
    const { session, changes } = testSession({});

    expect(() => ended(shiftClock(session, seconds))).toThrow(
      refused("unexpected", "a clock is shifted by 900 s at most"),
    );
    expect(changes).toEqual([]);
  });
});

describe("a load switch", () => {
  const relay = "70 0.0.96.3.10.255";
  const read = (closed: DlmsData, state: number) =>
    testSession({
      [`${relay} 2`]: closed,
      [`${relay} 3`]: whole("enum", state),
      [`${relay} 4`]: whole("enum", 4),
    });

  /** Source: Blue Book 4.5.8. */
  it.each([
    [0, "disconnected"],
    [1, "connected"],
    [2, "ready_for_reconnection"],
  ])("in state %i is %s", (code, state) => {
    for (const isClosed of [true, false])
      expect(ended(readRelay(read({ type: "bool", value: isClosed }, code).session))).toEqual({
        ...{ isClosed, state, mode: 4 },
      });
  });

  it("in another state is refused, and may have another name", () => {
    expect(() => ended(readRelay(read({ type: "bool", value: true }, 3).session))).toThrow(
      refused("unexpected", "the meter names a state that there is not"),
    );
    const { session, asked } = testSession({});
    expect(() => ended(readRelay(session, "0.1.96.3.10.255"))).toThrow();
    expect(asked).toEqual(["70 0.1.96.3.10.255 2"]);
    const named = { [`${relay} 2`]: whole("uint8", 1), [`${relay} 3`]: { type: "null" } } as const;
    expect(() => ended(readRelay(testSession(named).session))).toThrow(
      refused("unexpected", "control state is no whole number, but null"),
    );
    const moded = { ...named, [`${relay} 3`]: whole("enum", 1), [`${relay} 4`]: { type: "null" } } as const;
    expect(() => ended(readRelay(testSession(moded).session))).toThrow(
      refused("unexpected", "control mode is no whole number, but null"),
    );
  });

  it("is switched by method 1 and 2", () => {
    const { session, changes } = testSession({});
    ended(switchRelay(session, false));
    ended(switchRelay(session, true));

    expect(changes).toEqual([
      [`${relay} 1`, whole("int8", 0)],
      [`${relay} 2`, whole("int8", 0)],
    ]);
  });
});

describe("a limiter", () => {
  const limiter = "71 0.0.17.0.0.255";
  const kept: Record<string, Kept> = {
    [`${limiter} 2`]: structure(whole("uint16", 3), nameOf("1.0.1.7.0.255"), whole("int8", 2)),
    [`${limiter} 3`]: whole("uint32", 1500),
    [`${limiter} 4`]: whole("uint16", 1600),
    [`${limiter} 6`]: whole("uint32", 60),
    [`${limiter} 7`]: whole("uint32", 30),
    "3 1.0.1.7.0.255 3": scale(1, 27),
  };
  const monitored = { classId: 3, obis: "1.0.1.7.0.255", attribute: 2 };

  it("has its thresholds in the unit of what it watches", () => {
    const read = (objects: Record<string, Kept>) => ended(readLimiter(testSession(objects).session));

    expect(read(kept)).toEqual({
      ...{ monitored, activeThreshold: 15_000, normalThreshold: 16_000 },
      ...{ minOverSec: 60, minUnderSec: 30, unit: 27 },
    });
    expect(read({ ...kept, "3 1.0.1.7.0.255 3": 4 })).toMatchObject({ activeThreshold: 1500, unit: 255 });
    expect(read({ ...kept, [`${limiter} 3`]: { type: "null" } })).toMatchObject({ activeThreshold: null });
    expect(read({ ...kept, "3 1.0.1.7.0.255 3": scale(-1, 33) })).toMatchObject({ normalThreshold: 160 });
  });

  it("that watches a demand register has its scale, and one that watches a number has none", () => {
    const demand = structure(whole("uint16", 5), nameOf("1.0.1.4.0.255"), whole("int8", 2));
    const plain = structure(whole("uint16", 1), nameOf("1.0.1.7.0.255"), whole("int8", 2));
    const five = testSession({ ...kept, [`${limiter} 2`]: demand, "5 1.0.1.4.0.255 4": scale(2, 27) });
    const one = testSession({ ...kept, [`${limiter} 2`]: plain });

    expect(ended(readLimiter(five.session))).toMatchObject({ activeThreshold: 150_000, unit: 27 });
    expect(ended(readLimiter(one.session))).toMatchObject({ activeThreshold: 1500, unit: 255 });
    expect(one.asked).not.toContain("1 1.0.1.7.0.255 3");
    for (const [count, words] of [
      [0, "class is no whole number, but missing"],
      [1, "logical name is no octet string, but missing"],
      [2, "attribute is no whole number, but missing"],
    ] as const) {
      const parts = [whole("uint16", 3), nameOf("1.0.1.7.0.255")].slice(0, count);
      const broken = testSession({ ...kept, [`${limiter} 2`]: structure(...parts) });
      expect(() => ended(readLimiter(broken.session))).toThrow(refused("unexpected", words));
    }
    const none = testSession({ ...kept, [`${limiter} 2`]: octets(1) });
    expect(() => ended(readLimiter(none.session))).toThrow(
      refused("unexpected", "monitored value is no list, but octets"),
    );
  });

  it("is set by writes in the type and the scale of the meter, which are only prepared", () => {
    const { session, changes } = testSession(kept);
    const attribute = (at: number) => ({ classId: 71, obis: "0.0.17.0.0.255", attribute: at });

    expect(ended(prepareLimit(session, { threshold: 7504 }))).toEqual([
      { attribute: attribute(4), value: whole("uint16", 750) },
    ]);
    const times = { minOverSec: 10.4, minUnderSec: 0 };
    expect(ended(prepareLimit(session, { threshold: 7506, ...times }))).toEqual([
      { attribute: attribute(4), value: whole("uint16", 751) },
      { attribute: attribute(6), value: whole("uint32", 10) },
      { attribute: attribute(7), value: whole("uint32", 0) },
    ]);
    expect(changes).toEqual([]);
  });
});

describe("a number in the type of another", () => {
  it.each([
    ["int8", -128, 127],
    ["uint8", 0, 255],
    ["int16", -32_768, 32_767],
    ["uint16", 0, 65_535],
    ["int32", -2_147_483_648, 2_147_483_647],
    ["uint32", 0, 4_294_967_295],
  ] as const)("%s is from %i to %i", (type, min, max) => {
    const kept: DlmsData = { type, value: 1 };

    expect([min + 0.4, max + 0.4].map((value) => sameType(kept, value))).toEqual([
      { type, value: min },
      { type, value: max },
    ]);
    for (const value of [min - 1, max + 1])
      expect(() => sameType(kept, value)).toThrow(
        refused("unexpected", `${String(value)} does not fit in ${type}`),
      );
  });

  it("may have a fraction, or 64 bits, and is none of a text", () => {
    expect(sameType({ type: "float32", value: 0 }, 1.5)).toEqual({ type: "float32", value: 1.5 });
    expect(sameType({ type: "float64", value: 0 }, 1.5)).toEqual({ type: "float64", value: 1.5 });
    expect(sameType({ type: "int64", value: 0n }, 1.6)).toEqual({ type: "int64", value: 2n });
    expect(sameType({ type: "uint64", value: 0n }, 1.4)).toEqual({ type: "uint64", value: 1n });
    expect(() => sameType({ type: "visible", value: "" }, 1)).toThrow(
      refused("unexpected", "the meter keeps visible where a number belongs"),
    );
  });
});
