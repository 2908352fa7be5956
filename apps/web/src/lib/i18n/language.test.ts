import { describe, expect, it } from "vitest";
import { languageOf, languages } from "./language.ts";

describe("language", () => {
  it("SHELL-020: there are ru, en and mn; without a choice it is ru", () => {
    expect(languages).toEqual(["ru", "en", "mn"]);
    expect(languageOf(null)).toBe("ru");
    expect(languages.map((each) => languageOf(each))).toEqual(["ru", "en", "mn"]);
  });

  it("SHELL-022: any other stored language becomes en", () => {
    expect(languageOf("de")).toBe("en");
    expect(languageOf("")).toBe("en");
  });
});
