import type { CompanyId, DeviceId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolve, type Db, type Scope, type ScopedKind } from "#core";
import { openTestApi } from "./api.ts";
import { makeFixture, type Fixture } from "./records.ts";

/**
 * Row-level security alone: queries as a handler without the resolver could send them, under the role and
 * company of the API.
 */
let fixture: Fixture;
let ours: Scope;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi());
  const { system } = fixture.api.services.database;
  const ts = Date.UTC(2026, 10, 1) / 1000;
  for (const device of [fixture.ours.device, fixture.theirs.device])
    await sql`insert into device_latest (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
      values (${device}, 1, ${ts}, ${ts}, 1, 0, 0, '{1}')`.execute(system);
  await sql`insert into device_user (device_id, user_id, company_id)
    values (${fixture.theirs.device}, ${fixture.theirs.user}, ${fixture.theirs.company})`.execute(system);
  ours = {
    companyId: fixture.ours.company as CompanyId,
    companyPath: await pathOf(fixture.ours.company),
    userId: fixture.ours.user as UserId,
    access: {
      is_admin: true,
      is_platform: false,
      rules: { create: [], read: [], update: [], delete: [], access_all: [] },
    },
    onlyTiedDevices: false,
    timeZone: "Etc/UTC",
  };
});
afterAll(() => fixture.api.close());

const scoped = <Result>(run: (db: Db) => Promise<Result>, scope = ours) =>
  fixture.api.services.database.scoped(scope, run);

async function pathOf(company: number): Promise<string> {
  const { rows } = await sql<{ path: string }>`select path::text from company where id = ${company}`.execute(
    fixture.api.services.database.system,
  );
  return rows[0]?.path ?? "";
}

/** Tables with a company, read from the database, so that a new one is covered automatically. */
async function companyTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'company_id' order by 1
  `.execute(fixture.api.services.database.system);
  return rows.map(({ name }) => name);
}

test("every table with a company is under row-level security, also for its owner", async () => {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and relrowsecurity and relforcerowsecurity
  `.execute(fixture.api.services.database.system);

  const { rows: partitions } = await sql<{ relname: string; isOpen: boolean }>`
    select relname, has_table_privilege('metrum_api', oid, 'select, insert, update, delete') as "isOpen"
    from pg_class where relnamespace = current_schema()::regnamespace and relispartition and relkind = 'r'
  `.execute(fixture.api.services.database.system);

  const walled = rows.map(({ relname }) => relname);
  const parts = new Set(partitions.map(({ relname }) => relname));
  const whole = (await companyTables()).filter((name) => !parts.has(name));
  expect(walled).toEqual(expect.arrayContaining([...whole, "company"]));
  // A partition is protected by the policies of its table, and has no separate privileges.
  expect(partitions.filter(({ isOpen }) => isOpen)).toEqual([]);
});

test("no table shows rows of another company to a query without a company condition", async () => {
  for (const table of await companyTables()) {
    const { rows } = await scoped((db) =>
      sql<{ company_id: number }>`select distinct company_id from ${sql.table(table)}`.execute(db),
    ).catch((error: unknown) => {
      // The API's role may not read it at all, which protects it too.
      expect((error as { code?: string }).code, table).toBe("42501");
      return { rows: [] };
    });

    expect(
      rows.filter(({ company_id }) => company_id !== ours.companyId),
      table,
    ).toEqual([]);
  }
});

test("readings are reached through the device only, and another company's device is not found", async () => {
  const read = (device: number) =>
    scoped((db) =>
      sql`select r.* from device d join device_latest r on r.device_id = d.id where d.id = ${device}`.execute(
        db,
      ),
    );

  expect((await read(fixture.ours.device)).rows).toHaveLength(1);
  expect((await read(fixture.theirs.device)).rows).toHaveLength(0);
});

