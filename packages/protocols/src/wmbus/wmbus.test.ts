import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { putInChecks, takeOutChecks } from "./blocks.ts";
import { formatCache } from "./compact.ts";
import { crcEn13757 } from "./crc.ts";
import { decodeWmbus } from "./decode.ts";
import { explainWmbus } from "./driver.ts";
import { buildTelegram, type TelegramPlan } from "./encode.ts";
import { wmbusFuzz } from "./seeds.ts";
import { readWmbus } from "./telegram.ts";

const key = fromHex("000102030405060708090a0b0c0d0e0f");
const otherKey = fromHex("000102030405060708090a0b0c0d0e10");
const meter = {
  manufacturer: "MTR",
  id: "12345678",
  version: 1,
  medium: 7,
  accessNumber: 42,
  counter: 9,
  key,
} as const;
const module = { manufacturer: "RAD", id: "87654321", version: 2, medium: 0x37 } as const;
const records = fromHex("0c13 78563412 0b3b 270100 02fd17 0000 046d 2f0b7d3b");
/** Example N.2.1 of OMS vol. 2, annex N: a gas meter, security profile A, with the check sums of format A. */
const omsProfileA =
  "2E44931578563412330333637A2A0020255923C95AAA26D1B2E7493BC2AD013EC4A6F6D3529B520EDFF0EA6DEFC955B29D6D69EBF3EC8A";
const omsKeyA = "0102030405060708090A0B0C0D0E0F11";
/** The same meter with security profile B (mode 7) of the same annex. */
const omsProfileB =
  "434493157856341233038C2075900F002C25B30A000021924D4F2FB66E017A75002007109058475F4BC91DF878B80A1B0F98B629024AAC727942BFC549233C0140829B93";
const omsKeyB = "000102030405060708090A0B0C0D0E0F";

const errorOf = (read: () => unknown): ProtocolError => {
  try {
    read();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};
const build = (plan: Partial<TelegramPlan>): Uint8Array =>
  buildTelegram(records, { ...meter, security: "none", ...plan });
const volume = { quantity: "Volume", value: 12_345.678, unit: "m^3" };

describe("the examples of the standard", () => {
  it("with profile A are decrypted with their key", () => {
    const { readings, device } = decodeWmbus(fromHex(omsProfileA), { key: omsKeyA });

    expect(device).toMatchObject({
      id: "12345678",
      manufacturer: "ELS",
      medium: "Gas",
      protection: "mode 5",
      checkSums: "A",
    });
    expect(readings).toMatchObject([
      { name: "Volume", value: 28_504.27, unit: "m^3" },
      { name: "Time point (date & time)", value: "2008-05-31T23:50:00Z" },
      { name: "Error flags", value: 0 },
    ]);
  });

  it("with profile B are decrypted with a derived key, after their MAC was checked", () => {
    const { readings, device } = decodeWmbus(fromHex(omsProfileB), { key: omsKeyB });

    expect(device).toMatchObject({ id: "12345678", protection: "mode 7", accessNumber: 0x75 });
    expect(readings[0]).toMatchObject({ name: "Volume", value: 28_504.27 });
    const changed = fromHex(omsProfileB.replace("A4D4F2FB6", "A4D4F3FB6").replace("4D4F2F", "4D4F3F"));
    expect(errorOf(() => decodeWmbus(changed, { key: omsKeyB })).kind).toBe("bad_password");
  });

  it("without a key give an error and no readings", () => {
    expect(errorOf(() => decodeWmbus(fromHex(omsProfileA))).kind).toBe("bad_password");
    expect(errorOf(() => decodeWmbus(fromHex(omsProfileB))).kind).toBe("bad_password");
  });
});

describe("checksums of the radio frame", () => {
  it("follow EN 13757-4", () => {
    expect(crcEn13757(fromHex("2E449315785634123303"))).toBe(0x3363);
  });

  it("of both formats are found, checked and removed, at every length", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 10, maxLength: 240 }),
        fc.constantFrom("A", "B", "none"),
        (body, format) => {
          const bytes = Uint8Array.of(body.length, ...body);
          const cleaned = takeOutChecks(putInChecks(bytes, format));
          expect(cleaned.format).toBe(format);
          expect(toHex(cleaned.bytes)).toBe(toHex(bytes));
        },
      ),
    );
  });

  it("that are wrong are an error of kind checksum", () => {
    const damaged = fromHex(omsProfileA);
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    expect(errorOf(() => readWmbus(damaged)).kind).toBe("checksum");
  });

  it("leave a truncated telegram undecoded", () => {
    expect(errorOf(() => readWmbus(fromHex(omsProfileA).subarray(0, 20))).kind).toBe("unexpected");
  });
});

const protections = [
  ["none", {}],
  ["mode 5", { security: "mode5" }],
  ["mode 5", { security: "mode5", module, format: "A" }],
  ["mode 7", { security: "mode7", format: "B" }],
  ["extended link layer", { security: "extended" }],
] as const;

it.each(protections.slice(1))(
  "protection %s %o gives bad_password for a wrong key and for none",
  (_, plan) => {
    expect(errorOf(() => readWmbus(build(plan), { key: otherKey })).kind).toBe("bad_password");
    expect(errorOf(() => readWmbus(build(plan))).kind).toBe("bad_password");
  },
);

