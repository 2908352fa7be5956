import { sql, type RawBuilder } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { companyDevices, tiedDevices, visibleDevices, type DeviceScope } from "./visibleDevices.ts";

let api: TestApi;
let all: DeviceScope;
let tied: DeviceScope;

/**
 * Two companies with the same five devices each; a user of the first is tied to all of its devices but one.
 */
beforeAll(async () => {
  api = await openTestApi();
  const { pool } = api.services.database;
  const { rows } = await pool.query<{ company_id: number; user_id: number }>(`
    with own as (select id, company_id from users where email = 'engineer@metrum.example'),
    other as (
      insert into company (name, parent_id, path, active_modules)
      select 'Other', company_id, 'other'::ltree, '[]' from own returning id
    ),
    device as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID",
        is_archived, deleted_at)
      select company, 1, 'M', 1, 1, 1, prefix || kind, prefix || kind, kind in ('archived', 'both'),
        case when kind in ('trash', 'both') then now() end
      from (select company_id, 'own ' from own union all select id, 'other ' from other) as company (company, prefix),
        unnest(array['used', 'untied', 'archived', 'trash', 'both']) as kind
      returning id, company_id, name
    ),
    tie as (
      insert into device_user (device_id, user_id, company_id)
      select device.id, own.id, own.company_id from own, device
      where device.name like 'own %' and device.name <> 'own untied'
    )
    select company_id, id as user_id from own`);
  const { company_id: companyId = 0, user_id: userId = 0 } = rows[0] ?? {};
  all = { companyId, userId, onlyTiedDevices: false };
  tied = { companyId, userId, onlyTiedDevices: true };
});
afterAll(() => api.close());

async function found(condition: RawBuilder<unknown>, as: "device" | "d" = "device"): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from device as ${sql.table(as)}
    where (name like 'own %' or name like 'other %') and ${condition} order by id`.execute(
    api.services.database.system,
  );
  return rows.map(({ name }) => name.replace("own ", ""));
}

test("a session sees the devices of its company except those in the trash", async () => {
  expect(await found(visibleDevices(all))).toEqual(["used", "untied", "archived"]);
  expect(await found(visibleDevices(all, { as: "d" }), "d")).toEqual(["used", "untied", "archived"]);
});

test("a user who is tied to devices sees only these", async () => {
  expect(await found(visibleDevices(tied))).toEqual(["used", "archived"]);
  expect(await found(visibleDevices(tied, { as: "d" }), "d")).toEqual(["used", "archived"]);
});

test("trash and archive can be excluded, included or selected", async () => {
  expect(await found(visibleDevices(all, { archive: "excluded" }))).toEqual(["used", "untied"]);
  expect(await found(visibleDevices(tied, { archive: "excluded" }))).toEqual(["used"]);
  expect(await found(visibleDevices(tied, { trash: "included" }))).toEqual([
    "used",
    "archived",
    "trash",
    "both",
  ]);
  expect(await found(visibleDevices(all, { trash: "only" }))).toEqual(["trash", "both"]);
  expect(await found(visibleDevices(all, { trash: "only", archive: "excluded" }))).toEqual(["trash"]);
});

test("data of the company itself are not restricted by ties", async () => {
  expect(await found(companyDevices(tied.companyId))).toEqual(["used", "untied", "archived"]);
});

test("ties alone restrict rows whose company is already checked", async () => {
  expect(await found(tiedDevices(all, sql`device.id`))).toHaveLength(10);
  expect(await found(tiedDevices(tied, sql`device.id`))).toEqual(["used", "archived", "trash", "both"]);
});

test("a company without a user has no ties", async () => {
  const scope = { companyId: all.companyId, onlyTiedDevices: false } as const;

  expect(await found(visibleDevices(scope))).toEqual(["used", "untied", "archived"]);
});
