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

/** Groups C of electricity. Source: IEC 62056-61, table of value group C. */
const energies = [
  ["1", "active", "+"],
  ["2", "active", "-"],
  ["3", "reactive", "+"],
  ["4", "reactive", "-"],
  ["9", "apparent", "+"],
  ["10", "apparent", "-"],
] as const;

test.each(energies)("group C %s is %s %s", (c, kind, way) => {
  expect(obisName(`${c}.8.0`)).toBe(`${kind} ${way} energy, total`);
  expect(obisName(`${c}.8.4`)).toBe(`${kind} ${way} energy, tariff 4`);
  expect(obisName(`1.0.${c}.8.255.255`)).toBe(`${kind} ${way} energy, tariff 255`);
  expect(obisName(`${c}.29.0`)).toBe(`${kind} ${way} energy of the interval`);
  expect(obisName(`${c}.6.0`)).toBe(`${kind} ${way} power, maximum, total`);
  expect(obisName(`${c}.6.2`)).toBe(`${kind} ${way} power, maximum, tariff 2`);
  expect(obisName(`${c}.7.0`)).toBe(`${kind} power ${way}`);
  expect(obisName(`${c}.9.0`)).toBeUndefined();
});

test.each([
  [1, "active power +"],
  [2, "active power -"],
  [3, "reactive power +"],
  [4, "reactive power -"],
  [9, "apparent power +"],
  [11, "current"],
  [12, "voltage"],
  [13, "power factor"],
])("what is %i over 20, 40 or 60 is the %s of a phase", (c, name) => {
  for (const phase of [1, 2, 3]) {
    expect(obisName(`${String(20 * phase + c)}.7.0`)).toBe(`${name}, phase ${String(phase)}`);
    expect(obisName(`${String(20 * phase + c)}.8.0`)).toBeUndefined();
  }
  expect(obisName(`${String(80 + c)}.7.0`)).toBeUndefined();
});

test.each([
  ["0.0.0", "number of the device"],
  ["0.2.0", "firmware"],
  ["0.2.8", "version of the telegram"],
  ["0.9.1", "time"],
  ["0.9.2", "date"],
  ["1.0.0", "clock"],
  ["13.7.0", "power factor"],
  ["14.7.0", "frequency"],
  ["11.0.0", "special days"],
  ["13.0.0", "activity calendar"],
  ["17.0.0", "limiter"],
  ["24.2.1", "value of a connected meter with its time"],
  ["40.0.0", "association"],
  ["42.0.0", "logical device name"],
  ["94.7.0", "values of this moment"],
  ["96.1.0", "serial number"],
  ["96.3.10", "disconnect control"],
  ["96.9.0", "temperature"],
  ["96.14.0", "tariff in force"],
  ["96.7.21", "power failures"],
  ["96.7.9", "long power failures"],
  ["98.1.0", "monthly values"],
  ["98.2.0", "daily values"],
  ["99.1.0", "load profile"],
  ["99.2.0", "second load profile"],
  ["99.98.0", "event log 0"],
  ["99.98", "event log 0"],
  ["43.1.0", "invocation counter"],
  ["1.8", "active + energy, total"],
  ["96.1", "serial number"],
])("%s is the %s", (code, name) => {
  expect(obisName(code)).toBe(name);
  expect(obisName(`0-1:${code}*255`)).toBe(name);
});

test("neither an unlisted nor an invalid code has a name", () => {
  expect(
    ["1.0.250.9.1.255", "VOLTA", "", "1", "1.0.90.7.0.255", "12.7.0", "43.2.0", "98.98.0"].map(obisName),
  ).toEqual(Array.from({ length: 8 }));
});
