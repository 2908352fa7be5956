import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createPartitions, partitionedTable } from "#core";
import { packSteps } from "#headend/exchanges";
import { openTestApi } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { changesOf, watchChanges, type Changes } from "./changes.ts";
import { examples } from "./examples.ts";
import { idKindOf, isPlatformCall } from "./idKinds.ts";
import { makeFixture, type Fixture, type Records } from "../records.ts";
import { anyItem, fieldsOf, isIdField, withField, type Field } from "./schemaFields.ts";
import { makeVictim, makeWorlds, mark, type World } from "./victims.ts";

/**
 * A build without the first barrier: every id from outside passes unchecked. Row-level security remains, and
 * the rule that device ids reach telemetry only through a query on `device` (security rule 1.4).
 */
vi.mock("../../core/database/resolve.ts", () => ({
  resolve: (_ctx: unknown, _kind: unknown, ids: readonly number[]) => Promise.resolve([...ids]),
  resolveOne: (_ctx: unknown, _kind: unknown, id: number) => Promise.resolve(id),
}));

let fixture: Fixture;
let worlds: World[];
let changes: Changes;
let crossings: () => Promise<Record<string, number>>;
const tally = { tried: 0, statuses: new Map<number, number>() };
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  const { services } = fixture.api;
  await createPartitions(services.database.pool, services.clock, partitionedTable("message")).ensure([
    readAt,
  ]);
  const all = await makeWorlds(fixture.api);
  worlds = Object.values(all).filter(({ name }) => name !== "own");
  changes = await watchChanges(fixture.api);
  crossings = await countCrossings();
});
afterAll(async () => {
  await changes.close();
  await fixture.api.close();
  const statuses = [...tally.statuses].map(([status, n]) => `${String(n)} x ${String(status)}`);
  console.log(
    `second wall: ${String(tally.tried)} foreign ids without the first, 0 leaks (${statuses.join(", ")})`,
  );
});

const engineer = "engineer@metrum.example";
/** A reading that only victims have. */
const reading = 73_519.25;
const readAt = Date.UTC(2026, 10, 1, 12) / 1000;

const fields = [...contract.values()]
  .filter((call) => !isPlatformCall(call) && examples[call.id]?.build === undefined)
  .flatMap((call) =>
    fieldsOf(call)
      .filter(isIdField)
      .map((field): [string, Call, Field] => [`${call.id} ${field.path.join(".")}`, call, field]),
  );

describe("ACL-037 without the first barrier the second lets nothing through, readings included", () => {
  test.each(fields)("%s", async (_, call, field) => {
    const kind = idKindOf(call, field)?.replace("filter:", "");
    if (kind === undefined || kind === "everybody's") return;
    const caller = examples[call.id]?.as ?? engineer;
    const own = caller === engineer ? fixture.ours.company : fixture.dealerCompany;
    // The dealer may see its own branch.
    const strangers = worlds.filter(
      ({ company, path }) =>
        company !== own && !(caller !== engineer && path.split(".").includes(String(own))),
    );
    const companies = strangers.map(({ company }) => company);
    const victims: number[] = [];
    for (const world of strangers) victims.push(await victimOf(world, kind as keyof Records));
    const before = await crossings();
    await changes.take();

    for (const victim of victims) {
      const { status, text } = await ask(call, field, caller, victim);
      tally.tried += 1;
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      expect(text).not.toContain(mark);
      expect(text).not.toContain(String(reading));
    }

    expect([changesOf(await changes.take(), companies), await crossings()]).toEqual([[], before]);
  });
});

async function ask(call: Call, field: Field, email: string, victim: number) {
  const input = (await examples[call.id]?.input?.(fixture)) ?? {};
  const isList = field.path.at(-1) === anyItem;
  const [path, value] = isList
    ? [field.path.slice(0, -1), [victim]]
    : [field.path, field.path[0] === "body" ? victim : String(victim)];
  return fixture.api.ask(call, {
    token: await fixture.api.token(email),
    input: withField(input, path, value) as object,
  });
}

/** For a device with readings, in every table from which a call reads them. */
async function victimOf(world: World, kind: keyof Records): Promise<number> {
  const id = await makeVictim(fixture.api, world, kind);
  if (kind !== "device") return id;
  const { system } = fixture.api.services.database;
  await sql`
    with set_row as (
      insert into field_set (fields) values ('{tariff1}') on conflict (fields) do update set fields = excluded.fields returning id
    ), latest as (
      insert into device_latest (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
      select ${id}, 1, ${readAt}, ${readAt}, id, 0, 0, array[${reading}::float8] from set_row
    ), log as (
      insert into poll_log (device_id, started_ms, kind, result, tries, duration_ms, line, message, steps)
      values (${id}, ${readAt * 1000}, 1, 0, 1, 10, 'line', ${mark}, ${packSteps([])})
    )
    insert into message (ts, device_id, received_at_offset, msg_type, field_set_id, status, source, v)
    select ${readAt}, ${id}, 0, 1, id, 0, 0, array[${reading}::float8] from set_row`.execute(system);
  return id;
}

/** Foreign keys between tables with a company. */
async function companyKeys(): Promise<{ from: string; column: string; to: string; key: string }[]> {
  const { system } = fixture.api.services.database;
  const { rows } = await sql<{ from: string; column: string; to: string; key: string }>`
    select c.conrelid::regclass::text as from, a.attname as column, c.confrelid::regclass::text as to,
      k.attname as key
    from pg_constraint c
      join pg_attribute k on k.attrelid = c.confrelid and k.attnum = c.confkey[1]
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute f on f.attrelid = c.conrelid and f.attname = 'company_id' and a.attname <> 'company_id'
      join pg_attribute t on t.attrelid = c.confrelid and t.attname = 'company_id'
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and cardinality(c.conkey) = 1
      and c.conrelid::regclass::text not in ('session', 'entry_code')`.execute(system);
  return rows;
}

/**
 * Counts rows of one company that refer to rows of another, by the two tables, as an attacker could have planted; in one
 * request, because it is asked before and after every attack.
 */
async function countCrossings(): Promise<() => Promise<Record<string, number>>> {
  const counts = (await companyKeys()).map(
    ({ from, column, to, key }) => sql`
      select ${`${from}.${column}`}::text as key, count(*)::int as n from ${sql.table(from)} f
        join ${sql.table(to)} t on ${sql.ref(`t.${key}`)} = f.${sql.ref(column)} where t.company_id <> f.company_id`,
  );
  const all = sql<{ key: string; n: number }>`${sql.join(counts, sql` union all `)}`;
  return async () => {
    const { rows } = await all.execute(fixture.api.services.database.system);
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
  };
}
