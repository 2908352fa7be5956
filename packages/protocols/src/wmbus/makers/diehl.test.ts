import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import { codeOf } from "../../core/spans.ts";
import { refusalOf } from "../../core/testing/testRefusal.ts";
import { encodeDateG } from "../../mbus/dataTypes.ts";
import { addressOf } from "../address.ts";
import { encryptBlocks, vectorOfMode5 } from "../crypto.ts";
import { readWmbus } from "../telegram.ts";
import { descramble, diehlAddress, diehlSeeds, isDiehlScrambled, openDiehl, scrambled } from "./diehl.ts";
import { makersLayouts } from "./index.ts";
import { telegramOf } from "./layout.ts";

const ownKey = fromHex("00112233445566778899aabbccddeeff");
/** DME, version 99, medium 07, number 12345678, in the order of these meters. */
const swapped = fromHex("a511 9907 78563412");
const standard = fromHex("a511 78563412 9907");
const prios = (content: string, of: { key?: Uint8Array; ci?: number; head?: string } = {}) =>
  scrambled(telegramOf(swapped, of.ci ?? 0xa1, fromHex(`${of.head ?? "01140000"} ${content}`)), of.key);
const values = (telegram: Uint8Array, key?: Uint8Array) =>
  readWmbus(telegram, { key }).records.map(({ quantity, unit, storage, value }) => [
    ...[quantity, unit, storage, value],
  ]);
const volume = (value: number, storage = 0) => ["Volume", "m^3", storage, value];
const battery = ["Remaining battery life", "year", 0, 10];
const period = ["Period of sending", "s", 0, 8];

describe("the order of the address of a Diehl meter", () => {
  const frame = (maker: string, ci: string, of: { c?: string; word?: string } = {}) =>
    fromHex(`12 ${of.c ?? "44"} ${maker} 010203040506 ${ci} 2a 00 ${of.word ?? "0000"} 2f2f`);

  it.each<[string, string]>([
    ["DME", "a511"],
    ["EWT", "f416"],
    ["HYD", "2423"],
    ["SPL", "0c4e"],
  ])("%s is swapped behind its own CI", (_, maker) => {
    for (const ci of ["a0", "a3", "a7", "b1", "b2", "b3", "71"])
      expect(diehlAddress(frame(maker, ci)), ci).toBe("swapped");
    for (const ci of ["9f", "a8", "b0", "b4", "70", "72", "78", "7a"])
      expect(diehlAddress(frame(maker, ci)), ci).toBeUndefined();
  });

  it("of SAP is a number of five bytes with PRIOS, and swapped behind the others", () => {
    expect(diehlAddress(frame("304c", "a1"))).toBe("number5");
    expect(diehlAddress(frame("304c", "71"))).toBe("swapped");
    expect(diehlAddress(frame("304c", "7a", { word: "0010" }))).toBe("swapped");
    expect(diehlAddress(frame("2d2c", "a1"))).toBeUndefined();
  });

  it("is swapped in what the meter sends by itself, with bit 12 behind CI 7A", () => {
    const scrambledWord = (c: string, ci = "7a", word = "0010") => frame("a511", ci, { c, word });

    for (const c of ["44", "46"]) expect(isDiehlScrambled(scrambledWord(c)), c).toBe(true);
    for (const c of ["08", "45", "47"]) expect(isDiehlScrambled(scrambledWord(c)), c).toBe(false);
    expect(isDiehlScrambled(scrambledWord("44", "72"))).toBe(false);
    expect(isDiehlScrambled(scrambledWord("44", "7a", "1000"))).toBe(false);
    expect(isDiehlScrambled(scrambledWord("44", "7a", "00ef"))).toBe(false);
    expect(isDiehlScrambled(scrambledWord("44").subarray(0, 15))).toBe(true);
    expect(isDiehlScrambled(scrambledWord("44").subarray(0, 14))).toBe(false);
  });

  it("of five bytes is a water meter without a version", () => {
    const { meter } = readWmbus(fromHex("0e 44 304c 78563412 9907 a1 01140000"));

    expect(meter).toMatchObject({
      ...{ manufacturer: "SAP", id: "12345678", version: 0, medium: 7, mediumName: "Water" },
      address: fromHex("304c 78563412 9907"),
    });
  });
});

