import { periods } from "@metrum/contract/accounting";
import { sql } from "kysely";
import type { Db } from "#core";
import type { Fixture } from "../records.ts";

/** A closed day of long ago that no other record has; the one point that it bills is gone since. */
export async function aClosedPeriod(system: Db, company: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with period as (
      insert into settlement_period (company_id, from_day, to_day, state, version, closed_at)
      select ${company}, day, day, 'closed', 1, 1793491200
      from (select '2010-01-01'::date + count(*)::int as day from settlement_period where company_id = ${company}) d
      returning id
    ), version as (
      insert into period_version (period_id, company_id, version, kind, made_at, points, lacking, estimated, digest)
      select id, ${company}, 1, 'close', 1793491200, 1, 0, 0, repeat('0', 64) from period
    ), total as (
      insert into period_total (period_id, version, company_id, point_id, field, name, resource_type_id, timezone, amount,
        estimated, length_sec, covered_sec, flags)
      select id, 1, ${company}, 2000000000, 'main', 'Gone', 3, 'UTC', 7, 0, 86400, 86400, 0 from period
    )
    select id from period`.execute(system);
  return rows[0]?.id ?? 0;
}

/** SHA-256 of nothing: the present totals of such a day. */
export const noTotals = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const engineer = "engineer@metrum.example";
/** Months that have been made in a database. */
const made = new WeakMap<Fixture["api"], number>();

/** A month that has a point with data and that no other test has closed. */
export async function aMonth({ api, ours }: Fixture): Promise<string> {
  const nth = (made.get(api) ?? 0) + 1;
  made.set(api, nth);
  const month = `${String(2015 + Math.floor(nth / 12))}-${String((nth % 12) + 1).padStart(2, "0")}`;
  await sql`
    with point as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${ours.company}, 'Metered', 3, 'UTC') returning id
    )
    insert into point_day (point_id, field, day, amount, length_sec, known_sec, computed_at)
    select id, 'main', ${`${month}-01`}, 10.5, 86400, 86400, 1793491200 from point`.execute(
    api.services.database.system,
  );
  return month;
}

/** What closes a month as its preview has shown it. */
export async function aClosing(fixture: Fixture) {
  const { api } = fixture;
  const month = await aMonth(fixture);
  const token = await api.token(engineer);
  const { data } = await api.ask(periods.preview, { token, input: { body: { month } } });
  return { month, digest: data.preview.digest, accepts_incomplete: true };
}
