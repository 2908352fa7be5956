import { contract, type Call } from "@metrum/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "./api.ts";
import { impatientClock } from "./clock.ts";
import { changesOf, watchChanges, type Changes } from "./changes.ts";
import { examples } from "./examples.ts";
import { idKindOf, isPlatformCall } from "./idKinds.ts";
import { makeFixture, type Fixture, type Records } from "./records.ts";
import { anyItem, fieldsOf, isIdField, withField, type Field, refusedFieldsOf } from "./schemaFields.ts";
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

/** An id that does not exist: the largest the contract accepts. */
const unknownId = 2_147_483_647;
const engineer = "engineer@metrum.example";

const idFields = [...contract.values()].flatMap((call) => {
  const refused = refusedFieldsOf(call);
  return fieldsOf(call)
    .filter((field) => isIdField(field) && !refused.has(field.path.join(".")))
    .map((field): [string, Call, Field] => [`${call.id} ${field.path.join(".")}`, call, field]);
});
const walked = idFields.filter(([, call]) => !isPlatformCall(call) && examples[call.id]?.build === undefined);

test("ACL-037 every id-like field of the contract has a declared kind of id", () => {
  const unknown = idFields.filter(([, call, field]) => idKindOf(call, field) === undefined);

  expect(unknown.map(([name]) => name)).toEqual([]);
  expect(walked.length).toBeGreaterThan(30);
});

interface Attack {
  readonly call: Call;
  readonly field: Field;
  readonly kind: keyof Records;
  /** Kinds of the records in the request. */
  readonly kinds: ReadonlySet<keyof Records>;
  /** The request as its owner sends it, with the id of a fresh record. */
  readonly inputFor: (records: Records, id: number) => Promise<object>;
}

describe("ACL-037 ACL-038 a foreign id is answered like an unknown one and changes nothing", () => {
  test.each(walked)("%s", async (name, call, field) => {
    const kind = idKindOf(call, field);
    if (kind === undefined || kind === "everybody's") return;
    tally.fields += 1;
    tally.calls.add(call.id);
    const isFilter = kind.startsWith("filter:");
    const recordKind = kind.replace("filter:", "") as keyof Records;
    const kinds = (await kindsReadBy(call)).add(recordKind);
    const attack: Attack = { call, field, kind: recordKind, kinds, inputFor: inputOf(call, field) };
    const caller = examples[call.id]?.as ?? engineer;
    const strangers = strangersOf(attack, callerWorld(caller));
    const victims = await Promise.all(strangers.map((world) => makeVictim(fixture.api, world, recordKind)));
    const watched = strangers.map(({ company }) => company);
    const ownChanges = ["session", "audit"];
    const own = await makeVictims(fixture.api, callerWorld(caller), kinds);
    const ours = { input: await attack.inputFor(own, unknownId), id: own[recordKind] };
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

/** Kinds of records that the example of a call reads: only those are made. */
async function kindsReadBy({ id }: Call): Promise<Set<keyof Records>> {
  const read = new Set<keyof Records>();
  const ours = new Proxy(fixture.ours, {
    get: (records, kind: keyof Records) => {
      read.add(kind);
      return records[kind];
    },
  });
  await examples[id]?.input?.({ ...fixture, ours });
  return read;
}

function inputOf(call: Call, field: Field): Attack["inputFor"] {
  return async (records, id) => {
    const input = (await examples[call.id]?.input?.({ ...fixture, ours: records })) ?? {};
    const value = field.path[0] === "body" ? id : String(id);
    return withField(input, field.path, value) as object;
  };
}

/** Alone, and if the field is a list also next to an own one. */
function variantsOf(field: Field, { input, id: own }: { input: object; id: number }, id: number): object[] {
  const value = field.path[0] === "body" ? id : String(id);
  if (field.path.at(-1) !== anyItem) return [withField(input, field.path, value) as object];
  const list = field.path.slice(0, -1);
  return [[id], [own, id], [id, own]].map((ids) => withField(input, list, ids) as object);
}

function callerWorld(email: string): World {
  const name = email.startsWith("dealer") ? "parent" : email.startsWith("api") ? "API only" : "own";
  const world = worlds[name];
  if (!world) throw new Error(`no world ${name}`);
  return world;
}

/** Companies whose records the caller must not touch; of companies, those outside of the branch. */
function strangersOf({ kind, call }: Attack, caller: World): World[] {
  const isHierarchy = kind === "company" && examples[call.id]?.as !== undefined;
  return Object.values(worlds).filter(({ company, path }) =>
    isHierarchy ? !`${path}.`.startsWith(`${caller.path}.`) : company !== caller.company,
  );
}

/**
 * Answer to the owner of each record for the same request: for a company the one above, else its own
 * administrator.
 */
async function ownersAnswers(
  { call, kind, kinds, inputFor }: Attack,
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

function headersOf({ headers }: Answer<unknown>): object {
  return { ...headers, "x-request-id": "", date: "" };
}
