import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeMbus } from "./decode.ts";
import { encodeRecord, parseCode } from "./encode.ts";
import { explainBytes } from "./explain.ts";
import { ackFrame, control, longFrame, matchAnswer, parseFrame, shortFrame } from "./frame.ts";
import { manufacturerLetters, manufacturerWord } from "./header.ts";
import { decodeRecords, type MbusRecord } from "./records.ts";
import { mbusFuzz } from "./seeds.ts";
import { codeOf } from "../core/spans.ts";

const one = (hex: string): MbusRecord => {
  const [record] = decodeRecords(fromHex(hex)).records;
  if (!record) throw new Error("no record");
  return record;
};

const errorOf = (read: () => unknown): ProtocolError => {
  try {
    read();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

describe("link layer", () => {
  it("builds and reads short, long and control frames", () => {
    expect(toHex(shortFrame(0x7b, 5))).toBe("107b058016");
    expect(toHex(longFrame(0x53, 0xfe, 0x50))).toBe("6803036853fe50a116");
    expect(parseFrame(fromHex("107b058016"))).toEqual({ kind: "short", control: 0x7b, address: 5 });
    expect(parseFrame(longFrame(0x08, 3, 0x78, [1, 2]))).toMatchObject({
      kind: "long",
      ci: 0x78,
      dataOffset: 7,
    });
    expect(parseFrame(ackFrame)).toEqual({ kind: "ack" });
  });

  it("distinguishes a wrong checksum from a broken frame", () => {
    expect(errorOf(() => parseFrame(fromHex("107b058116"))).kind).toBe("checksum");
    expect(errorOf(() => parseFrame(fromHex("680304680801707916"))).kind).toBe("unexpected");
    expect(errorOf(() => parseFrame(fromHex("680303680801707917"))).kind).toBe("unexpected");
  });

  it("waits for the complete frame and skips noise, the echo, and a late answer of another meter", () => {
    const request = shortFrame(0x7b, 5);
    const foreign = longFrame(control.rspUd, 6, 0x78, [0x2f]);
    const wanted = longFrame(control.rspUd, 5, 0x78, [0x2f, 0x2f]);
    const received = Uint8Array.of(0, 0x68, ...request, 0xe5, ...foreign, ...wanted);
    const match = matchAnswer("data", 5);

    const skip = received.length - wanted.length;
    expect(match(received)).toEqual({ state: "frame", length: wanted.length, skip });
    for (let count = 0; count < received.length; count++)
      expect(match(received.subarray(0, count)).state).toBe("more");
  });

  it("skips the echo of a selection before the acknowledgement", () => {
    const select = longFrame(control.sndUd, 253, 0x52, fromHex("78563412ffffffff"));
    const match = matchAnswer("ack");

    expect(match(Uint8Array.of(...select, 0xe5))).toEqual({ state: "frame", length: 1, skip: select.length });
    expect(match(select).state).toBe("more");
  });

  it("fails the try when the frame is complete and its checksum is wrong", () => {
    const damaged = longFrame(control.rspUd, 5, 0x78, [0x2f]);
    damaged[7] = 0x2e;

    expect(errorOf(() => matchAnswer("data", 5)(damaged)).kind).toBe("checksum");
  });
});

describe("data records", () => {
  it.each([
    ["0c06 78563412", { quantity: "Energy", value: 12_345_678_000, unit: "Wh" }],
    ["04fb01 02000000", { quantity: "Energy", value: 2_000_000, unit: "Wh" }],
    ["04fb09 02000000", { quantity: "Energy", value: 2e9, unit: "J" }],
    ["0a5a 01f0", { quantity: "Flow temperature", value: -0.1, unit: "°C" }],
    ["02fd48 fc08", { quantity: "Voltage", value: 230, unit: "V" }],
    ["03fd59 9cffff", { quantity: "Current", value: -0.1, unit: "A" }],
    ["04fdc8fc01 fc080000", { quantity: "Voltage", value: 230, modifiers: ["phase L1"] }],
    ["052b 0000c03f", { quantity: "Power", value: 1.5, unit: "W" }],
    ["0703 0000000001000000", { quantity: "Energy", value: 2 ** 32 }],
    ["8440 13 01000000", { subunit: 1, storage: 0 }],
    ["c4d140 13 01000000", { storage: 3, tariff: 1, subunit: 3 }],
    ["1413 01000000", { function: "maximum" }],
    ["0d78 03 434241", { value: "ABC" }],
    ["0d78 c2 3412", { value: 1234 }],
    ["0d78 d2 3412", { value: -1234 }],
    ["0d78 e2 0102", { value: 0x0201 }],
    ["02fc 03 485225 74 3412", { quantity: "%RH", value: 46.6, unit: "-" }],
    ["049378 0a000000", { value: 0.010001 }],
    ["04937d 0a000000", { value: 10 }],
    ["02fd17 ff80", { quantity: "Error flags", value: 0x80ff }],
    ["42ec7e 3f0c", { value: "2001-12-31", modifiers: ["future"] }],
    ["02db50 0500", { value: 5, unit: "s", modifiers: ["duration of first lower limit exceed"] }],
    ["01ffe1ff01 0d", { quantity: "Manufacturer specific", modifiers: ["maker e1", "maker ff", "maker 01"] }],
  ])("%s", (hex, expected) => {
    expect(one(hex)).toMatchObject(expected);
  });

  it.each([
    ["BCD that is all F", "0c13 ffffffff"],
    ["BCD with a hex digit", "0c13 0a000000"],
    ["the invalid integer", "0213 0080"],
    ["a float that is no number", "0513 0000c07f"],
    ["a date that is not set", "026c ffff"],
    ["a date of day 0", "026c 0000"],
    ["a day that no month has", "026c 5f02"],
    ["a date-time that is marked invalid", "046d af0b7d3b"],
    ["a value whose error is given", "0c9318 00000000"],
    ["a record without data", "0013"],
  ])("gives null for %s", (_, hex) => {
    expect(one(hex).value).toBeNull();
  });

  it("reads dates of types F, G, I and J, with the summer hour", () => {
    expect(one("046d 2f0b7d3b")).toMatchObject({ value: "2027-11-29T11:47:00Z" });
    expect(one("046d 2f8b7d3b").stamp).toMatchObject({ summerHours: 1 });
    expect(one("066d 1e2d0b7d3b00")).toMatchObject({ value: "2027-11-29T11:45:30Z" });
    expect(one("036d 1e2d0b").value).toBe("11:45:30");
    expect(one("026c 21b1").value).toBe("1989-01-01");
  });

  it("keeps manufacturer data raw and reports that more telegrams follow", () => {
    const { records, isMoreFollowing } = decodeRecords(fromHex("2f 0413 01000000 1f aabb"));

    expect(isMoreFollowing).toBe(true);
    expect(records.at(-1)).toMatchObject({ kind: "maker", value: "AA BB" });
  });

  it.each([
    ["data that ends early", "0413 0100", "unexpected"],
    ["eleven DIFE", "84 8080808080808080808000 13 01000000", "unexpected"],
    ["eleven VIFE", "04 93 8080808080808080808000 01000000", "unexpected"],
    ["a text longer than the frame", "02fc ff 41", "unexpected"],
    ["a reserved DIF", "3f", "unsupported"],
    ["a reserved LVAR", "0d13 fb", "unsupported"],
  ])("refuses %s", (_, hex, kind) => {
    expect(errorOf(() => decodeRecords(fromHex(hex))).kind).toBe(kind);
  });

  it("decodes what it encodes", () => {
    const codes = ["0c13", "0413", "0613", "0b3b", "0e03", "8410fb01", "0a5a", "c40113", "02fd48", "052b"];
    for (const text of codes) {
      const code = parseCode(text);
      const scale = code.meaning.factor * 10 ** code.meaning.exponent;
      const record = one(toHex(encodeRecord(code, 123 * scale)));
      expect(Number(record.value) / scale, text).toBeCloseTo(123, 6);
      if (text !== "052b") expect(one(toHex(encodeRecord(code, null))).value, text).toBeNull();
    }
  });
});

describe("telegrams", () => {
  const header = "78563412 2d2c 01 04 2a 04 0000";

  it("names the meter and its status", () => {
    const decoded = decodeMbus(longFrame(0x08, 5, 0x72, fromHex(`${header} 0c13 01000000`)));

    expect(decoded.device).toEqual({
      address: 5,
      id: "12345678",
      manufacturer: "KAM",
      version: 1,
      medium: "Heat: Outlet",
      accessNumber: 0x2a,
      status: 4,
    });
    expect(decoded.warnings).toEqual(["status: power low"]);
    expect(decoded.readings).toMatchObject([
      { name: "Volume", value: 0.001, unit: "m^3", storage: 0, tariff: 0 },
    ]);
  });

  it("reads the high byte first with CI 76 and 77", () => {
    const variable = decodeMbus(
      longFrame(0x08, 5, 0x76, fromHex("12345678 2c2d 01 04 2a 00 0000 0413 00000102")),
    );
    const fixed = decodeMbus(longFrame(0x08, 5, 0x77, fromHex("12345678 0a 01 e9 7e 00000102 00000001")));

    expect(variable.device).toMatchObject({ id: "12345678", manufacturer: "KAM" });
    expect(variable.readings).toMatchObject([{ value: 0.258 }]);
    expect(fixed.device).toMatchObject({ id: "12345678", medium: "Water" });
    expect(fixed.readings).toMatchObject([{ value: 258, unit: "l" }, { value: 1 }]);
  });

  it("throws an error report of the meter with its code", () => {
    const error = errorOf(() => decodeMbus(longFrame(0x08, 5, 0x70, [8])));

    expect(error).toMatchObject({ kind: "refused", detail: 8 });
  });

  it("refuses requests of the master, unknown CI fields and encrypted records", () => {
    const encrypted = fromHex("78563412 2d2c 01 04 2a 00 1005 2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f");

    for (const frame of [
      shortFrame(0x7b, 5),
      longFrame(0x53, 5, 0x51, [0x01, 0x7a, 0x08]),
      longFrame(0x08, 5, 0xb7, [1]),
      longFrame(0x08, 5, 0x72, encrypted),
    ])
      expect(errorOf(() => decodeMbus(frame)).kind).toBe("unsupported");
  });

  it("has no value for BCD with hex digits, and a warning", () => {
    const decoded = decodeMbus(longFrame(0x08, 5, 0x78, fromHex("0c13 0b000000")));

    expect(decoded.readings).toMatchObject([{ value: null, raw: "0b000000" }]);
    expect(decoded.warnings).toEqual(["record 1: digits are not decimal, no value (0.011)"]);
  });

  it.each(["0c13eeeeeeee", "0c06eeeeeeee", "0a5aeeee", "0b3beeeeee"])("has no value for %s", (record) => {
    const decoded = decodeMbus(longFrame(0x08, 5, 0x78, fromHex(record)));

    expect(decoded.readings).toMatchObject([{ value: null }]);
    expect(decoded.warnings.join()).toContain("digits are not decimal");
  });

  it("packs the manufacturer's letters", () => {
    expect(manufacturerLetters(0x2c2d)).toBe("KAM");
    expect(manufacturerWord("KAM")).toBe(0x2c2d);
  });
});

const areBytesCoveredOnce = (spans: readonly Span[], length: number): boolean => {
  let at = 0;
  for (const span of spans) {
    if (span.offset !== at) return false;
    at += span.bytes;
  }
  return at === length;
};

describe("explanation", () => {
  it("describes every byte of requests and answers once", () => {
    for (const { seeds } of mbusFuzz)
      for (const seed of seeds)
        expect(areBytesCoveredOnce(explainBytes(seed), seed.length), toHex(seed)).toBe(true);
    const names = explainBytes(mbusFuzz[0]?.seeds[0] ?? ackFrame).map(({ name }) => name);
    expect(names).toContain("identification_number");
    expect(names).toContainEqual({ code: "energy", unit: "Wh" });
    expect(names.filter((name) => codeOf(name) === "undecoded")).toEqual([]);
  });

  it("covers random bytes too", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        areBytesCoveredOnce(explainBytes(bytes), bytes.length),
      ),
    );
  });
});

