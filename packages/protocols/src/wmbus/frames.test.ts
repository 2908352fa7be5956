import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { codeOf } from "../core/spans.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { placedSpans, putInChecks, takeOutChecks } from "./blocks.ts";
import { decodeCompact, formatCache, formatOf, signatureOf, splitHeads } from "./compact.ts";
import { crcEn13757 } from "./crc.ts";
import { keyOf } from "./crypto.ts";
import { buildTelegram, type TelegramPlan } from "./encode.ts";

/** A telegram of this many bytes altogether, from L on. */
const ofBytes = (count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, at) => (at === 0 ? count - 1 : at));
const flipped = (bytes: Uint8Array, at: number) =>
  bytes.map((byte, place) => (place === at ? byte ^ 1 : byte));

describe("the check sums of the radio", () => {
  // Source: EN 13757-4:2019, 12.3: a block of 10 bytes, then of 16; or of up to 126 bytes, then of the rest.
  it.each([
    [11, 15],
    [26, 30],
    [27, 33],
    [42, 48],
    [43, 51],
    [58, 66],
  ])("of format A make %i bytes %i", (count, all) => {
    expect(putInChecks(ofBytes(count), "A")).toHaveLength(all);
    expect(takeOutChecks(putInChecks(ofBytes(count), "A")).bytes).toEqual(ofBytes(count));
  });

  it.each([
    [11, 13],
    [126, 128],
    [127, 131],
    [200, 204],
  ])("of format B make %i bytes %i, which L counts", (count, all) => {
    const sent = putInChecks(ofBytes(count), "B");

    expect([sent.length, sent[0]]).toEqual([all, all - 1]);
    expect(takeOutChecks(sent)).toMatchObject({ bytes: ofBytes(count), format: "B", surplus: 0 });
  });

  it("leave a telegram without them as it is, and fit L", () => {
    expect(putInChecks(ofBytes(20), "none")).toEqual(ofBytes(20));
    expect(() => putInChecks(ofBytes(255), "B")).toThrow(RangeError);
    expect(putInChecks(ofBytes(252), "B")[0]).toBe(255);
  });

  it("stand behind each block, and are named there", () => {
    const sent = putInChecks(ofBytes(30), "A");
    const { origins, spans, surplus } = takeOutChecks(Uint8Array.of(...sent, 9, 9, 9));

    expect(toHex(sent.subarray(10, 12))).toBe(crcEn13757(sent.subarray(0, 10)).toString(16).padStart(4, "0"));
    expect(spans).toEqual([
      { offset: 10, bytes: 2, name: "radio_check", value: { word: "right" } },
      { offset: 28, bytes: 2, name: "radio_check", value: { word: "right" } },
      { offset: 34, bytes: 2, name: "radio_check", value: { word: "right" } },
      { offset: 36, bytes: 3, name: "behind_telegram", value: null },
    ]);
    expect([surplus, origins[9], origins[10], origins[26], origins.length]).toEqual([3, 9, 12, 30, 30]);
    expect(takeOutChecks(ofBytes(20))).toMatchObject({ format: "none", spans: [], surplus: 0 });
  });

  it("that are wrong are refused at their place, if they are known to be there", () => {
    const sent = putInChecks(ofBytes(30), "A");
    const refused = (bytes: Uint8Array) => refusalOf(() => takeOutChecks(bytes));

    expect(refused(flipped(sent, 13))).toEqual({ kind: "checksum", offset: 28 });
    expect(refused(flipped(sent, 30))).toEqual({ kind: "checksum", offset: 34 });
    expect(refused(flipped(sent, 35))).toEqual({ kind: "checksum", offset: 34 });
    expect(refused(flipped(sent, 3))).toEqual({ kind: "checksum", offset: 10 });
    expect(refused(sent.subarray(0, 29))).toEqual({ kind: "unexpected", offset: 29 });
    expect(refused(sent.subarray(0, 30))).toBeUndefined();
    expect(refused(new Uint8Array(0))).toEqual({ kind: "unexpected", offset: 0 });
    expect(refused(ofBytes(10))).toEqual({ kind: "unexpected", offset: 0 });
    expect(refused(ofBytes(11))).toBeUndefined();
    // Of format B the last two bytes of a damaged telegram are taken for data.
    const other = putInChecks(ofBytes(130), "B");
    for (const at of [3, 127, 131]) expect(takeOutChecks(flipped(other, at)).format, String(at)).toBe("none");
  });
});