describe.each(protections)("a telegram with protection %s %o", (protection, plan) => {
  it("decodes to what was built, of the meter and not of its radio module", () => {
    const telegram = readWmbus(build(plan), { key });

    expect(telegram).toMatchObject({
      protection,
      meter: { id: "12345678", manufacturer: "MTR", version: 1, medium: 7 },
    });
    expect(telegram.link.id).toBe("module" in plan ? "87654321" : "12345678");
    expect(telegram.records[0]).toMatchObject(volume);
  });

  it("has a description of every byte, and marks decrypted ones", () => {
    const bytes = build(plan);
    const trace: Span[] = [];
    readWmbus(bytes, { key, trace });

    expect(trace.reduce((sum, span) => sum + span.bytes, 0)).toBe(bytes.length);
    if (protection !== "none")
      expect(trace.some(({ name }) => typeof name !== "string" && name.isDecrypted)).toBe(true);
    expect(explainWmbus(bytes).reduce((sum, span) => sum + span.bytes, 0)).toBe(bytes.length);
  });
});

describe("a compact frame", () => {
  const compact = build({ security: "extended", isCompact: true });

  it("is read after its full frame has been received", () => {
    const formats = formatCache();
    expect(errorOf(() => readWmbus(compact, { key, formats })).kind).toBe("unsupported");
    readWmbus(build({ security: "mode5" }), { key, formats: formatCache() });
    readWmbus(build({ security: "extended" }), { key, formats });

    expect(readWmbus(compact, { key, formats }).records[0]).toMatchObject(volume);
  });

  it("is read with a known format", () => {
    const formats = formatCache(["0c13 0b3b 02fd17 046d"]);
    expect(readWmbus(compact, { key, formats }).records).toHaveLength(4);
  });

  it("whose data do not match the full frame is refused", () => {
    const formats = formatCache(["0c13 0b3b 02fd17 046d"]);
    const plain = build({ isCompact: true });
    plain[plain.length - 1] = (plain.at(-1) ?? 0) ^ 1;
    expect(errorOf(() => readWmbus(plain, { formats })).kind).toBe("checksum");
  });

  it("evicts the oldest format from a full cache", () => {
    const formats = formatCache([], 2);
    for (const code of ["0c13", "0c14", "0c15"]) formats.learn([fromHex(code)]);
    expect(formats.find(crcEn13757(fromHex("0c13")))).toBeUndefined();
    expect(formats.find(crcEn13757(fromHex("0c15")))).toHaveLength(1);
  });
});

describe("a telegram that cannot be decoded", () => {
  it.each([
    ["security mode 13", "1444931578563412330 37a2a00000d 0c13 78563412", "unsupported"],
    ["a CI for meters", "0f449315785634123303 5a 2a00000d00", "unsupported"],
    ["fragments", "13449315785634123303 90 02 0140 7a2a000000", "unsupported"],
    ["an error report", "0b449315785634123303 70 08", "refused"],
    [
      "a broken payload check sum",
      "1844931578563412330 38d 20 01 00000000 1234 78 0c13 78563412",
      "checksum",
    ],
  ])("with %s says so", (_, hex, kind) => {
    const bytes = fromHex(hex.replaceAll(" ", ""));
    bytes[0] = bytes.length - 1;
    expect(errorOf(() => readWmbus(bytes)).kind).toBe(kind);
  });

  it("with a manufacturer CI keeps the bytes and warns", () => {
    const { readings, warnings } = decodeWmbus(fromHex("0d449315785634123303 a2 010203"));
    expect(readings).toMatchObject([{ value: null, raw: "010203" }]);
    expect(warnings.join()).toContain("kept raw");
  });

  it("with a truncated record gives the complete ones and a warning", () => {
    const bytes = fromHex("00449315785634123303 78 0c13 78563412 0c13 7856");
    bytes[0] = bytes.length - 1;
    const { readings, warnings } = decodeWmbus(bytes);
    expect(readings).toHaveLength(1);
    expect(warnings.join()).toContain("end early");
  });
});

it("decrypted by the receiver is read without a key, with a warning", () => {
  const bytes = fromHex("00449315785634123303 7a 2a00 1005 2f2f 0c13 78563412 2f2f2f2f2f2f2f2f");
  bytes[0] = bytes.length - 1;
  expect(readWmbus(bytes)).toMatchObject({ protection: "removed", records: [volume] });
  expect(errorOf(() => readWmbus(bytes, { key })).kind).toBe("bad_password");
});

it.each(wmbusFuzz)("$name throws nothing but ProtocolError", ({ seeds, decode }) => {
  const damaged = fc
    .tuple(fc.constantFrom(...seeds), fc.nat(120), fc.nat(255), fc.nat(200))
    .map(([seed, place, value, cut]) => {
      const bytes = Uint8Array.from(seed, (byte, index) => (index === place ? value : byte));
      return cut < bytes.length ? bytes.subarray(0, cut) : bytes;
    });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 80 })), (bytes) => {
      try {
        decode(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    }),
    { numRuns: 1000 },
  );
});
