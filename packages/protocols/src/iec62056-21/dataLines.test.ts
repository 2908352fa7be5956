import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "../core/errors.ts";
import { numberOf, parseDataLines, parseObis } from "./dataLine.ts";
import { decodeIec62056, explainIec } from "./decode.ts";
import { commandBlock, dataBlock, matchMessage } from "./message.ts";
import { iec62056Fuzz } from "./seeds.ts";
import { parseStamp, parseTime, toEpoch } from "./stamps.ts";
import { bytesOf } from "./text.ts";

const errorOf = (act: () => unknown): ProtocolError | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  return undefined;
};
const damaged = (block: Uint8Array) => block.map((byte, at) => (at === 2 ? byte ^ 1 : byte));

describe("data lines", () => {
  it("hold several brackets, several sets, empty brackets and continuations", () => {
    expect(
      parseDataLines("1.8.0(1*kWh)()2.8.0(2)\r\n(3)\r\n!\r\nrest").map(({ address, values }) => [
        address,
        values,
      ]),
    ).toEqual([
      [
        "1.8.0",
        [
          { value: "1", unit: "kWh" },
          { value: null, unit: "" },
        ],
      ],
      [
        "2.8.0",
        [
          { value: "2", unit: "" },
          { value: "3", unit: "" },
        ],
      ],
    ]);
    expect(errorOf(() => parseDataLines("1.8.0(1"))).toMatchObject({ kind: "unexpected", offset: 5 });
    expect(errorOf(() => parseDataLines("text"))?.kind).toBe("unexpected");
  });

  it("have a decimal point or a decimal comma", () => {
    expect(["000007,4", "-12,50", "3.125", "7"].map(numberOf)).toEqual([7.4, -12.5, 3.125, 7]);
    expect(["1,234,5", "1.234,5", ",5", "5,", "", null].map(numberOf)).toEqual(Array(6).fill(null));
  });

  it("end at a mark behind the last bracket too", () => {
    expect(parseDataLines("1.6(00000,5*kW)\r\n1.6*1(3)!\r\nrest")).toHaveLength(2);
    expect(parseDataLines("C.1(!)\r\nC.2(a!)\r\n").map(({ address }) => address)).toEqual(["C.1", "C.2"]);
  });

  it("that are broken cost no other one, in a block with a checksum", () => {
    const { readings, warnings } = decodeIec62056(
      dataBlock("1.8.0(1*kWh)\r\n98.1.0\r\n(9)\r\n2.8.0(2*kWh)\r\n!\r\n"),
    );

    expect(readings.map(({ name, value }) => [name, value])).toEqual([
      ["1.8.0", 1],
      ["2.8.0", 2],
    ]);
    expect(warnings).toEqual(["a line is left out: text without brackets at byte 16"]);
    expect(errorOf(() => decodeIec62056(dataBlock("98.1.0\r\n!\r\n")))?.kind).toBe("unexpected");
  });

  it("name a value in any of the usual notations", () => {
    for (const address of ["1.8.0", "1-0:1.8.0", "1-1:1.8.0*255", "1.8"])
      expect(parseObis(address).code).toBe("1.8.0");
    expect(parseObis("1.8.0&03").billing).toBe(3);
    expect(parseObis("F.F").code).toBe("F.F");
  });

  it("write dates in many forms", () => {
    const local = Date.UTC(2026, 10, 22, 13, 5, 9) / 1000;
    for (const text of [
      "261122130509",
      "0261122130509",
      "22.11.26 13:05:09",
      "7.22.11.26 13:05:09",
      "2026-11-22 13:05:09",
    ])
      expect(parseStamp(text)?.local, text).toBe(local);
    expect(parseStamp("261122")).toEqual({ local: Date.UTC(2026, 10, 22) / 1000, dateOnly: true });
    expect(parseStamp("260722120000S")).toMatchObject({ isSummer: true });
    expect(toEpoch({ local, isSummer: true, dateOnly: false }, 60)).toBe(local - 7200);
    for (const text of ["261322", "", "632525252525W", "12:00", "26112"])
      expect(parseStamp(text), text).toBeUndefined();
    expect(["130509", "1130509", "13:05:09", "13:05", "1305"].map(parseTime)).toEqual([
      47109, 47109, 47109, 47100, 47100,
    ]);
    expect(parseTime("25:00")).toBeUndefined();
  });
});

describe("a message", () => {
  it("of mode D is an identification and bare lines", () => {
    const sent = bytesOf(
      "/MTR5Q3 V1\r\n\r\n1-0:1.8.0*255(000321.0456789*kWh)\r\n1-0:1.7.0*255(-000045.50*W)\r\n!\r\n",
    );

    const { device, readings, warnings } = decodeIec62056(sent);

    expect(device).toMatchObject({ manufacturer: "MTR", type: "Q3 V1" });
    expect(readings.map(({ value }) => value)).toEqual([321.0456789, -45.5]);
    expect(warnings).toEqual(["bare data lines, no checksum"]);
    expect(errorOf(() => decodeIec62056(bytesOf("/MTR5Q3 V1\r\n\r\n!\r\n")))?.kind).toBe("unexpected");
  });

  it("is decoded for display without passwords", () => {
    const secret = decodeIec62056(commandBlock("P1", "(777777)"), { trace: [] });

    expect(JSON.stringify(secret)).not.toContain("777777");
    expect(decodeIec62056(dataBlock("(ERR12)")).readings).toEqual([
      { name: "result", value: "ERR12", unit: "" },
    ]);
    expect(decodeIec62056(bytesOf("1.8.0(000123.5*kWh)\r\n")).readings).toEqual([
      { name: "1.8.0", value: 123.5, unit: "kWh" },
    ]);
    expect(errorOf(() => decodeIec62056(damaged(dataBlock("1.8.0(1)"))))?.kind).toBe("checksum");
    expect(explainIec(bytesOf("/MTR5SIM\r\n")).map(({ name }) => name)).toEqual([
      "manufacturer",
      "speed",
      "device_type",
    ]);
  });

  it("is found behind noise and only when complete", () => {
    const block = dataBlock("1.8.0(1*kWh)");

    expect(matchMessage(Uint8Array.from([0, 0, ...block]))).toEqual({
      state: "frame",
      length: block.length,
      skip: 2,
    });
    expect(matchMessage(block.subarray(0, -1))).toMatchObject({ state: "more" });
  });

  it("throws nothing but ProtocolError on changed bytes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...iec62056Fuzz.seeds),
        fc.array(fc.nat(), { maxLength: 6 }),
        (seed, changes) => {
          const bytes = Uint8Array.from(seed);
          for (const change of changes) bytes[change % bytes.length] = change >> 8;

          errorOf(() => iec62056Fuzz.decode(bytes));
        },
      ),
    );
  });
});

it("names every byte of a block in the log, control characters too", () => {
  const block = dataBlock("1.8.0(1)\r\n");

  const spans = explainIec(block);

  expect(spans.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(block.length);
  expect(spans.map(({ name }) => name)).toEqual([
    "stx",
    { code: "data_set", n: "1.8.0" },
    "cr_lf",
    "etx_bcc",
  ]);
});
