import { balances } from "@metrum/contract/accounting";
import { pathOf } from "@metrum/contract/core";
import { startApi, type BenchApi } from "../api.ts";
import { applyLoad } from "../load.ts";
import { atMost, median, percentile, reported, type Bench, type Figure } from "../report.ts";

const points = 1000;
const samples = 60;
const limitMs = 40;
/** October 2026 of the points' zone. */
const period = { startDate: 1_790_784_000, stopDate: 1_793_462_400 };

export const bench: Bench = {
  title: "the balance of a group of 1,000 points over a month, from day rows",
  async run() {
    const api = await startApi();
    try {
      const closes = await seedGroup(api, { name: "closes", lost: 1 });
      const leaks = await seedGroup(api, { name: "does not close", lost: 1.08 });
      return [
        ...(await measured(api, { of: closes, name: "closes", isBound: true })),
        ...(await measured(api, { of: leaks, name: "does not close, with causes", isBound: false })),
      ];
    } finally {
      await api.stop();
    }
  },
};

/**
 * One input, and outputs of whole days whose amounts all differ; a year before lies in the table too. Days are stored
 * one after another, and the points of a day in no order, as they are computed.
 */
async function seedGroup(
  api: BenchApi,
  of: { readonly name: string; readonly lost: number },
): Promise<number> {
  const { pool } = api.services.database;
  const { rows } = await pool.query<{ id: number }>(
    `with made as (
       insert into accounting_point (company_id, name, resource_type_id, timezone)
       select $1, $2 || ' ' || n, 3, 'Asia/Ulaanbaatar' from generate_series(1, $3::int) n returning id
     ), grouped as (
       insert into balance_group (company_id, name, resource_type_id, allowed_imbalance, loss_rule)
       values ($1, $2, 3, 5, 'none') returning id
     ), member as (
       insert into balance_group_point (group_id, company_id, point_id, role)
       select g.id, $1, m.id, case when m.id = (select min(id) from made) then 'in' else 'out' end from grouped g, made m
     ), used as materialized (
       select m.id, d::date as day, round(((10 + extract(isodow from d)::int % 3) * (0.5 + random()))::numeric, 3) as amount
       from generate_series('2025-11-01'::date, '2026-11-30', '1 day') d, made m where m.id > (select min(id) from made)
     ), read as (
       select * from used
       union all select (select min(id) from made), day, round(sum(amount) * $4::numeric, 3) from used group by day
     ), days as (
       insert into point_day (point_id, field, day, amount, length_sec, known_sec, computed_at)
       select id, 'main', day, amount, 86400, 86400, 0 from read order by day, random()
     )
     select id from grouped`,
    [api.companyId, of.name, points, of.lost],
  );
  await pool.query("analyze point_day, point_month");
  return rows[0]?.id ?? 0;
}

async function measured(
  api: BenchApi,
  of: { readonly of: number; readonly name: string; readonly isBound: boolean },
): Promise<Figure[]> {
  const request = {
    method: "POST" as const,
    path: `/api/${pathOf(balances.compute, { id: of.of })}`,
    token: api.token,
    body: period,
  };
  const load = { port: api.port, requests: [request], connections: 1 };
  await applyLoad({ ...load, count: 20 });
  const { times } = await applyLoad({ ...load, count: samples });
  const [half, most] = [median(times.flat()), percentile(times.flat(), 0.95)];
  return [
    of.isBound ? atMost(`${of.name}, p50`, half, "ms", limitMs) : reported(`${of.name}, p50`, half, "ms"),
    reported(`${of.name}, p95`, most, "ms"),
  ];
}
