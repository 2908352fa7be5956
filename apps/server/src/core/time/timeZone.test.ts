import fc from "fast-check";
import { expect, test } from "vitest";
import { isZone, offsetHours, zoneOfOffset } from "./timeZone.ts";

const winter = Date.UTC(2026, 0, 15) / 1000;
const summer = Date.UTC(2026, 6, 15) / 1000;

test("API-019 an IANA zone is stored, the offset valid now is shown", () => {
  expect(offsetHours("Asia/Ulaanbaatar", winter)).toBe(8);
  expect(offsetHours("Europe/Berlin", winter)).toBe(1);
  expect(offsetHours("Europe/Berlin", summer)).toBe(2);
  expect(offsetHours("Asia/Kolkata", winter)).toBe(5.5);
  expect(offsetHours("America/St_Johns", winter)).toBe(-3.5);
  expect(offsetHours("Etc/UTC", winter)).toBe(0);
});

test("every offset of the API becomes a zone with that offset", () => {
  for (let hours = -12; hours <= 12; hours += 1) {
    const zone = zoneOfOffset(hours, null, winter);

    expect(zone).toBeDefined();
    expect(offsetHours(zone ?? "", winter)).toBe(hours);
    expect(offsetHours(zone ?? "", summer)).toBe(hours);
  }
});

test("a zone that already has the offset stays", () => {
  expect(zoneOfOffset(7, "Asia/Hovd", winter)).toBe("Asia/Hovd");
  expect(zoneOfOffset(8, "Asia/Hovd", winter)).toBe("Asia/Ulaanbaatar");
});

test("SHELL-026 offsets outside -12 to 12 and null are ignored; the default is 4", () => {
  for (const hours of [null, undefined, -13, 13, 99, 0.1])
    expect(zoneOfOffset(hours, null, winter)).toBeUndefined();
  expect(offsetHours("Europe/Samara", winter)).toBe(4);
});

test("only existing zones are accepted", () => {
  expect(isZone("Asia/Ulaanbaatar")).toBe(true);
  for (const name of ["Mars/Base", "", "x'; drop table company"]) expect(isZone(name)).toBe(false);
});

/** From the last change of a rule by law that the map of offsets knows. */
const instant = fc.integer({ min: Date.UTC(2024, 3, 1) / 1000, max: Date.UTC(2036, 0, 1) / 1000 });

test("API-019 a zone that stands for an offset has this offset at that time, whatever the season", () => {
  const quarters = fc.integer({ min: -48, max: 48 });
  fc.assert(
    fc.property(quarters, instant, (quarter, at) => {
      const zone = zoneOfOffset(quarter / 4, null, at);
      if (quarter % 4 === 0) expect(zone).toBeDefined();
      if (zone !== undefined) expect([quarter, offsetHours(zone, at)]).toEqual([quarter, quarter / 4]);
    }),
    { numRuns: 500 },
  );
});

test("API-019 a zone stays if its own offset is saved", () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  fc.assert(
    fc.property(zone, instant, (name, at) => {
      const hours = offsetHours(name, at);
      expect(zoneOfOffset(hours, name, at)).toBe(Math.abs(hours) > 12 ? undefined : name);
    }),
    { numRuns: 500 },
  );
});
