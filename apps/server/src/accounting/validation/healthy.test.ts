import type { ResourceKey } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { healthyGiven, noise, rhythms, type Rhythm, type Wanted } from "#testing/healthySeries";
import { judge } from "./findings.ts";
import { rulesFor } from "./rules.ts";

const changes = {
  spring: Date.parse("2026-03-29T12:00:00+02:00") / 1000,
  autumn: Date.parse("2026-10-25T12:00:00+01:00") / 1000,
} as const;
const resources: readonly ResourceKey[] = ["electricity", "water", "gas", "heat"];

/** Long to compute: one of each. */
const dense: readonly Rhythm[] = ["minute", "quarter", "halfHour"];

const found = (wanted: Wanted) => {
  const given = healthyGiven(wanted);
  const rules = rulesFor([], { resource: given.resource, modelId: 1, pointIds: [] });
  return judge(given, rules).map(({ kind, field, from, code, evidence }) => ({
    kind,
    field,
    from,
    code,
    evidence,
  }));
};

describe.each(Object.keys(rhythms) as Rhythm[])("a reading every %s", (rhythm) => {
  test.each(Object.entries(changes))(
    "TRUST-031 a healthy series has no finding over the change of %s",
    (_, around) => {
      for (const resource of resources)
        for (let seed = 1; seed <= (dense.includes(rhythm) ? 1 : 3); seed++) {
          const jitterSec = Math.round(noise(seed, 3) * 4_000);
          const wanted: Wanted = {
            ...{ resource, rhythm, around, seed, jitterSec },
            hourOfDay: [0, 6, 23][seed % 3] ?? 0,
            ratio: resource === "electricity" && seed > 1 ? 40 : 1,
          };
          expect({ wanted, found: found(wanted) }).toEqual({ wanted, found: [] });
        }
    },
  );
});
