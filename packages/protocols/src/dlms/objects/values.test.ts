import { describe, expect, it } from "vitest";
import type { AccessResult, DlmsData } from "../types.ts";
import { column, list, nameOf, octets, scale, structure, whole } from "./testSession.ts";
import {
  accessError,
  captureObjectOf,
  integerOf,
  isAbsent,
  isFailure,
  itemsOf,
  logicalName,
  logicalNameOf,
  numberOf,
  octetsOf,
  scalerUnitData,
  scalerUnitOf,
  textOf,
  valueOf,
} from "./values.ts";

const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });

/** Source: Green Book 9.5, Data-Access-Result. */
const results: readonly (readonly [code: number, words: string, kind: "refused" | "unsupported"])[] = [
  [1, "hardware fault", "refused"],
  [2, "temporary failure", "refused"],
  [3, "read-write denied", "refused"],
  [4, "object undefined", "unsupported"],
  [9, "object class inconsistent", "unsupported"],
  [11, "object unavailable", "unsupported"],
  [12, "type unmatched", "refused"],
  [13, "scope of access violated", "refused"],
  [14, "data block unavailable", "refused"],
  [15, "long get aborted", "refused"],
  [16, "no long get in progress", "refused"],
  [17, "long set aborted", "refused"],
  [18, "no long set in progress", "refused"],
  [19, "data block number invalid", "refused"],
  [250, "other reason", "refused"],
  [77, "result 77", "refused"],
];

describe("a data-access-result", () => {
  it.each(results)("%i is %s: %s", (code, words, kind) => {
    const attribute = { classId: 3, obis: "1.0.1.8.0.255", attribute: 2 };

    expect(accessError(code, "clock")).toMatchObject({ kind, message: `clock: ${words}`, detail: code });
    expect(() => valueOf({ kind: "error", code }, attribute)).toThrow(
      refused(kind, `1.0.1.8.0.255 attribute 2: ${words}`, code),
    );
  });

  it("tells whether a value is absent, or fails for now", () => {
    const all = results.map(([code]): AccessResult => ({ kind: "error", code }));
    const codesOf = (is: (result: AccessResult) => boolean) =>
      all.flatMap((each) => (each.kind === "error" && is(each) ? [each.code] : []));

    expect(codesOf(isAbsent)).toEqual([3, 4, 9, 11]);
    expect(codesOf(isFailure)).toEqual([1, 2]);
    const value: AccessResult = { kind: "data", value: whole("uint8", 4) };
    expect([isAbsent(value), isFailure(value)]).toEqual([false, false]);
  });
});

describe("a value", () => {
  it.each<[DlmsData | undefined, number | null]>([
    [whole("int8", -3), -3],
    [{ type: "int64", value: -5n }, -5],
    [{ type: "float32", value: 1.5 }, 1.5],
    [{ type: "float64", value: Number.POSITIVE_INFINITY }, null],
    [{ type: "float64", value: Number.NaN }, null],
    [{ type: "bool", value: true }, 1],
    [{ type: "bool", value: false }, 0],
    [{ type: "null" }, null],
    [{ type: "dontCare" }, null],
    [{ type: "visible", value: "5" }, null],
    [octets(5), null],
    [list(whole("uint8", 5)), null],
    [undefined, null],
  ])("%o is the number %s", (data, number) => {
    expect(numberOf(data)).toBe(number);
  });

  it.each<[DlmsData | undefined, string | null]>([
    [{ type: "visible", value: "Wh" }, "Wh"],
    [{ type: "utf8", value: "кВт" }, "кВт"],
    [octets(0x20, 0x7e), " ~"],
    [octets(0x41, 0x1f), "411f"],
    [octets(0x41, 0x7f), "417f"],
    [octets(), ""],
    [whole("uint8", 5), null],
    [undefined, null],
  ])("%o is the text %s", (data, text) => {
    expect(textOf(data)).toBe(text);
  });

  it("is a list, a whole number or octets, or is refused by its name and type", () => {
    const items = [whole("uint8", 5)];
    const compact: DlmsData = { type: "compactArray", description: { kind: "simple", tag: 0x11 }, items };

    for (const data of [list(...items), structure(...items), compact])
      expect(itemsOf(data, "rows")).toEqual(items);
    expect(integerOf(whole("int16", -300), "period")).toBe(-300);
    expect(octetsOf(octets(1, 2), "name")).toEqual(Uint8Array.of(1, 2));
    const [text, nothing] = [{ type: "visible", value: "5" } as const, undefined];
    expect(() => itemsOf(text, "rows")).toThrow(refused("unexpected", "rows is no list, but visible"));
    expect(() => itemsOf(nothing, "rows")).toThrow(refused("unexpected", "rows is no list, but missing"));
    expect(() => integerOf(text, "period")).toThrow(
      refused("unexpected", "period is no whole number, but visible"),
    );
    expect(() => integerOf(nothing, "period")).toThrow(
      refused("unexpected", "period is no whole number, but missing"),
    );
    expect(() => integerOf({ type: "float32", value: 1.5 }, "period")).toThrow(
      refused("unexpected", "period is no whole number, but float32"),
    );
    expect(() => octetsOf(text, "name")).toThrow(
      refused("unexpected", "name is no octet string, but visible"),
    );
    expect(() => octetsOf(nothing, "name")).toThrow(
      refused("unexpected", "name is no octet string, but missing"),
    );
  });
});

