import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { encodeDateTimeF, encodeInteger } from "../mbus/dataTypes.ts";
import type { MbusRecord } from "../mbus/records.ts";
import { buildTelegram } from "./encode.ts";
import { readWmbus } from "./telegram.ts";

const key = fromHex("101112131415161718191a1b1c1d1e1f");
const meter = { manufacturer: "MTR", id: "87654321", version: 3, medium: 4, accessNumber: 7, key };

/** A heat meter: clock, energy, volume, then the energy of 14 past months, as 32-bit integers. */
const records = Uint8Array.of(
  ...fromHex("046d"),
  ...encodeDateTimeF(1_795_251_600),
  ...fromHex("0406"),
  ...encodeInteger(4711, 4),
  ...fromHex("0413"),
  ...encodeInteger(815_000, 4),
  ...Array.from({ length: 14 }, (_, month) => [
    ...fromHex(`84${(0x01 + month).toString(16).padStart(2, "0")}06`),
    ...encodeInteger(4000 - month * 100, 4),
  ]).flat(),
);
const telegram = buildTelegram(records, { ...meter, security: "mode5" });
/** L, C, address 8, CI, header 4. */
const contentAt = 15;
const blocks = Math.floor((telegram.length - contentAt) / 16);

const changed = (at: number, by: readonly number[]): Uint8Array =>
  telegram.map((byte, place) => byte ^ (place >= at && place < at + by.length ? (by[place - at] ?? 0) : 0));

const textOf = ({ quantity, storage, function: role, value }: MbusRecord): string =>
  [quantity, storage, role, value].join(" ");
const whole = readWmbus(telegram, { key }).records.map(textOf);

describe("a telegram whose encryption proves the first block only", () => {
  it("has all its values and no warning if it arrived as it was sent", () => {
    expect(whole).toHaveLength(17);
    expect(readWmbus(telegram, { key })).toMatchObject({ protection: "mode 5", warnings: [] });
  });

  it.each([2, 3, 4, 5])("has only values from before its damaged block %i, and a warning", (block) => {
    const damaged = changed(contentAt + block * 16 + 5, [0xa7, 0x31]);

    const { records: found, warnings } = readWmbus(damaged, { key });

    const texts = found.map(textOf);
    expect(texts).toEqual(whole.slice(0, texts.length));
    // Two blocks at most are lost before the damaged one; a value takes 6 or 7 bytes.
    expect(texts.length).toBeGreaterThanOrEqual(Math.max(2 * (block - 2), 0));
    expect(warnings.join()).toContain("the telegram is damaged");
  });

  it("gives hardly ever a wrong number, wherever and however it was damaged", () => {
    let wrong = 0;
    const samples = fc.sample(
      fc.tuple(fc.integer({ min: 1, max: blocks - 1 }), fc.nat(14), fc.integer({ min: 1, max: 0xffff })),
      { numRuns: 400, seed: 7 },
    );
    for (const [block, offset, bits] of samples) {
      const damaged = changed(contentAt + block * 16 + offset, [bits >> 8, bits & 0xff]);
      const texts = readWmbus(damaged, { key }).records.map(textOf);
      // What only noise contains is nothing that a model names.
      wrong += texts.some(
        (text) => /^(?:Energy|Volume) \d+ instantaneous -?\d/.test(text) && !whole.includes(text),
      )
        ? 1
        : 0;
    }
    expect(wrong).toBeLessThan(samples.length * 0.05);
  });

  it("keeps a code that no standard knows, which a sound telegram may have", () => {
    const own = Uint8Array.of(...records, ...fromHex("01fd7b05"));
    const sent = buildTelegram(own, { ...meter, security: "mode5" });

    const { records: found, warnings } = readWmbus(sent, { key });

    expect(found).toHaveLength(18);
    expect(warnings).toEqual([]);
  });

  it("keeps all its values if bytes of the receiver stand behind the encrypted part", () => {
    const sent = Uint8Array.of(...telegram, 0x52, 0x0e);
    sent[0] = sent.length - 1;

    expect(readWmbus(sent, { key }).records.map(textOf)).toEqual(whole);
  });

  it("is left alone without encryption, where the radio has checked it", () => {
    const twice = Uint8Array.of(...records, ...fromHex("0406"), ...encodeInteger(4712, 4));
    const sent = buildTelegram(twice, { ...meter, security: "none" });

    expect(readWmbus(sent).records).toHaveLength(18);
    expect(toHex(sent)).not.toBe(toHex(telegram));
  });
});
