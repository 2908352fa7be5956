import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "../api.ts";
import { engineer, inBranch, placing, tied, tieToStreet, type Branch } from "./branch.ts";
import { changesOf, watchChanges, type Changes } from "./changes.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { headersOf, idAttackOf, unknownId, variantsOf, walkedFields } from "./idAttack.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { makeVictim, makeWorlds } from "./victims.ts";

/**
 * Tests every field that names a record of the company with records that stand outside of the branch of a tied
 * user. A refusal counts only if who sees the whole company gets 2xx for the same request, and the tied user for one
 * with a record inside.
 */
let fixture: Fixture;
let branch: Branch;
let changes: Changes;
const tally = { fields: 0, refused: 0, uncounted: [] as string[] };

beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  const { own } = await makeWorlds(fixture.api);
  if (!own) throw new Error("no own world");
  branch = await tieToStreet(fixture, own);
  changes = await watchChanges(fixture.api);
});
afterAll(async () => {
  await changes.close();
  await fixture.api.close();
  const { fields, refused, uncounted } = tally;
  console.log(
    `tied walk: ${String(fields)} id fields, ${String(refused)} ids outside refused, 0 violations; ` +
      `not counted: ${uncounted.join(", ")}`,
  );
});

describe("ACL-039 an id outside of the branch is answered like an unknown one and changes nothing", () => {
  test.each(walkedFields)("%s", async (name, call, field) => {
    const attack = await idAttackOf(fixture, call, field);
    if (!attack || placing[attack.kind] === undefined || examples[call.id]?.as !== undefined) return;
    // Refused before its ids are read: reach.test.ts.
    if (call.reach === "company") return;
    const { api } = fixture;
    const { kind, kinds, inputFor } = attack;
    const { own } = branch;
    const outside = await makeVictim(api, own, kind);
    const records = await inBranch(fixture, branch, kinds);
    const ours = { input: await inputFor(records, unknownId), id: records[kind] };
    const token = await api.token(tied);
    const asked = (input: object): Promise<Answer<unknown>> => api.ask(call, { token, input });
    await changes.take();
    tally.fields += 1;

    const [hidden, unknown] = [variantsOf(field, ours, outside), variantsOf(field, ours, unknownId)];
    const answers: Answer<unknown>[] = [];
    for (const [at, input] of hidden.entries()) {
      const [answer, nobody] = [await asked(input), await asked(unknown[at] ?? {})];
      expect([answer.status, answer.text]).toEqual([nobody.status, nobody.text]);
      expect(headersOf(answer)).toEqual(headersOf(nobody));
      answers.push(answer);
    }
    expect(
      changesOf(await changes.take(), [own.company], ["session", "audit"]),
      `${name} changed rows`,
    ).toEqual([]);

    // First inside: the other may take the records of the request out of the branch.
    const inside = await asked(variantsOf(field, ours, records[kind])[0] ?? {});
    const wide = await api.ask(call, { token: await api.token(engineer), input: hidden[0] ?? {} });
    const isRefused = answers.every(({ status }) => status === (attack.isFilter ? 200 : 404));
    if (isRefused && wide.status < 300 && inside.status < 300) tally.refused += answers.length;
    else tally.uncounted.push([name, answers[0]?.status, wide.status, inside.status].join(" "));
  });

  test("nine of ten refusals count", () => {
    expect(tally.refused).toBeGreaterThan(340);
  });
});
