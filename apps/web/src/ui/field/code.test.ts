import { describe, expect, it } from "vitest";
import { codeOf } from "./CodeField.tsx";

describe("code of six digits", () => {
  it("takes the digits of what was pasted, and no more than fit", () => {
    expect(codeOf("407-2 91", 6)).toBe("407291");
    expect(codeOf("Ваш код 4072913", 6)).toBe("407291");
    expect(codeOf("abc", 6)).toBe("");
  });
});