describe("scrambling", () => {
  // Source: the shift register and the public keys that the reader wmbusmeters describes.
  it("is begun by a public key or by the first half of the meter's own", () => {
    expect(diehlSeeds(undefined)).toEqual([(0x39bc8a10 ^ 0xe66d83f8) >>> 0, (0x51728910 ^ 0xe66d83f8) >>> 0]);
    expect(diehlSeeds(ownKey)).toEqual([(0x00112233 ^ 0x44556677) >>> 0]);
    expect(diehlSeeds(ownKey.with(9, 0))).toEqual(diehlSeeds(ownKey));
  });

  it("is its own reverse, depends on every byte of the header, and begins behind it", () => {
    const frame = telegramOf(swapped, 0xa1, fromHex("01140000 4b01000000"));
    const once = scrambled(frame, undefined);

    expect(toHex(scrambled(once, undefined))).toBe(toHex(frame));
    expect(toHex(once.subarray(0, 15))).toBe(toHex(frame.subarray(0, 15)));
    for (let at = 2; at < 14; at++)
      expect(toHex(descramble(frame.with(at, 0x55), 1)), String(at)).not.toBe(toHex(descramble(frame, 1)));
    expect(toHex(descramble(frame.with(1, 0x55).with(14, 0x55), 1))).toBe(toHex(descramble(frame, 1)));
    expect(refusalOf(() => descramble(frame.subarray(0, 14), 1))).toEqual({ kind: "unexpected", offset: 14 });
    expect(descramble(frame.subarray(0, 15), 1)).toHaveLength(0);
  });

  it.each([
    [0x0000_0001, "72f4"],
    [0x0000_0800, "b97a"],
    [0x8000_0000, "b97a"],
  ])("feeds back bits 31, 11, 2 and 1 of its register, eight steps a byte: %i gives %s", (seed, hex) => {
    expect(toHex(descramble(new Uint8Array(17), seed))).toBe(hex);
  });
});

