import { users } from "@metrum/contract/access";
import { objects, objectTies } from "@metrum/contract/accounting";
import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { withoutEach } from "./schemaFields.ts";

/**
 * A user who is tied to an empty branch, and may do all that a tied user may, makes every call by its example: with
 * records that stand outside, and without each optional field, because that often means the whole company.
 */
let fixture: Fixture;
const tied = "operator@metrum.example";

beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  const { api } = fixture;
  await sql`update access_group set access_rules = jsonb_build_object('create', a, 'read', a, 'update', a, 'delete', a,
    'access_all', '[6]'::jsonb) from (select '[1, 2, 4, 5, 6, 7, 8]'::jsonb as a) m where name = 'Operators'`.execute(
    api.services.database.system,
  );
  const token = await api.token("engineer@metrum.example");
  const made = await api.ask(objects.add, { token, input: { body: { name: "Empty", parent_id: null } } });
  const { data } = await api.ask(users.info, { token: await api.token(tied) });
  await api.ask(objectTies.tieUser, {
    token,
    input: { params: { id: made.data.object._id }, body: { user_id: data.user.id } },
  });
});
afterAll(() => fixture.api.close());

const calls = [...contract.values()].filter(
  ({ id, auth, right }) => auth !== "none" && right !== "platform" && examples[id]?.build === undefined,
);
const named = (reach: readonly Call["reach"][]): [string, Call][] =>
  calls.filter((call) => reach.includes(call.reach)).map((call) => [call.id, call]);

const asked = async (call: Call, input: object): Promise<Answer<unknown>> =>
  fixture.api.ask(call, { token: await fixture.api.token(tied), input });

/** Columns that name a record which belongs to a branch. */
const keys = sql`array['device_id', 'point_id', 'object_id', 'gateway_id', 'base_station_id', 'task_id', 'group_id',
  'import_id', 'exception_id']`;

/** Tables whose rows belong to the user they name, and not to the one who has changed them. */
const ofUsers = ["list_view", "session", "letter_link"];

/**
 * Tables of what a tied user may create: it is theirs, or is in no branch until it is placed there. The audit log,
 * and the answers and letters that calls leave.
 */
const ofRecords = [
  ...[
    "audit",
    "once",
    "letter",
    "device",
    "gateway",
    "base_station",
    "object_node",
    "accounting_point",
    "users",
  ],
  ...["poll_group", "balance_group", "device_task", "sheet_import"],
];

/** A digest of the rows that belong to the company as a whole, by table. */
async function wholeRows(): Promise<Map<string, string>> {
  const { system } = fixture.api.services.database;
  const company = fixture.api.companies.first;
  const { rows: tables } = await sql<{ name: string; free: string }>`
    select table_name as name, coalesce(string_agg(quote_ident(column_name) || ' is null', ' and ')
      filter (where column_name = any(${keys}) or (column_name = 'user_id' and table_name = any(${ofUsers}))), 'true') as free
    from information_schema.columns join pg_class on relname = table_name
    where table_schema = current_schema() and relnamespace = current_schema()::regnamespace and not relispartition
      and relkind in ('r', 'p') and table_name <> all(${ofRecords})
    group by 1 having bool_or(column_name = 'company_id')`.execute(system);
  const each = tables.map(
    ({
      name,
      free,
    }) => sql`select ${name} as name, coalesce(sum(hashtext(t::text)), 0)::text || ' ' || count(*) as digest
      from ${sql.table(name)} as t where company_id = ${company}::int and ${sql.raw(free)}`,
  );
  const { rows } = await sql<{ name: string; digest: string }>`
    ${sql.join(each, sql` union all `)}
    union all select 'company', t::text from company as t where id = ${company}::int`.execute(system);
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

async function changedBy(act: () => Promise<unknown>): Promise<string[]> {
  const before = await wholeRows();
  await act();
  return [...(await wholeRows())].flatMap(([name, digest]) => (before.get(name) === digest ? [] : [name]));
}

test("ACL-039 the walk covers the tables of settings that a company shares", async () => {
  expect([...(await wholeRows()).keys()]).toEqual(
    expect.arrayContaining(["validation_rule", "payload_codec", "access_group", "consumer", "list_view"]),
  );
});

test("ACL-039 every call with a session declares what it reaches", () => {
  const undeclared = [...contract.values()].filter(({ auth, reach }) => auth !== "none" && !reach);
  expect(undeclared.map(({ id }) => id)).toEqual([]);
});

describe("ACL-039 a call that reaches the whole company is refused to a tied user", () => {
  test.each(named(["company"]))("%s", async (_, call) => {
    const input = await examples[call.id]?.input?.(fixture);
    const answers: Answer<unknown>[] = [];
    const changed = await changedBy(async () => answers.push(await asked(call, input ?? {})));

    const isForAdmins = /admin/.test(call.right ?? "");
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [403, isForAdmins ? answers[0]?.code : "tied_devices_only"],
    ]);
    expect(changed).toEqual([]);
  });
});

describe("ACL-039 no other call of a tied user changes what the whole company shares", () => {
  test.each(named(["branch", "common", "own"]))(
    "%s",
    async (_, call) => {
      const inputs = withoutEach((await examples[call.id]?.input?.(fixture)) ?? {});
      const changed = await changedBy(async () => {
        for (const input of inputs) await asked(call, input);
      });

      expect(changed).toEqual([]);
      // Files are read by threads, once for each field that is left out.
    },
    120_000,
  );
});
