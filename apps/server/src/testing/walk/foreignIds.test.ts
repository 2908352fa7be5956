import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { changesOf, watchChanges, type Changes } from "./changes.ts";
import { examples } from "./examples.ts";
import {
  headersOf,
  idAttackOf,
  idFields,
  unknownId,
  variantsOf,
  walkedFields,
  type IdAttack,
} from "./idAttack.ts";
import { idKindOf } from "./idKinds.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { makeVictim, makeVictims, makeWorlds, tokenOf, type World } from "./victims.ts";

/**
 * Tests every field of every call that names a record, according to the schemas, with records of every
 * company that the caller must not see. A refusal counts only if the owner of the record gets 2xx for the
 * same request.
 */
let fixture: Fixture;
let worlds: Record<string, World>;
let changes: Changes;
const tally = { refused: 0, uncounted: 0, fields: 0, calls: new Set<string>() };
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  worlds = await makeWorlds(fixture.api);
  changes = await watchChanges(fixture.api);
});
afterAll(async () => {
  await changes.close();
  await fixture.api.close();
  const { fields, calls, refused, uncounted } = tally;
  console.log(
    `walk: ${String(fields)} id fields of ${String(calls.size)} calls, ${String(refused)} foreign ids refused, 0 violations; ` +
      `${String(uncounted)} more do not count, as the owner is refused too`,
  );
});

const engineer = "engineer@metrum.example";

test("ACL-037 every id-like field of the contract has a declared kind of id", () => {
  const unknown = idFields.filter(([, call, field]) => idKindOf(call, field) === undefined);

  expect(unknown.map(([name]) => name)).toEqual([]);
  expect(walkedFields.length).toBeGreaterThan(30);
});

describe("ACL-037 ACL-038 a foreign id is answered like an unknown one and changes nothing", () => {
  test.each(walkedFields)("%s", async (name, call, field) => {
    const attack = await idAttackOf(fixture, call, field);
    if (!attack) return;
    tally.fields += 1;
    tally.calls.add(call.id);
    const { kind, kinds, isFilter } = attack;
    const caller = examples[call.id]?.as ?? engineer;
    const strangers = strangersOf(attack, callerWorld(caller));
    const victims = await Promise.all(strangers.map((world) => makeVictim(fixture.api, world, kind)));
    const watched = strangers.map(({ company }) => company);
    const ownChanges = ["session", "audit"];
    const own = await makeVictims(fixture.api, callerWorld(caller), kinds);
    const ours = { input: await attack.inputFor(own, unknownId), id: own[kind] };
    const token = await fixture.api.token(caller);
    const asked = (request: object) => fixture.api.ask(call, { token, input: request });
    await changes.take();

    const nobodys: Answer<unknown>[] = [];
    for (const input of variantsOf(field, ours, unknownId)) nobodys.push(await asked(input));
    for (const { status, text } of nobodys) expect(status, text).toBe(isFilter ? 200 : 404);
    for (const [at, victim] of victims.entries()) {
      for (const [variant, input] of variantsOf(field, ours, victim).entries()) {
        const [answer, nobody] = [await asked(input), nobodys[variant]];
        const outcome = [strangers[at]?.name, answer.status, answer.text];
        expect(outcome).toEqual([strangers[at]?.name, nobody?.status, nobody?.text]);
        expect(headersOf(answer)).toEqual(nobody && headersOf(nobody));
      }
    }
    const changed = await changes.take();
    expect(changesOf(changed, watched), `${name} changed rows`).toEqual([]);
    expect(changesOf(changed, [own.company], ownChanges), `${name} changed own rows`).toEqual([]);

    const owned = await ownersAnswers(attack, strangers, victims);
    expect(
      owned.some((status) => status < 300),
      `the owner gets ${owned.join(", ")}`,
    ).toBe(true);
    const served = owned.filter((status) => status < 300).length;
    tally.refused += served * nobodys.length;
    tally.uncounted += (owned.length - served) * nobodys.length;
  });
});

function callerWorld(email: string): World {
  const name = email.startsWith("dealer") ? "parent" : email.startsWith("api") ? "API only" : "own";
  const world = worlds[name];
  if (!world) throw new Error(`no world ${name}`);
  return world;
}

/** Calls about a company below that an administrator makes from above, without entering it. */
const ofBelow: Readonly<Record<string, string>> = {
  "peakHours.set": "settings of a company below are changed like its name and modules",
  "design.own": "refused with the reason: staff of the provider change the design of others",
  "design.save": "refused with the reason: staff of the provider change the design of others",
};

/** Companies whose records the caller must not touch; of companies, those outside of the branch. */
function strangersOf({ kind, call }: IdAttack, caller: World): World[] {
  const isHierarchy =
    kind === "company" && (examples[call.id]?.as !== undefined || ofBelow[call.id] !== undefined);
  return Object.values(worlds).filter(({ company, path }) =>
    isHierarchy ? !`${path}.`.startsWith(`${caller.path}.`) : company !== caller.company,
  );
}

/**
 * Answer to the owner of each record for the same request: for a company the one above, else its own
 * administrator.
 */
async function ownersAnswers(
  { call, kind, kinds, inputFor }: IdAttack,
  strangers: readonly World[],
  victims: readonly number[],
) {
  const statuses: number[] = [];
  for (const [at, world] of strangers.entries()) {
    const victim = victims[at] ?? 0;
    const records = await makeVictims(fixture.api, world, kinds);
    const isOwnCompany = kind === "company" && examples[call.id]?.as === undefined;
    const id = isOwnCompany ? world.company : victim;
    const input = await inputFor({ ...records, [kind]: id }, id);
    const token = await tokenOf(fixture.api, world);
    const { status } = await fixture.api.ask(call, { token, input });
    statuses.push(status);
  }
  return statuses;
}
