import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import type { DecodedValue } from "../../core/reading.ts";
import { explainDlms, explainDlmsApdu } from "../decode/explain.ts";
import { numberOf, textOf, valueReadings } from "./show.ts";
import { partsOf } from "../testing/testSpans.ts";
import type { DlmsData } from "../types.ts";
import { encodeWrapper } from "../link/wrapper.ts";

const row = (name: string, value: DecodedValue["value"], type: string): DecodedValue => ({
  ...{ name, value, unit: "", function: type },
});
const byte: DlmsData = { type: "uint8", value: 7 };

describe("a value that is shown", () => {
  it.each<[DlmsData, number | null]>([
    ...(
      ["int8", "int16", "int32", "uint8", "uint16", "uint32", "enum", "bcd", "float32", "float64"] as const
    ).map((type): [DlmsData, number] => [{ type, value: 5 }, 5]),
    [{ type: "int64", value: -(2n ** 53n) + 1n }, -(2 ** 53) + 1],
    [{ type: "uint64", value: 2n ** 53n }, null],
    [{ type: "bool", value: true }, null],
    [{ type: "visible", value: "5" }, null],
  ])("%o is the number %s", (data, number) => {
    expect(numberOf(data)).toBe(number);
  });

  it.each<[DlmsData, DecodedValue["value"]]>([
    [{ type: "null" }, null],
    [{ type: "dontCare" }, null],
    [{ type: "bitString", count: 5, bytes: fromHex("a8") }, "10101"],
    [{ type: "bitString", count: 9, bytes: fromHex("0180") }, "000000011"],
    [{ type: "bool", value: true }, true],
    [{ type: "uint64", value: 5n }, 5],
    [{ type: "uint64", value: 2n ** 53n }, "9007199254740992"],
    [{ type: "visible", value: "Wh" }, "Wh"],
    [{ type: "date", value: { year: 2026, month: 1, day: null, weekday: null } }, "2026-01-??"],
    [{ type: "time", value: { hour: 1, minute: 2, second: 3, hundredths: null } }, "01:02:03"],
  ])("%o is %s", (data, value) => {
    expect(valueReadings("x", data)).toEqual([row("x", value, data.type)]);
  });

  it.each([
    ["4d5452", "MTR"],
    ["0100010800ff", "0100010800ff"],
    ["07ea0b14050c0000ff800000", "2026-11-20T12:00:00"],
    ["07ea0b14050c0000ffff8880", "2026-11-20T12:00:00+02:00"],
    ["07ea0b14050c0000ff003c80", "2026-11-20T12:00:00-01:00"],
    ["ffff0b14050c0000ff800000", "ffff0b14050c0000ff800000"],
    ["414243444546474849303132", "ABCDEFGHI012"],
  ])("octets %s are %s", (hex, value) => {
    const data: DlmsData = { type: "octets", value: fromHex(hex) };

    expect(valueReadings("x", data)).toEqual([{ ...row("x", value, "octets"), raw: hex }]);
  });

  it("in a list has its place, and octets are text if each of them is printable", () => {
    const list: DlmsData = { type: "structure", items: [byte, { type: "array", items: [byte, byte] }] };

    expect(valueReadings("x", list).map(({ name }) => name)).toEqual(["x.1", "x.2.1", "x.2.2"]);
    expect([
      textOf(fromHex("")),
      textOf(fromHex("1f")),
      textOf(fromHex("7f")),
      textOf(fromHex("207e")),
    ]).toEqual([...[undefined, undefined, undefined, " ~"]]);
  });
});

describe("bytes of a line that are explained", () => {
  const wrapped = encodeWrapper({ source: 1, destination: 16, payload: fromHex("c401c5001107") });

  it("over the wrapper have its header, noise between, and what is not whole", () => {
    const bytes = Uint8Array.from([9, 9, ...wrapped, ...wrapped.subarray(0, 9)]);

    expect(partsOf(explainDlms(bytes, "wrapper"))).toEqual([
      ...["2 noise", "2 wrapper_version", "2 source_wport", "2 destination_wport", "2 message_length"],
      ...["1 message_tag", "1 get_response", "1 invoke_id", "1 value_or_result", "1 value/type", "1 value"],
      ...["0 after_message", "2 wrapper_version", "2 source_wport", "2 destination_wport"],
      ...["2 message_length", "1 undecoded"],
    ]);
    expect(explainDlms(fromHex("0909"), "hdlc")).toEqual([
      { offset: 0, bytes: 2, name: "noise", value: null },
    ]);
    expect(explainDlms(fromHex(""), "hdlc")).toEqual([]);
  });

  it("that are no message are not decoded", () => {
    expect(partsOf(explainDlmsApdu(fromHex("ff00")))).toEqual(["2 undecoded"]);
  });
});
