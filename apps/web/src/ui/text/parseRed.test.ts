import { describe, expect, it } from "vitest";
import { parseRed } from "./parseRed.ts";

describe("[red] markers", () => {
  it("SNACK-004: make the enclosed part red", () => {
    expect(parseRed("Лимит [red]280[/red] кВт, [red]стоп[/red]")).toEqual([
      { text: "Лимит ", isRed: false },
      { text: "280", isRed: true },
      { text: " кВт, ", isRed: false },
      { text: "стоп", isRed: true },
    ]);
  });

  it("without a pair, and any other markup, stay text", () => {
    expect(parseRed("a [red] b")).toEqual([{ text: "a [red] b", isRed: false }]);
    expect(parseRed("<b>x</b>")).toEqual([{ text: "<b>x</b>", isRed: false }]);
    expect(parseRed("")).toEqual([]);
  });
});
