import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identifyByImei, maxIdentityBytes, noiseFilter } from "./identity.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const imei = "004401950000017";

describe("a modem's first bytes", () => {
  it.each([
    [imei, imei.length],
    [`${imei}\r\n`, imei.length + 2],
    [`IMEI:${imei}\0`, imei.length + 6],
    [`v2 12 ${imei}`, imei.length + 6],
  ])("%j name it", (text, length) => {
    expect(identifyByImei(bytes(text))).toEqual({ state: "known", id: imei, length });
  });

  it("are held while they can still become an identifier, and not for ever", () => {
    expect(identifyByImei(bytes(imei.slice(0, 14)))).toEqual({ state: "more" });
    expect(identifyByImei(bytes("hello"))).toEqual({ state: "more" });
    expect(identifyByImei(new Uint8Array(maxIdentityBytes))).toEqual({ state: "wrong" });
  });
});

describe("heartbeats", () => {
  it("are removed at any place and however they are split; data pass completely and in order", () => {
    const part = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((data) => ({ data, isNoise: false })),
      fc.constant({ data: bytes(imei), isNoise: true }),
    );
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(30)), (parts, cuts) => {
        const stream = Uint8Array.from(parts.flatMap(({ data }) => [...data]));
        const expected = parts.filter(({ isNoise }) => !isNoise).flatMap(({ data }) => [...data]);
        const filter = noiseFilter([bytes(imei)]);
        const out: number[] = [];
        let at = 0;
        for (const cut of cuts) {
          out.push(...filter.push(stream.subarray(at, at + cut)));
          at += cut;
        }
        out.push(...filter.push(stream.subarray(at)), ...filter.flush());
        // A heartbeat split after its first byte passes through: it cannot be distinguished from data.
        fc.pre(!isCutAfterFirstByte(parts, cuts));
        expect(out).toEqual(expected);
      }),
    );
  });

  it("that are incomplete count as data when nothing follows", () => {
    const filter = noiseFilter([bytes(imei)]);

    expect([...filter.push(bytes("ab00440"))]).toEqual([...bytes("ab")]);
    expect(filter.isHolding).toBe(true);
    expect([...filter.flush()]).toEqual([...bytes("00440")]);
  });
});

function isCutAfterFirstByte(
  parts: readonly { data: Uint8Array; isNoise: boolean }[],
  cuts: readonly number[],
): boolean {
  const starts = new Set<number>();
  let at = 0;
  for (const { data, isNoise } of parts) {
    if (isNoise) starts.add(at + 1);
    at += data.length;
  }
  let cutAt = 0;
  return cuts.some((cut) => starts.has((cutAt += cut)));
}