describe("spans of bytes that were taken from others", () => {
  const span = (offset: number, bytes: number): Span => ({ offset, bytes, name: "volume", value: 7 });

  it("are placed where the bytes came from, in parts where those are apart", () => {
    expect(placedSpans([span(0, 2)], [5, 6])).toEqual([span(5, 2)]);
    expect(placedSpans([span(1, 3)], [5, 6, 9, 10])).toEqual([
      span(6, 1),
      { offset: 9, bytes: 2, name: { code: "volume", isContinued: true }, value: 7 },
    ]);
    expect(placedSpans([span(0, 4)], [-1, 3, -1, 4])).toEqual([span(3, 2)]);
    expect(placedSpans([span(0, 2)], [0, 1])).toEqual([span(0, 2)]);
    expect(placedSpans([span(0, 2)], [-1, -1])).toEqual([]);
    expect(placedSpans([span(3, 2)], [1])).toEqual([]);
  });
});

describe("the format of a full frame", () => {
  const heads = (hex: string) => formatOf(fromHex(hex))?.map(toHex);

  it("is the heads of its records, without fillers around them", () => {
    expect(heads("0c13 78563412 8c0113 01000000 0dfd11 02 4142")).toEqual(["0c13", "8c0113", "0dfd11"]);
    expect(heads("2f2f 0c13 78563412 2f2f2f")).toEqual(["0c13"]);
    expect(heads("0c13 7856342f")).toEqual(["0c13"]);
    expect(heads("0c13 7856342f 2f2f")).toEqual(["0c13"]);
    expect(heads("")).toEqual([]);
    expect(heads("2f2f")).toEqual([]);
  });

  it("is none with a special field between the records", () => {
    for (const hex of [
      "0c13 78563412 2f 0c13 01000000",
      "0c13 78563412 0f 01",
      "1f",
      "0c13 78563412 7f 0c13 01000000",
    ])
      expect(heads(hex), hex).toBeUndefined();
  });

  it("has a signature, by which a cache knows it, the oldest of too many forgotten", () => {
    expect(signatureOf(splitHeads(fromHex("0c13 8c0113")))).toBe(crcEn13757(fromHex("0c138c0113")));
    expect(splitHeads(fromHex("0c13 8c0113 02fd17")).map(toHex)).toEqual(["0c13", "8c0113", "02fd17"]);
    expect(refusalOf(() => splitHeads(fromHex("0c13 8c01")))).toEqual({ kind: "unexpected", offset: 4 });

    const [a = [], b = [], c = []] = ["0c13", "0c14", "0c15"].map((hex) => splitHeads(fromHex(hex)));
    const cache = formatCache(["0c13"], 2);
    const has = () => [a, b, c].map((format) => cache.find(signatureOf(format)) !== undefined);
    cache.learn(b);
    expect(has()).toEqual([true, true, false]);
    // One that is seen again is the newest.
    cache.learn(a);
    cache.learn(c);
    expect(has()).toEqual([true, false, true]);
  });

  it("is kept for 256 others", () => {
    const cache = formatCache();
    const distinct = Array.from({ length: 257 }, (_, n) => [
      Uint8Array.of(0x0c, n & 0x7f),
      Uint8Array.of(0x0b, n >> 7),
    ]);
    for (const format of distinct) cache.learn(format);

    expect(cache.find(signatureOf(distinct[0] ?? []))).toBeUndefined();
    expect(cache.find(signatureOf(distinct[1] ?? []))).toBeDefined();
  });
});

describe("a compact frame", () => {
  const full = "0c13 78563412 0dfd11 02 4142 8c0113 01000000";
  const data = "78563412 02 4142 01000000";
  const head = (of = full) => {
    const [signature, check] = [signatureOf(formatOf(fromHex(of)) ?? []), crcEn13757(fromHex(of))];
    return toHex([signature & 0xff, signature >> 8, check & 0xff, check >> 8]);
  };
  const formats = formatCache(["0c13 0dfd11 8c0113"]);
  const read = (hex: string, trace?: Span[]) => decodeCompact(fromHex(hex), { formats, trace, base: 20 });
  const refused = (hex: string) => refusalOf(() => read(hex));

  it("is read with the heads of its full frame, with fillers before and behind", () => {
    const values = (hex: string) => read(hex).records.map(({ value, storage }) => [value, storage]);
    const expected = [
      [12_345.678, 0],
      ["BA", 0],
      [0.001, 2],
    ];

    expect(values(`${head()} ${data}`)).toEqual(expected);
    expect(values(`2f2f ${head()} ${data} 2f2f`)).toEqual(expected);
  });

  it("is named to the byte, but for the heads that it does not have", () => {
    const trace: Span[] = [];
    read(`2f2f ${head()} ${data} 2f`, trace);

    expect(trace.map(({ offset, bytes, name }) => [offset, bytes, codeOf(name)])).toEqual([
      [20, 2, "filler"],
      [22, 2, "format_signature"],
      [24, 2, "full_frame_check"],
      [37, 1, "filler"],
      [26, 4, "volume"],
      [30, 3, "customer"],
      [33, 4, "volume"],
    ]);
  });

  it.each([
    ["an unknown format", head("0c14 01000000") + data, "unsupported", 20],
    ["an unknown format behind fillers", `2f2f${head("0c14 01000000")}`, "unsupported", 22],
    ["other data", head() + data.replace("78", "77"), "checksum", 22],
    ["data missing", head() + data.slice(0, -2), "unexpected", 31],
    ["data left over", `${head()}${data}01`, "unexpected", 35],
    ["nothing", "", "unexpected", 20],
    ["a signature alone", head().slice(0, 4), "unexpected", 22],
  ])("with %s is refused at its place", (_, hex, kind, offset) => {
    expect(refused(hex)).toEqual({ kind, offset });
  });
});

