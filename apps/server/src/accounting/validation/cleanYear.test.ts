import { demoPlan, origin } from "@metrum/simulator";
import { expect, test } from "vitest";
import { parkValues } from "#testing/parkValues";
import { judge } from "./run/findings.ts";
import { rulesFor } from "./rules/rules.ts";

const day = 86_400;
const days = 120;
const from = origin + 500 * day;
const to = from + days * day;

/** The short form of `bench/accounting/validation.bench.ts`, which judges a year of the whole park. */
test("TRUST-014 the rules stay silent on four clean months of meters of the park", () => {
  const found = demoPlan(3)
    .devices.filter((_, at) => at % 12 === 0)
    .flatMap((device) => {
      const given = parkValues(device, { from, to, stepSec: 3600 });
      if (!given) return [];
      const rules = rulesFor([], { resource: given.resource, modelId: device.modelId, pointIds: [] });
      // Meters of the park are out of reach at times: those gaps are true.
      return [judge(given, rules).filter(({ kind }) => kind !== "gap")];
    });

  expect(found.length).toBeGreaterThan(15);
  expect(found.flat().length / (found.length * days)).toBeLessThanOrEqual(0.001);
});
