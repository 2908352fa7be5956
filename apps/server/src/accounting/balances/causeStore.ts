import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visibleDevices, visiblePoints, type Db, type Scope } from "#core";
import type { DayNumbers } from "#accounting/accounting-points";

/** Nodes of a branch that is searched for what the formula lacks, and what is named of them. */
const mostNodes = 5000;
const mostOutside = 200;

/** A point or device beside the points of a group. */
export interface Outside {
  readonly kind: "point" | "device";
  readonly id: number;
  readonly name: string;
}

/**
 * What stands in the branch of a group, measures its resource and is in no place of its formula: points, and devices
 * that measure no point. The branch is the lowest node above all points; what stands below a point that measures an
 * output is measured there. Rows: 200 at most. Index: object_node_children, accounting_point_of_object,
 * object_item_of_node.
 */
export async function outsideOf(
  db: Db,
  scope: Scope,
  of: {
    readonly points: readonly AccountingPointId[];
    readonly resourceTypeId: number;
    readonly deviceGroupId: number;
    readonly inputs: readonly AccountingPointId[];
  },
): Promise<Outside[]> {
  const { rows } = await sql<Outside>`
    with recursive own as (
      select distinct object_id as id from accounting_point where id = any(${of.points}::int[]) and object_id is not null
    ), up as (
      select id as leaf, id, 0 as distance from own
      union all
      select up.leaf, n.parent_id, up.distance + 1 from up join object_node n on n.id = up.id where n.parent_id is not null
    ), top as (
      select up.id from up group by up.id having count(*) = (select count(*) from own) order by min(distance) limit 1
    ), measured as (
      select o.id from own o where not exists (select from accounting_point p
        where p.id = any(${of.inputs}::int[]) and p.object_id = o.id) and o.id not in (select id from top)
    ), below as (
      select object_branch(array(select c.id from object_node c where c.parent_id in (select id from measured))) as id
    ), branch as (
      select object_branch(array(select t.id from top t join object_node n on n.id = t.id
        where n.nodes_below <= ${mostNodes})) as id
      except select id from below
    )
    (select 'point' as kind, p.id, p.name from accounting_point p
      where p.object_id in (select id from branch) and p.resource_type_id = ${of.resourceTypeId}
        and not p.id = any(${of.points}::int[]) and ${visiblePoints(scope)} order by p.id limit ${mostOutside})
    union all
    (select 'device', d.id, d.name from object_item i join device d on d.id = i.device_id
      where i.object_id in (select id from branch) and i.is_counted and d.device_group_id = ${of.deviceGroupId}
        and ${visibleDevices(scope, { as: "d" })}
        and not exists (select from point_device t where t.device_id = d.id and t.to_ts is null)
      order by d.id limit ${mostOutside})`.execute(db);
  return rows;
}

/**
 * Consumption of devices that measure no point, about, from the counter that is their main one: differences of the last
 * values of days, times the ratio of the device. Rows: one a device and day; index: primary key of reading_day.
 */
export async function deviceDays(
  db: Db,
  of: { readonly ids: readonly DeviceId[]; readonly field: string; readonly range: DayNumbers },
): Promise<{ device_id: DeviceId; at: number; amount: number }[]> {
  if (of.ids.length === 0) return [];
  const { first, last } = of.range;
  const { rows } = await sql<{ device_id: DeviceId; at: number; amount: number | null }>`
    select device_id, at, (value - lag(value) over (partition by device_id order by at)) * ratio as amount from (
      select r.device_id, r.day - '1970-01-01'::date - ${first}::int as at, max(r.last[array_position(s.fields, ${of.field})]) as value,
        max(d.transformation_ratio) as ratio
      from reading_day r join field_set s on s.id = r.field_set_id join device d on d.id = r.device_id
      where r.device_id = any(${[...of.ids]}::int[]) and r.msg_type = 1 and ${of.field} = any(s.fields)
        and r.day between '1970-01-01'::date + ${first - 1}::int and '1970-01-01'::date + ${last}::int
      group by 1, 2) as daily`.execute(db);
  return rows.flatMap(({ amount, ...row }) => (amount === null || row.at < 0 ? [] : [{ ...row, amount }]));
}

/** The ratio that a point had on a day, and its current transformer. */
export interface PointRatio {
  readonly point_id: AccountingPointId;
  readonly ratio: number | null;
  readonly primary: number | null;
  readonly secondary: number | null;
}

/** Rows: one a point; index: primary key of point_day and the exclusion constraint of point_term. */
export async function ratiosOf(
  db: Db,
  ids: readonly AccountingPointId[],
  { day, at }: { readonly day: string; readonly at: number },
): Promise<Map<AccountingPointId, PointRatio>> {
  const { rows } = await sql<PointRatio>`
    select p.id as point_id, d.ratio::float8 as ratio, t.primary_value::float8 as primary, t.secondary_value::float8 as secondary
    from accounting_point p
    left join point_day d on d.point_id = p.id and d.field = 'main' and d.day = ${day}::date
    left join lateral (select transformer_id from point_term where point_id = p.id and kind = 'current_transformer'
      and from_ts <= ${at} and (to_ts is null or to_ts > ${at}) limit 1) term on true
    left join transformer t on t.id = term.transformer_id
    where p.id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.point_id, row]));
}