describe("a logical name", () => {
  it("has six bytes", () => {
    expect(logicalNameOf(octets(1, 0, 99, 1, 0, 255))).toBe("1.0.99.1.0.255");
    expect(logicalName("1.0.99.1.0.255")).toEqual(octets(1, 0, 99, 1, 0, 255));
    expect(logicalName("0.0.0.0.0.0")).toEqual(octets(0, 0, 0, 0, 0, 0));
    expect(() => logicalNameOf(octets(1, 0, 99, 1, 0))).toThrow(
      refused("unexpected", "logical name has 5 bytes"),
    );
    expect(() => logicalNameOf(octets(1), "script")).toThrow(refused("unexpected", "script has 1 bytes"));
    expect(() => logicalNameOf(whole("uint8", 1))).toThrow(
      refused("unexpected", "logical name is no octet string, but uint8"),
    );
  });

  it.each(["1.0.99.1.0", "1.0.99.1.0.255.0", "1.0.99.1.0.256", "1.0.99.1.0.-1", "1.0.99.1.0.x"])(
    "of a model is not %s",
    (obis) => {
      expect(() => logicalName(obis)).toThrow(RangeError);
    },
  );
});

it("scaler and unit, and a captured attribute, have their parts in order", () => {
  expect(scalerUnitOf(scale(-2, 35))).toEqual({ scaler: -2, unit: 35 });
  expect(scalerUnitData({ scaler: -2, unit: 35 })).toEqual(scale(-2, 35));
  expect(() => scalerUnitOf(whole("uint8", 1))).toThrow(
    refused("unexpected", "scaler and unit is no list, but uint8"),
  );
  expect(() => scalerUnitOf(structure())).toThrow(
    refused("unexpected", "scaler is no whole number, but missing"),
  );
  expect(() => scalerUnitOf(structure(whole("int8", 1)))).toThrow(
    refused("unexpected", "unit is no whole number, but missing"),
  );
  expect(captureObjectOf(column(7, "1.0.99.1.0.255", 3))).toEqual({
    ...{ classId: 7, obis: "1.0.99.1.0.255", attribute: 3, index: 0 },
  });
  const parts = [whole("uint16", 7), nameOf("1.0.99.1.0.255"), whole("int8", 2)];
  for (const [count, words] of [
    [0, "class is no whole number, but missing"],
    [1, "logical name is no octet string, but missing"],
    [2, "attribute is no whole number, but missing"],
    [3, "data index is no whole number, but missing"],
  ] as const)
    expect(() => captureObjectOf(structure(...parts.slice(0, count)))).toThrow(refused("unexpected", words));
  expect(() => captureObjectOf(whole("uint8", 1))).toThrow(
    refused("unexpected", "capture object is no list, but uint8"),
  );
});