describe("the telegram of the simulator", () => {
  const plan: TelegramPlan = {
    ...{ manufacturer: "MTR", id: "12345678", version: 1, medium: 7, accessNumber: 42, security: "none" },
  };
  const key = fromHex("000102030405060708090a0b0c0d0e0f");
  const volume = fromHex("0c13 78563412");
  const built = (of: Partial<TelegramPlan>, records = volume) =>
    toHex(buildTelegram(records, { ...plan, ...of }));
  const module = { manufacturer: "RAD", id: "87654321", version: 2, medium: 0x37 };

  it("has its layers in the order of the standard", () => {
    expect(built({})).toBe("144492367856341201077a2a0000000c1378563412");
    expect(built({ module })).toBe("1c442448214365870237" + "7278563412923601072a000000" + "0c1378563412");
    expect(built({ security: "mode5", key }).slice(20, 30)).toBe("7a2a001005");
    expect(built({ security: "mode5", key })).toHaveLength(2 * (11 + 4 + 16));
    expect(built({ security: "mode5", key }, new Uint8Array(14))).toHaveLength(2 * (11 + 4 + 16));
    expect(built({ security: "mode5", key }, new Uint8Array(15))).toHaveLength(2 * (11 + 4 + 32));
    expect(built({ security: "mode5", key, module }).slice(20, 46)).toBe("7278563412923601072a001005");
    expect(built({ security: "mode7", key, counter: 9 }).slice(20, 44)).toBe("8c202a900f002c2509000000");
    expect(built({ security: "mode7", key, counter: 9 }).slice(60, 72)).toBe("7a2a00100710");
    expect(built({ security: "extended", key, counter: 9 }).slice(20, 34)).toBe("8d202a09000020");
    for (const [of, ci] of [
      [{}, "7b"],
      [{ module }, "73"],
    ] as const)
      expect(built({ ...of, isCompact: true }).slice(20, 22)).toBe(ci);
  });

  it("needs a key to be protected, and room for its records", () => {
    for (const security of ["mode5", "mode7", "extended"] as const)
      expect(() => built({ security }), security).toThrow(RangeError);
    expect(built({ security: "mode5", key }, new Uint8Array(238)).slice(26, 30)).toBe("f005");
    expect(() => built({ security: "mode5", key }, new Uint8Array(239))).toThrow("more than 15 blocks");
    expect(() => built({ isCompact: true }, fromHex("0f01"))).toThrow(RangeError);
  });

  it("with the radio's check sums is the same in them", () => {
    fc.assert(
      fc.property(fc.constantFrom("A", "B"), fc.uint8Array({ maxLength: 200 }), (format, records) => {
        const sent = buildTelegram(records, { ...plan, format });
        expect(toHex(takeOutChecks(sent).bytes)).toBe(built({}, records));
      }),
      { numRuns: 30 },
    );
  });
});

describe("a key", () => {
  it("is 32 hexadecimal digits, with spaces between them or not", () => {
    expect(keyOf("00010203 04050607 08090A0B 0c0d0e0f")).toEqual(fromHex("000102030405060708090a0b0c0d0e0f"));
    for (const text of ["", "0".repeat(31), "0".repeat(33), `${"0".repeat(31)}g`, `x${"0".repeat(32)}`])
      expect(
        refusalOf(() => keyOf(text)),
        text,
      ).toEqual({ kind: "bad_password", offset: undefined });
  });
});
