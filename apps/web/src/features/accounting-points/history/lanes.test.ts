import { expect, it } from "vitest";
import { captioned, placeAt, scaleOf, ticksOf } from "./lanes.ts";

const at = (text: string) => Date.parse(text) / 1000;
const now = at("2026-11-20T06:00:00Z");
const zone = "Asia/Ulaanbaatar";

it("AP-022 lanes reach from the first meter to now, whatever ends later", () => {
  const scale = scaleOf([{ from_ts: at("2011-06-04T00:00:00Z"), to_ts: null }], [], now);

  expect(placeAt(at("2011-06-04T00:00:00Z"), scale)).toBeCloseTo(1.92, 1);
  expect(placeAt(now, scale)).toBeCloseTo(98.08, 1);
  expect(placeAt(at("1990-01-01T00:00:00Z"), scale)).toBe(0);
  // A planned end lies on the scale.
  const planned = scaleOf([{ from_ts: now - 1e7, to_ts: now + 1e7 }], [], now);
  expect(placeAt(now + 1e7, planned)).toBeLessThan(100);
});

it("a point without a history has a scale of one month", () => {
  const scale = scaleOf([], [], now);
  expect(scale.to - scale.from).toBeGreaterThan(30 * 86_400);
  expect(ticksOf(scale, zone).length).toBeGreaterThan(0);
});

it("ticks stand at even years, at midnight of the zone, and never crowd", () => {
  const long = ticksOf({ from: at("2011-06-01T00:00:00Z"), to: now }, zone);
  expect(long.map(({ text }) => text)).toEqual([
    "2012",
    "2014",
    "2016",
    "2018",
    "2020",
    "2022",
    "2024",
    "2026",
  ]);
  expect(long[0]?.at).toBe(at("2011-12-31T16:00:00Z"));

  const short = ticksOf({ from: at("2026-01-10T00:00:00Z"), to: now }, zone);
  expect(short.map(({ text }) => text)).toEqual(["03.2026", "05.2026", "07.2026", "09.2026", "11.2026"]);
});

it("captions never cover each other; the first of the list wins", () => {
  expect(captioned([50, 60, 10, 24, 23])).toEqual([true, false, true, true, false]);
});