describe("any bytes", () => {
  const onlyProtocolErrors = (decode: (bytes: Uint8Array) => unknown, bytes: Uint8Array): void => {
    try {
      decode(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  };

  it.each(mbusFuzz)("$name throws nothing but ProtocolError on random bytes", ({ decode }) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 270 }), (bytes) => onlyProtocolErrors(decode, bytes)),
      { numRuns: 10_000 },
    );
  });

  it.each(mbusFuzz)("$name throws nothing but ProtocolError on changed frames", ({ seeds, decode }) => {
    const change = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.constantFrom(...seeds), change, fc.nat({ max: 400 }), (seed, changes, cut) => {
        const bytes = cut < seed.length && cut % 5 === 0 ? seed.slice(0, cut) : seed.slice();
        for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
        onlyProtocolErrors(decode, bytes);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe("a profile", () => {
  const values = (hex: string) =>
    decodeRecords(fromHex(hex))
      .records.filter(({ modifiers }) => modifiers.some((word) => word.startsWith("profile value")))
      .map(({ value, at }) => [value, at && new Date(at.local * 1000).toISOString().slice(0, 10)]);

  it("of increments adds up from the value and date of its storage number", () => {
    expect(values("8b046e 000100 82046c 5f2a 8d04ee1f 08 72fe 0000 0300 1600")).toEqual([
      [100, "2018-11-30"],
      [103, "2018-12-31"],
      [125, "2019-01-31"],
    ]);
  });

  it("that is inverse goes back in time, and missing values stay missing", () => {
    expect(values("82046c 4132 8d04ee13 0b 3bfe 270600 ffffff 760100")).toEqual([
      [627, "2026-01-01"],
      [null, "2025-12-01"],
      [176, "2025-11-01"],
    ]);
  });

  it("that is inverse and of increments yields nothing without its base, and nothing below zero", () => {
    const increments = "82046c 5f2a 8d04ee13 08 72fe 0000 0300 1600";

    expect(values(increments)).toEqual([]);
    expect(values(`8b046e 000100 ${increments}`)).toEqual([
      [100, "2018-09-30"],
      [97, "2018-08-31"],
      [75, "2018-07-31"],
    ]);
    expect(values(`8b046e 100000 ${increments}`).map(([value]) => value)).toEqual([10, 7]);
  });

  it("of an invalid layout stays raw", () => {
    expect(values("8d04ee1f 03 7dfe 00")).toEqual([]);
    expect(values("8d04ee1f 01 72")).toEqual([]);
  });
});
