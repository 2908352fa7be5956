import { objects, objectTies, users } from "@metrum/contract";
import { sql, type RawBuilder } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "./api.ts";
import { changesOf, watchChanges, type Changes } from "./changes.ts";
import { impatientClock } from "./clock.ts";
import { examples } from "./examples.ts";
import { headersOf, idAttackOf, unknownId, variantsOf, walkedFields } from "./idAttack.ts";
import { makeFixture, type Fixture, type Records } from "./records.ts";
import { makeVictim, makeVictims, makeWorlds, type World } from "./victims.ts";

/**
 * Tests every field that names a record of the company with records that stand outside of the branch of a tied
 * user. A refusal counts only if who sees the whole company gets 2xx for the same request, and the tied user for one
 * with a record inside.
 */
let fixture: Fixture;
let own: World;
let changes: Changes;
let street: number;
const tied = "operator@metrum.example";
const engineer = "engineer@metrum.example";
const tally = { fields: 0, refused: 0, uncounted: [] as string[] };

beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  const { api } = fixture;
  const world = (await makeWorlds(api))["own"];
  if (!world) throw new Error("no own world");
  own = world;
  // As much as a tied user may have: access_all on devices would lift the tie.
  await sql`update access_group set access_rules = jsonb_build_object('create', a, 'read', a, 'update', a, 'delete', a,
    'access_all', '[6]'::jsonb) from (select '[1, 2, 4, 5, 6, 7, 8]'::jsonb as a) m where name = 'Operators'`.execute(
    api.services.database.system,
  );
  const token = await api.token(engineer);
  const made = await api.ask(objects.add, { token, input: { body: { name: "Street", parent_id: null } } });
  const { data } = await api.ask(users.info, { token: await api.token(tied) });
  street = Number(made.data.object._id);
  await api.ask(objectTies.tieUser, {
    token,
    input: { params: { id: String(street) }, body: { user_id: data.user.id } },
  });
  changes = await watchChanges(api);
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

const item = (column: "device_id" | "gateway_id" | "base_station_id", id: number) => sql`
  insert into object_item (object_id, company_id, ${sql.ref(column)}, is_counted)
  values (${street}, ${own.company}, ${id}, true)`;
const partyOf = (kind: string, id: number, column = `${kind}_id`) => sql`
  with point as (
    insert into accounting_point (company_id, name, resource_type_id, timezone, object_id)
    values (${own.company}, 'Of the street', 3, 'Asia/Ulaanbaatar', ${street}) returning id
  )
  insert into point_term (point_id, company_id, kind, from_ts, ${sql.ref(column)})
  select id, ${own.company}, ${kind}, 0, ${id} from point`;

/** Kinds of records that stand in a branch or not, with the statement that brings one into the street. */
const placing: Partial<Record<keyof Records, (id: number) => RawBuilder<unknown>>> = {
  device: (id) => item("device_id", id),
  trashedDevice: (id) => item("device_id", id),
  gateway: (id) => item("gateway_id", id),
  trashedGateway: (id) => item("gateway_id", id),
  baseStation: (id) => item("base_station_id", id),
  trashedBaseStation: (id) => item("base_station_id", id),
  object: (id) => sql`update object_node set parent_id = ${street} where id = ${id}`,
  accountingPoint: (id) => sql`update accounting_point set object_id = ${street} where id = ${id}`,
  exception: (id) => sql`
    insert into object_item (object_id, company_id, device_id, is_counted)
    select ${street}, company_id, device_id, true from validation_exception where id = ${id}`,
  consumer: (id) => partyOf("consumer", id),
  supplier: (id) => partyOf("supplier", id),
  transformer: (id) => partyOf("current_transformer", id, "transformer_id"),
  balanceGroup: (id) => sql`
    update accounting_point set object_id = ${street}
    where id in (select point_id from balance_group_point where group_id = ${id})`,
  task: (id) => sql`
    insert into object_item (object_id, company_id, device_id, is_counted)
    select ${street}, company_id, device_id, true from device_task_item where task_id = ${id}`,
};

/** Records of the request inside of the branch. */
async function inBranch(kinds: ReadonlySet<keyof Records>): Promise<Records> {
  const records = await makeVictims(fixture.api, own, kinds);
  for (const kind of kinds)
    await placing[kind]?.(records[kind]).execute(fixture.api.services.database.system);
  return records;
}

describe("ACL-039 an id outside of the branch is answered like an unknown one and changes nothing", () => {
  test.each(walkedFields)("%s", async (name, call, field) => {
    const attack = await idAttackOf(fixture, call, field);
    if (!attack || placing[attack.kind] === undefined || examples[call.id]?.as !== undefined) return;
    // Refused before its ids are read: reach.test.ts.
    if (call.reach === "company") return;
    const { api } = fixture;
    const { kind, kinds, inputFor } = attack;
    const outside = await makeVictim(api, own, kind);
    const records = await inBranch(kinds);
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
