import { expect, it } from "vitest";
import { ask, hear, typedFrom, type Typed } from "./typed.ts";

const type = (typed: Typed, text: string): Typed => ({ ...typed, text });

it("UI-072: text typed while an earlier search is being written to the address is kept", () => {
  const first = type(ask(type(typedFrom(""), "EM24")), "UMG");

  expect(hear(first, "")).toBe(first);
  expect(hear(first, "EM24")).toMatchObject({ text: "UMG", said: "EM24" });
  const both = ask(first);
  expect(hear(hear(both, "EM24"), "UMG")).toEqual({ text: "UMG", said: "UMG", asked: [] });
  // The address may skip a search that was overtaken by another.
  expect(hear(both, "UMG")).toEqual({ text: "UMG", said: "UMG", asked: [] });
});

it("UI-032: a reset, Back or a link replaces the text in the box", () => {
  const asked = hear(ask(type(typedFrom(""), "EM24")), "EM24");

  expect(hear(asked, "")).toEqual(typedFrom(""));
  expect(hear(type(asked, "EM24x"), "SDM")).toEqual(typedFrom("SDM"));
});
