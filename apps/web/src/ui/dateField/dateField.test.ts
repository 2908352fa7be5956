import { expect, test } from "vitest";
import { dayOf, dayText } from "./index.ts";

test.each([
  ["31.12.2026", "2026-12-31"],
  ["1.2.2026", "2026-02-01"],
  ["2026-12-31", "2026-12-31"],
  ["31/12/26", "2026-12-31"],
])("usual forms of a date are accepted: %s", (text, day) => {
  expect(dayOf(text)).toBe(day);
});

test.each(["31.02.2026", "12.31.2026", "soon", ""])("%j is not a date", (text) => {
  expect(dayOf(text)).toBeUndefined();
});

test("a date is shown as DD.MM.YYYY, none as empty", () => {
  expect([dayText("2026-12-31"), dayText("")]).toEqual(["31.12.2026", ""]);
});
