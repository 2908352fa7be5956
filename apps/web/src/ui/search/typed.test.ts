import { expect, it } from "vitest";
import { followAddress, submit, typedFrom, type Typed } from "./typed.ts";

const type = (typed: Typed, text: string): Typed => ({ ...typed, text });

it("UI-072: text typed while an earlier search is being written to the address is kept", () => {
  const first = type(submit(type(typedFrom(""), "EM24")), "UMG");

  expect(followAddress(first, "")).toBe(first);
  expect(followAddress(first, "EM24")).toMatchObject({ text: "UMG", applied: "EM24" });
  const both = submit(first);
  expect(followAddress(followAddress(both, "EM24"), "UMG")).toEqual({
    text: "UMG",
    applied: "UMG",
    pending: [],
  });
  // The address may skip a search that was overtaken by another.
  expect(followAddress(both, "UMG")).toEqual({ text: "UMG", applied: "UMG", pending: [] });
});

it("UI-032: a reset, Back or a link replaces the text in the box", () => {
  const pending = followAddress(submit(type(typedFrom(""), "EM24")), "EM24");

  expect(followAddress(pending, "")).toEqual(typedFrom(""));
  expect(followAddress(type(pending, "EM24x"), "SDM")).toEqual(typedFrom("SDM"));
});