describe("PRIOS", () => {
  it.each([0xa0, 0xa1, 0xa7])("behind CI %i gives total, battery and period", (ci) => {
    expect(values(prios("4b 39300000", { ci }))).toEqual([volume(12.345), battery, period]);
  });

  it("gives the end of the last month where it is sent whole", () => {
    const date = toHex(encodeDateG(Date.UTC(2026, 9, 31) / 1000));
    const month = ["Time point (date)", "-", 1, "2026-10-31"];

    expect(values(prios(`4b 39300000 38300000 ${date}`))).toEqual([
      ...[volume(12.345), volume(12.344, 1), month, battery, period],
    ]);
    expect(values(prios("4b 39300000 3830000000"))).toEqual([volume(12.345), battery, period]);
    for (const unset of ["0000", "ffff"])
      expect(values(prios(`4b 39300000 38300000 ${unset}`))[2]).toEqual(["Time point (date)", "-", 1, null]);
  });

  it.each([
    ["no check byte", "4a 39300000"],
    ["a total beyond the dial", "4b 00e1f505"],
    ["a month beyond the dial", "4b 39300000 00e1f505 0000"],
    ["a date that is none", "4b 39300000 38300000 5f02"],
    ["no whole total", "4b 393000"],
    ["nothing", ""],
  ])("with %s was not opened", (_, content) => {
    expect(readWmbus(prios(content))).toMatchObject({
      ...{ records: [], warnings: ["no public key opens the content"], protection: "maker's" },
    });
    expect(readWmbus(prios(content, { key: ownKey }), { key: ownKey }).warnings).toEqual([
      "the key does not open the content",
    ]);
  });

  it("of the second public key and of the meter's own is opened", () => {
    const second = fromHex("51728910e66d83f8");

    expect(values(prios("4b ffe0f505", { key: second }))[0]).toEqual(volume(99_999.999));
    expect(values(prios("4b 39300000", { key: ownKey }), ownKey)[0]).toEqual(volume(12.345));
    expect(values(prios("4b 39300000", { key: ownKey }))).toEqual([]);
    expect(values(prios("4b 39300000"), ownKey)).toEqual([]);
  });

  it.each([
    ["80140000", ["general alarm"]],
    ["01940000", ["leakage"]],
    ["01540000", ["leakage before"]],
    ["01340000", ["meter blocked"]],
    ["01148000", ["backflow"]],
    ["01144000", ["underflow"]],
    ["01142000", ["overflow"]],
    ["01141000", ["under water"]],
    ["01140800", ["sensor tampered with"]],
    ["01140400", ["sensor tampered with before"]],
    ["01140200", ["mechanical tampering"]],
    ["01140100", ["mechanical tampering before"]],
    ["71140000", []],
    ["011f00ff", []],
  ])("with %s before its content warns of %j", (head, words) => {
    const { warnings, records } = readWmbus(prios("4b 39300000", { head }));

    expect(warnings).toEqual(words.map((word) => `alarm: ${word}`));
    expect(records).toHaveLength(3);
  });

  it("has its battery in half years and its period in powers of two", () => {
    const shown = (head: string) =>
      values(prios("4b 39300000", { head }))
        .slice(1)
        .map((each) => each[3]);

    expect([shown("001f0000"), shown("0f010000"), shown("02e00000")]).toEqual([
      [15.5, 4],
      [0.5, 131_072],
      [0, 16],
    ]);
  });

  it("behind another layer, or ending in its header, has no number", () => {
    const behind = telegramOf(standard, 0x8c, fromHex("2001 a1 01140000 4b39300000"));

    expect(readWmbus(behind)).toMatchObject({
      ...{ records: [], warnings: ["PRIOS behind another layer is not known"], protection: "maker's" },
    });
    expect(refusalOf(() => readWmbus(telegramOf(swapped, 0xa1, fromHex("011400"))))).toEqual({
      ...{ kind: "unexpected", offset: 14 },
    });
  });

  it("sends a total that rolls over, and the end of the last month", () => {
    const layout = makersLayouts.find(({ name }) => name === "Diehl IZAR (PRIOS)");
    const plan = { manufacturer: "DME", id: "12345678", version: 0x99, medium: 7, accessNumber: 1 };
    const local = Date.UTC(2026, 2, 31, 23) / 1000;
    const bytes = layout?.build({ ...plan, local, key: undefined, value: () => 100_001.5 });

    expect(values(bytes ?? new Uint8Array()).slice(0, 3)).toEqual([
      ...[volume(1.5), volume(1.5, 1), ["Time point (date)", "-", 1, "2026-02-28"]],
    ]);
  });

  it("is named to the byte", () => {
    const trace: Span[] = [];
    readWmbus(prios("4b 39300000"), { trace });

    expect(trace.map(({ offset, bytes, name }) => [offset, bytes, codeOf(name)])).toEqual([
      [0, 1, "l_field"],
      [1, 1, "c_field"],
      [2, 2, "m_field"],
      [4, 1, "version"],
      [5, 1, "medium"],
      [6, 4, "identification_number"],
      [10, 1, "ci_layer"],
      [11, 1, "sending_period"],
      [12, 1, "battery_and_alarms"],
      [13, 1, "alarms"],
      [14, 1, "not_known"],
      [15, 5, "scrambled"],
    ]);
  });
});

