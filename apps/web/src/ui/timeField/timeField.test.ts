import { expect, it } from "vitest";
import { clockTime } from "./TimeField.tsx";

it.each([
  ["7", "07:00"],
  ["07", "07:00"],
  ["730", "07:30"],
  ["0730", "07:30"],
  ["23:59", "23:59"],
  ["7.05", "07:05"],
  [" 0:00 ", "00:00"],
])("TARIFF-003 %s is the time %s", (typed, time) => {
  expect(clockTime(typed)).toBe(time);
});

it.each(["24:00", "7:5", "12:60", "", "noon", "123:00", "-1"])("TARIFF-003 %s is no time", (typed) => {
  expect(clockTime(typed)).toBeUndefined();
});
