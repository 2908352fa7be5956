import type { KeptArchive } from "@metrum/protocols/core";
import { describe, expect, test } from "vitest";
import { slotsOf, withoutRow } from "./slots.ts";

const at = (iso: string) => Date.parse(iso) / 1000;
const texts = (slots: readonly number[]) =>
  slots.map((slot) => new Date(slot * 1000).toISOString().slice(0, 16));
const offsetSec = 8 * 3600;

const profile: KeptArchive = { msgType: 5, period: 1800, depthSec: 1e9 };
const days: KeptArchive = { msgType: 101, period: 86_400, depthSec: 1e9 };
const months: KeptArchive = { msgType: 103, period: "month", depthSec: 1e9 };

describe("slots of an archive", () => {
  test("an interval counts when it has ended", () => {
    const span = { from: at("2026-11-21T10:01Z"), offsetSec };

    const open = slotsOf(profile, { ...span, closedBy: at("2026-11-21T11:59Z") }, 99);
    const closed = slotsOf(profile, { ...span, closedBy: at("2026-11-21T12:00Z") }, 99);

    expect(texts(open)).toEqual(["2026-11-21T10:30", "2026-11-21T11:00"]);
    expect(texts(closed)).toEqual(["2026-11-21T10:30", "2026-11-21T11:00", "2026-11-21T11:30"]);
  });

  test("days and months begin in local time of the device", () => {
    const span = { from: at("2026-09-15T00:00Z"), closedBy: at("2026-11-30T16:00Z"), offsetSec };

    expect(texts(slotsOf(months, span, 99))).toEqual([
      "2026-09-30T16:00",
      "2026-10-31T16:00",
      "2026-11-30T16:00",
    ]);
    expect(texts(slotsOf(days, span, 2))).toEqual(["2026-09-15T16:00", "2026-09-16T16:00"]);
  });

  test("a daily row at another hour belongs to its day; an interval has no tolerance", () => {
    const [first, second, third] = slotsOf(
      days,
      { from: at("2026-11-01T00:00Z"), closedBy: at("2026-11-09T00:00Z"), offsetSec },
      3,
    );
    const slots = [first ?? 0, second ?? 0, third ?? 0];

    expect(withoutRow(slots, [(second ?? 0) + 5 * 3600], 86_400)).toEqual([first, third]);
    expect(withoutRow(slots, slots, 86_400)).toEqual([]);
    expect(withoutRow([1800, 3600], [1801, 3600], 1800)).toEqual([1800]);
  });
});
