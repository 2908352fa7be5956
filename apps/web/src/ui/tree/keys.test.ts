import { expect, it } from "vitest";
import { goTo } from "./keys.ts";

const rows = ["Darkhan", "East district", "Дом 1", "дом 2"].map((title, place) => ({
  node: { id: title, parent: null, title, childCount: 0 },
  isLoading: false,
  level: place === 0 ? 1 : 2,
  isOpen: place === 0,
  place: place + 1,
  neighbours: 4,
}));

it("a typed letter leads to the next row that starts with it, and from the last one to the first", () => {
  expect([goTo("e", 0, rows), goTo("Д", 1, rows), goTo("д", 2, rows), goTo("д", 3, rows)]).toEqual([
    1, 2, 3, 2,
  ]);
});

it("letters that nothing starts with, and keys with other meanings, lead nowhere", () => {
  expect(["x", " ", "Tab", "F2"].map((key) => goTo(key, 0, rows))).toEqual([null, null, null, null]);
});
