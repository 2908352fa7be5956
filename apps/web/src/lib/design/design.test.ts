// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { design, pageTitle } from "./design.ts";

it("a document title ends with the product's name and has no empty parts", () => {
  const { title } = design.get();
  expect(pageTitle("Main input", "", "Devices")).toBe(`Main input · Devices · ${title}`);
  expect(pageTitle("")).toBe(title);
});
