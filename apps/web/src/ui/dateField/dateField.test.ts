import { expect, test } from "vitest";
import { dayOf, dayText } from "./index.ts";

test.each([
  ["31.12.2026", "2026-12-31"],
  ["1.2.2026", "2026-02-01"],
  ["2026-12-31", "2026-12-31"],
  ["31/12/26", "2026-12-31"],
])("a day is read as people write it: %s", (text, day) => {
  expect(dayOf(text)).toBe(day);
});

test.each(["31.02.2026", "12.31.2026", "soon", ""])("%j is no day", (text) => {
  expect(dayOf(text)).toBeUndefined();
});

test("a day is shown as DD.MM.YYYY, none as nothing", () => {
  expect([dayText("2026-12-31"), dayText("")]).toEqual(["31.12.2026", ""]);
});
