import type { ResourceKey } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { healthyGiven, noise, rhythms, type Rhythm, type Wanted } from "#testing/series/healthySeries";
import { judge } from "./run/findings.ts";
import type { Given } from "./judged/series.ts";
import { rulesFor } from "./rules/rules.ts";

const changes = {
  spring: Date.parse("2026-03-29T12:00:00+02:00") / 1000,
  autumn: Date.parse("2026-10-25T12:00:00+01:00") / 1000,
} as const;
const resources: readonly ResourceKey[] = ["electricity", "water", "gas", "heat"];

/** Long to compute: one of each. */
const dense: readonly Rhythm[] = ["minute", "quarter", "halfHour"];

const found = (wanted: Wanted) => foundIn(healthyGiven(wanted));

function foundIn(given: Given) {
  const rules = rulesFor([], { resource: given.resource, modelId: 1, pointIds: [] });
  return judge(given, rules).map(({ kind, field, from, code, evidence }) => ({
    kind,
    field,
    from,
    code,
    evidence,
  }));
}

/** A healthy series with one value of its register that is lower than those before it. */
function withFall(wanted: Wanted): { readonly given: Given; readonly ts: number } {
  const given = healthyGiven(wanted);
  const values = given.levels.get(given.field) ?? [];
  const at = values.length - 2;
  const odd = values.map((each, n) => (n === at ? { ...each, value: each.value / 2 } : each));
  return {
    given: { ...given, levels: new Map([...given.levels, [given.field, odd]]) },
    ts: values[at]?.ts ?? 0,
  };
}

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

  test("TRUST-031 a planted fall is found: silence of the rules says something", () => {
    for (const resource of resources) {
      const { given, ts } = withFall({ resource, rhythm, around: changes.spring, seed: 1 });
      const negative = foundIn(given).filter(({ kind }) => kind === "negative");
      expect({ resource, from: negative.map(({ from }) => from) }).toEqual({ resource, from: [ts] });
    }
  });
});
