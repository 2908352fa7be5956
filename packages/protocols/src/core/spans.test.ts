import { describe, expect, it } from "vitest";
import type { Span } from "./bytes.ts";
import { ProtocolError } from "./errors.ts";
import { hasMask, isLeftUnchecked, maskByte } from "./masking.ts";
import { codeOf, explainStretch, named } from "./spans.ts";

const span = (offset: number, bytes: number): Span => ({ offset, bytes, name: "status", value: 1 });

describe("a stretch of bytes", () => {
  it("has its spans in the order of their places, and names what lies between them", () => {
    const filled = explainStretch(2, 12, (trace) => {
      trace.push(span(8, 2), span(3, 2), span(3, 4));
    });

    expect(filled).toEqual([
      { offset: 2, bytes: 1, name: "data", value: null },
      span(3, 2),
      span(3, 4),
      { offset: 7, bytes: 1, name: "data", value: null },
      span(8, 2),
      { offset: 10, bytes: 2, name: "data", value: null },
    ]);
  });

  it("without a gap has nothing added, and one without spans is one", () => {
    expect(explainStretch(0, 2, (trace) => trace.push(span(0, 2)))).toEqual([span(0, 2)]);
    expect(explainStretch(5, 7, () => undefined)).toEqual([
      { offset: 5, bytes: 2, name: "data", value: null },
    ]);
    expect(explainStretch(5, 5, () => undefined)).toEqual([]);
  });

  it("that cannot be decoded keeps what could, and says why the rest could not", () => {
    const filled = explainStretch(0, 3, (trace) => {
      trace.push(span(0, 1));
      throw new ProtocolError("unexpected", "too short");
    });

    expect(filled).toEqual([
      span(0, 1),
      { offset: 1, bytes: 2, name: { code: "undecoded", n: "too short" }, value: null },
    ]);
    expect(() =>
      explainStretch(0, 3, () => {
        throw new Error("a bug");
      }),
    ).toThrow("a bug");
  });

  it("has names with and without qualifiers", () => {
    expect([codeOf("status"), codeOf({ code: "setting_value", n: 1 })]).toEqual(["status", "setting_value"]);
    expect(named("status", { isUnchecked: true })).toEqual({ code: "status", isUnchecked: true });
    expect(named({ code: "setting_value", n: 1 }, { unit: "V" })).toEqual({
      code: "setting_value",
      n: 1,
      unit: "V",
    });
  });
});

describe("a masked secret", () => {
  const star = maskByte;

  it("is three masked bytes in a row", () => {
    expect(maskByte).toBe(0x2a);
    expect(hasMask(Uint8Array.of(1, star, star, star))).toBe(true);
    expect(hasMask(Uint8Array.of(star, star, star, 1))).toBe(true);
    expect(hasMask(Uint8Array.of(1, star, star))).toBe(false);
    expect(hasMask(Uint8Array.of(star, star, 1, star))).toBe(false);
  });

  it("leaves the check field unchecked where a frame is explained, and marks it so", () => {
    const masked = Uint8Array.of(star, star, star);
    const trace = [span(0, 1), span(1, 2)];

    expect(isLeftUnchecked(masked, trace)).toBe(true);
    expect(trace).toEqual([span(0, 1), { ...span(1, 2), name: { code: "status", isUnchecked: true } }]);
    expect(isLeftUnchecked(masked, undefined)).toBe(false);
    expect(isLeftUnchecked(masked, [])).toBe(false);
    const other = [span(0, 1)];
    expect(isLeftUnchecked(Uint8Array.of(star, star, 1), other)).toBe(false);
    expect(other).toEqual([span(0, 1)]);
  });
});
