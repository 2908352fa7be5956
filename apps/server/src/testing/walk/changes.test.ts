import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "../api.ts";
import { changesOf, watchChanges, type Changes } from "./changes.ts";
import { addMeter } from "../meter.ts";

let api: TestApi;
let changes: Changes;
beforeAll(async () => {
  api = await openTestApi();
  changes = await watchChanges(api);
});
afterAll(async () => {
  await changes.close();
  await api.close();
});

test("inserted, changed and deleted rows are noted with their company, by their device too", async () => {
  const { system } = api.services.database;
  const { first, second } = api.companies;
  const noted = async (statement: ReturnType<typeof sql>) => {
    await changes.take();
    await statement.execute(system);
    return changesOf(await changes.take(), [first, second]);
  };
  const id = await addMeter(api);

  expect(await noted(sql`insert into device_status (device_id, state) values (${id}, '{}')`)).toEqual([
    `device_status of ${String(first)}`,
  ]);
  expect(await noted(sql`update device set name = 'B' where id = ${id}`)).toContain(
    `device of ${String(first)}`,
  );
  expect(await noted(sql`update company set name = 'B' where id = ${second}`)).toEqual([
    `company of ${String(second)}`,
  ]);
  expect(await noted(sql`update company set name = 'B' where id = ${second}`)).toEqual([]);
  expect(await noted(sql`delete from device where id = ${id}`)).toContain(`device of ${String(first)}`);
});

test("every table with a company or device is watched, its partitions too", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and not attisdropped
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and attname in ('company_id', 'device_id') and relname <> 'noted_change'
      and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname = 'note_change')`.execute(
    api.services.database.system,
  );

  expect(rows).toEqual([]);
});