describe("records that are scrambled behind CI 7A", () => {
  const records = fromHex("0c13 78563412");
  const sum = 0x0c + 0x13 + 0x78 + 0x56 + 0x34 + 0x12;
  const word = (bits: number) => toHex([0x00, bits]);
  const plain = (bits = (sum & 0xef) | 0x10, content = records) =>
    telegramOf(swapped, 0x7a, fromHex(`2a 00 ${word(bits)} ${toHex(content)}`));

  it("are opened by a public key or by the meter's own, which their sum proves", () => {
    const opened = readWmbus(scrambled(plain(), undefined));

    expect(opened).toMatchObject({
      protection: "maker's",
      warnings: [],
      meter: { id: "12345678", version: 0x99 },
    });
    expect(opened.records).toMatchObject([{ quantity: "Volume", value: 12_345.678 }]);
    expect(readWmbus(scrambled(plain(), ownKey), { key: ownKey }).protection).toBe("maker's");
    expect(openDiehl(scrambled(plain(), undefined), undefined)).toEqual({ bytes: records, isRemoved: false });
  });

  it("are marked in the trace, if they were scrambled", () => {
    const marked = (bytes: Uint8Array) => {
      const trace: Span[] = [];
      readWmbus(bytes, { trace });
      return trace.slice(-3).map(({ name }) => typeof name !== "string" && name.isDecrypted === true);
    };

    expect(marked(scrambled(plain(), undefined))).toEqual([true, true, true]);
    expect(marked(plain())).toEqual([false, false, false]);
  });

  it("may have been opened by the receiver, if the meter has no key of its own", () => {
    expect(readWmbus(plain())).toMatchObject({ protection: "removed", records: [{ value: 12_345.678 }] });
    expect(openDiehl(plain(), undefined)?.isRemoved).toBe(true);
    expect(openDiehl(plain(), ownKey)).toBeUndefined();
  });

  it("that no key opens are refused behind the header", () => {
    const refused = { kind: "bad_password", offset: 15 };
    const other = fromHex("ff".repeat(8));

    expect(refusalOf(() => readWmbus(scrambled(plain(), other)))).toEqual(refused);
    expect(refusalOf(() => readWmbus(scrambled(plain(), ownKey)))).toEqual(refused);
    expect(refusalOf(() => readWmbus(scrambled(plain(((sum + 1) & 0xef) | 0x10), undefined)))).toEqual(
      refused,
    );
    // A right sum of what is no list of records, or of nothing.
    const noRecords = fromHex("0c13 78");
    const bits = ((0x0c + 0x13 + 0x78) & 0xef) | 0x10;
    expect(refusalOf(() => readWmbus(scrambled(plain(bits, noRecords), undefined)))).toEqual(refused);
    expect(refusalOf(() => readWmbus(scrambled(plain(0x10, new Uint8Array(0)), undefined)))).toEqual(refused);
  });
});

describe("security mode 5 of a Diehl meter without a key", () => {
  const publicKey = fromHex("51728910e66d83f851728910e66d83f8");
  const telegram = (manufacturer: string, key: Uint8Array) => {
    const address = addressOf({ manufacturer, id: "12345678", version: 0x99, medium: 7 });
    const plain = fromHex("2f2f 0c13 78563412 2f2f2f2f2f2f2f2f");
    const sealed = encryptBlocks(key, vectorOfMode5(address, 0x2a), plain);
    return telegramOf(address, 0x7a, Uint8Array.of(...fromHex("2a 00 1005"), ...sealed));
  };

  it.each(["DME", "EWT", "HYD", "SAP", "SPL"])(
    "%s is opened by the public one, which proves nothing",
    (maker) => {
      expect(readWmbus(telegram(maker, publicKey))).toMatchObject({
        protection: "none",
        warnings: ["the key that opens the records is the maker's public one"],
        records: expect.arrayContaining([expect.objectContaining({ value: 12_345.678 })]) as unknown,
      });
    },
  );

  it("is not opened by it if it has its own, or is of another maker", () => {
    const refused = { kind: "bad_password", offset: 15 };

    expect(refusalOf(() => readWmbus(telegram("DME", ownKey)))).toEqual(refused);
    expect(refusalOf(() => readWmbus(telegram("MTR", publicKey)))).toEqual(refused);
    expect(readWmbus(telegram("DME", ownKey), { key: ownKey }).protection).toBe("mode 5");
    expect(refusalOf(() => readWmbus(telegram("DME", publicKey), { key: ownKey }))).toEqual(refused);
  });
});
