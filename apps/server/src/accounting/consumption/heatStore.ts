import { heatBounds } from "@metrum/contract/accounting";
import type { AccountingPointId, ObjectId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visiblePoints, type Db, type Scope } from "#core";

/** Types of points that are counted in Gcal. */
const heatTypes = [4, 7];

export interface HeatPoint {
  readonly id: AccountingPointId;
  readonly name: string;
  readonly object_name: string;
}

/**
 * Heat points at a node that came through `resolve` and below it, one more than a calculation takes at most. Rows: of the branch, by object_node_children and
 * accounting_point_of_object.
 */
export async function heatPointsOf(db: Db, scope: Scope, object: ObjectId): Promise<HeatPoint[]> {
  const { rows } = await sql<HeatPoint>`
    select p.id, p.name, n.name as object_name
    from object_branch(array[${object}::int]) b join accounting_point p on p.object_id = b
      join object_node n on n.id = p.object_id
    where ${visiblePoints(scope)} and p.resource_type_id = any(${heatTypes}::int[])
    order by p.id limit ${heatBounds.points + 1}`.execute(db);
  return rows;
}

/** Sum of exact decimals; null without any. */
export async function exactSum(db: Db, amounts: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ sum: string | null }>`
    select trim_scale(sum(amount))::text as sum from unnest(${[...amounts]}::numeric[]) as amount`.execute(
    db,
  );
  return rows[0]?.sum ?? null;
}
