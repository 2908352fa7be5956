import { sources, statuses } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { receivedAtOfValue, sourceOfValue, statusOfValue, trustedValues, worstStatus } from "./trust.ts";

const row = {
  status: statuses.suspect.id,
  source: sources.polled,
  receivedAt: 100,
  by_field: {
    in1: { status: statuses.measured.id, source: sources.pushed, received_at: 200 },
    tariff1: { status: statuses.rejected.id, source: sources.polled, received_at: 100 },
  },
  set: { fields: ["in1", "tariff0", "tariff1"] as const },
  v: [5, 7, 9],
};

test("TRUST-004 each value has its own status, source and receipt, and only trusted ones count", () => {
  expect(["in1", "tariff0", "tariff1"].map((name) => statusOfValue(row, name))).toEqual([
    statuses.measured.id,
    statuses.suspect.id,
    statuses.rejected.id,
  ]);
  expect([sourceOfValue(row, "in1"), sourceOfValue(row, "tariff0")]).toEqual([
    sources.pushed,
    sources.polled,
  ]);
  expect([receivedAtOfValue(row, "in1"), receivedAtOfValue(row, "tariff0")]).toEqual([200, 100]);
  expect(trustedValues(row)).toEqual([5, null, null]);
  expect(trustedValues({ ...row, by_field: null })).toEqual([null, null, null]);
  expect(trustedValues({ ...row, by_field: null, status: statuses.late.id })).toEqual([5, 7, 9]);
});

test("a row gets the most severe status of its values", () => {
  const { measured, late, suspect, manual, estimated } = statuses;

  expect(worstStatus([measured.id, suspect.id, manual.id])).toBe(suspect.id);
  expect(worstStatus([measured.id, late.id])).toBe(late.id);
  expect(worstStatus([late.id, estimated.id])).toBe(estimated.id);
  expect(worstStatus([])).toBeUndefined();
});
