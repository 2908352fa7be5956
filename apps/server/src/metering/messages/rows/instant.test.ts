import { statuses } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { countsBefore, countsFor } from "./instant.ts";

const value = (status: keyof typeof statuses, msgType = 1, isCalculated = false) => ({
  ...{ status: statuses[status].id, msgType, isCalculated },
});

test.each([
  ["confirmed", value("corrected", 101), value("measured")],
  ["measured", value("measured", 101), value("manual")],
  ["measured", value("measured", 103), value("estimated", 1, true)],
  ["entered", value("manual", 103), value("estimated", 1, true)],
  ["type", value("measured"), value("measured", 100)],
  ["type", value("late", 100), value("measured", 101)],
  ["type", value("corrected"), value("corrected", 101)],
] as const)(
  "TRUST-028 a value that counts before another of its instant says why: %s",
  (reason, counts, other) => {
    expect([countsBefore(counts, other), countsBefore(other, counts)]).toEqual([true, false]);
    expect(countsFor(counts, other)).toBe(reason);
  },
);
