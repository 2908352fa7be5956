import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi } from "./api.ts";
import { examples } from "./walk/examples.ts";
import { makeFixture, type Fixture } from "./records.ts";

/**
 * Whether a foreign id takes as long as an unknown one (within 20 %, security rule 1.5). A measurement, not a
 * test: run it on a quiet machine with METRUM_TIMING=true npx vitest run --project server
 */
const rounds = 400;
const unknownId = 2_147_483_647;
const engineer = "engineer@metrum.example";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi());
});
afterAll(() => fixture.api.close());

const calls = [...contract.values()].filter(({ id }) => examples[id]?.foreign);

describe("a foreign id takes the time of an unknown one", () => {
  test.each(calls.map((call): [string, Call] => [call.id, call]))("%s", async (id, call) => {
    const foreign = examples[id]?.foreign;
    if (!foreign) return;
    const token = await fixture.api.token(engineer);
    const took = { theirs: [] as number[], unknown: [] as number[] };
    // Alternating, so that other load affects both alike.
    for (let round = 0; round < rounds; round++) {
      took.theirs.push(await timeOf(call, token, foreign.input(fixture.theirs[foreign.kind], fixture)));
      took.unknown.push(await timeOf(call, token, foreign.input(unknownId, fixture)));
    }

    const ratio = medianOf(took.theirs) / medianOf(took.unknown);
    console.log(`${id.padEnd(28)} ${medianOf(took.unknown).toFixed(2)} ms, foreign ${ratio.toFixed(2)} x`);
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.2);
  });
});

async function timeOf(call: Call, token: string, input: object): Promise<number> {
  const began = performance.now();
  await fixture.api.ask(call, { token, input });
  return performance.now() - began;
}

function medianOf(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}
