import type { PartyPoint } from "@metrum/contract/access";
import { sql } from "kysely";
import { visibleDevices, visiblePoints, type Db, type Scope } from "#core";
import { termColumn, type PartyKind } from "./pageStore.ts";

interface Part {
  readonly id: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Intervals of visible points that name an entry: the present ones first, then the latest. Index
 * point_term_of_consumer and its neighbours; the device of each by the exclusion index of point_device.
 */
export async function intervalsOf(
  db: Db,
  scope: Scope,
  kind: PartyKind,
  { id, limit, offset }: Part,
): Promise<{ rows: PartyPoint[]; total: number }> {
  const terms = sql`point_term t join accounting_point p on p.id = t.point_id
    where ${termColumn(kind)} = ${id}::int and ${visiblePoints(scope)}`;
  const { rows } = await sql<PartyPoint>`
    select shown.*, m.device_id, m.device_name from (
      select p.id as accounting_point_id, p.name,
        concat_ws(', ', nullif(p.city, ''), nullif(p.street, ''), nullif(p.house, ''), nullif(p.inner_object, '')) as address,
        p.resource_type_id, p.timezone, t.from_ts, t.to_ts
      from ${terms} order by t.to_ts is not null, t.from_ts desc, t.id limit ${limit}::int offset ${offset}::int
    ) shown left join lateral (
      select d.id as device_id, d.name as device_name from point_device m join device d on d.id = m.device_id
      where m.point_id = shown.accounting_point_id and (shown.to_ts is null or m.from_ts < shown.to_ts)
        and (m.to_ts is null or m.to_ts > shown.from_ts) and ${visibleDevices(scope, { as: "d", trash: "included" })}
      order by m.from_ts desc limit 1
    ) m on true
    order by shown.to_ts is not null, shown.from_ts desc, shown.accounting_point_id`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from ${terms}`.execute(db);
  return { rows, total: counted[0]?.n ?? 0 };
}
