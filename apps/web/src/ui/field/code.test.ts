import { describe, expect, it } from "vitest";
import { codeOf } from "./CodeField.tsx";

describe("code of six digits", () => {
  it("accepts the digits of pasted text, up to six", () => {
    expect(codeOf("407-2 91", 6)).toBe("407291");
    expect(codeOf("Ваш код 4072913", 6)).toBe("407291");
    expect(codeOf("abc", 6)).toBe("");
  });
});