test("a device is found by its number in the company of the session only, whichever is named", async () => {
  const { system } = fixture.api.services.database;
  const { ours: own, theirs } = fixture;
  await sql`update device set "deviceID" = 'Twin-1' where id in (${own.device}, ${theirs.device})`.execute(
    system,
  );
  const found = (db: Db, company: number) =>
    sql<{ id: number }>`select device_numbered(${company}::int, array['twin-1']) as id`
      .execute(db)
      .then(({ rows }) => rows.map(({ id }) => id));

  expect(await scoped((db) => found(db, own.company))).toEqual([own.device]);
  expect(await scoped((db) => found(db, theirs.company))).toEqual([]);
  expect(await found(system, theirs.company)).toEqual([theirs.device]);
});

test("a company sees itself and the companies below, not its parent or sibling", async () => {
  const { rows } = await scoped((db) => sql<{ id: number }>`select id from company`.execute(db));

  expect(rows.map(({ id }) => id)).toEqual([fixture.ours.company]);
});

test("another company's rows can be neither changed, removed nor inserted", async () => {
  const their = fixture.theirs;
  const changed = await scoped(async (db) => [
    await sql`update device set name = 'mine' where id = ${their.device}`.execute(db),
    await sql`delete from users where id = ${their.user}`.execute(db),
    await sql`update company set name = 'mine' where id = ${their.company}`.execute(db),
    await sql`update device set company_id = ${ours.companyId} where company_id = ${their.company}`.execute(
      db,
    ),
  ]);
  const plant = scoped((db) =>
    sql`insert into access_group (company_id, name, access_rules) values (${their.company}, 'Door', '{}')`.execute(
      db,
    ),
  );

  expect(changed.map(({ numAffectedRows }) => numAffectedRows)).toEqual([0n, 0n, 0n, 0n]);
  await expect(plant).rejects.toMatchObject({ code: "42501" });
});

test("the audit log can be written and read, not changed", async () => {
  await expect(scoped((db) => sql`update audit set action = 'x'`.execute(db))).rejects.toMatchObject({
    code: "42501",
  });
  await expect(scoped((db) => sql`delete from audit`.execute(db))).rejects.toMatchObject({ code: "42501" });
});

test("the company of a transaction does not outlive it", async () => {
  await scoped((db) => sql`select 1`.execute(db));

  const { rows } = await sql<{ company: string | null; role: string }>`
    select nullif(current_setting('metrum.company', true), '') as company, current_user::text as role
  `.execute(fixture.api.services.database.system);

  expect(rows).toEqual([{ company: null, role: "metrum" }]);
});

describe("the first barrier", () => {
  const kinds = ["user", "accessGroup", "device", "gateway", "baseStation"] as const satisfies ScopedKind[];

  test.each(kinds)("ids of kind %s resolve all or none", async (kind) => {
    const [own, foreign] = [fixture.ours[kind], fixture.theirs[kind]];
    const ask = (ids: number[]) => scoped((db) => resolve({ db, scope: ours }, kind, ids));

    expect(await ask([own, own])).toEqual([own, own]);
    expect(await ask([])).toEqual([]);
    await expect(ask([foreign])).rejects.toMatchObject({ code: "not_found" });
    await expect(ask([own, foreign])).rejects.toMatchObject({ code: "not_found" });
    await expect(ask([own, 2_147_483_647])).rejects.toMatchObject({ code: "not_found" });
  });

  test("holds without the second barrier: with all privileges of the database", async () => {
    const { system } = fixture.api.services.database;

    for (const kind of kinds)
      await expect(resolve({ db: system, scope: ours }, kind, [fixture.theirs[kind]])).rejects.toMatchObject({
        code: "not_found",
      });
    await expect(
      resolve({ db: system, scope: ours }, "company", [fixture.theirs.company]),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("ACL-039 a tied user resolves only their devices", async () => {
    const scope: Scope = { ...ours, onlyTiedDevices: true };
    const ask = () => scoped((db) => resolve({ db, scope }, "device", [fixture.ours.device]), scope);
    await expect(ask()).rejects.toMatchObject({ code: "not_found" });

    await sql`insert into device_user (device_id, user_id, company_id)
      values (${fixture.ours.device}, ${ours.userId}, ${ours.companyId})`.execute(
      fixture.api.services.database.system,
    );

    expect(await ask()).toEqual([fixture.ours.device as DeviceId]);
  });
});
