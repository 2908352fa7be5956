import { expect, test } from "vitest";
import { obisName } from "./obisNames.ts";

test.each([
  ["1.0.1.8.0.255", "active + energy, total"],
  ["1-0:2.8.2*255", "active - energy, tariff 2"],
  ["1.8.1", "active + energy, tariff 1"],
  ["1-0:32.7.0", "voltage, phase 1"],
  ["1.0.71.7.0.255", "current, phase 3"],
  ["1.0.1.7.0.255", "active power +"],
  ["0.0.99.98.2.255", "event log 2"],
  ["0.0.96.3.10.255", "disconnect control"],
  ["0.0.43.1.3.255", "invocation counter"],
])("%s is %s", (code, name) => {
  expect(obisName(code)).toBe(name);
});

test("neither an unlisted nor an invalid code has a name", () => {
  expect(["1.0.250.9.1.255", "VOLTA", "", "1", "1.0.90.7.0.255"].map(obisName)).toEqual(
    Array.from({ length: 5 }),
  );
});
