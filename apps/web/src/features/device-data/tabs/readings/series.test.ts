import { describe, expect, it } from "vitest";
import { lookOf } from "./series.ts";

describe("the style of a series", () => {
  it("a return is drawn in the tone of water beside its flow", () => {
    expect(lookOf("T_out", 1, "heat").tone).toBe("water");
    expect(lookOf("T_in", 0, "heat").tone).not.toBe("water");
  });

  it("reactive quantities differ from active ones by tone, directions by dash", () => {
    expect(lookOf("power_r_plus", 1, "electricity")).toEqual({ tone: "water" });
    const minus = lookOf("power_r_minus", 1, "electricity");
    expect(minus.tone).toBe("water");
    expect(minus.dash).toBeDefined();
    expect(lookOf("power_active", 0, "electricity").tone).not.toBe("water");
  });
});
