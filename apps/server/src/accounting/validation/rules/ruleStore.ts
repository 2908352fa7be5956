import type { ValidationKind } from "@metrum/contract/accounting";
import type { AccountingPointId, DeviceId, ResourceKey } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db, Scope } from "#core";
import type { Numbers } from "../judged/index.ts";

export interface RuleKey {
  readonly kind: ValidationKind;
  readonly resource: ResourceKey | null;
  readonly model_id: number | null;
  readonly point_id: AccountingPointId | null;
}

export interface ShownRule extends RuleKey {
  readonly is_on: boolean;
  readonly parameters: Numbers;
  readonly point_name: string | null;
}

/** Own rules of the company. Rows: at most 1,000, by the unique index. A tied user sees none of points. */
export async function ownRules(db: Db, scope: Scope): Promise<ShownRule[]> {
  const { rows } = await sql<ShownRule>`
    select r.kind, r.resource, r.model_id, r.point_id, r.is_on, r.parameters, p.name as point_name
    from validation_rule r left join accounting_point p on p.id = r.point_id
    where r.company_id = ${scope.companyId}::int ${scope.onlyTiedDevices ? sql`and r.point_id is null` : sql``}
    order by r.kind, r.resource nulls first, r.model_id nulls first, p.name, r.id`.execute(db);
  return rows;
}

const sameKey = (scope: Scope, key: RuleKey): RawBuilder<unknown> => sql`company_id = ${scope.companyId}::int
  and kind = ${key.kind} and resource is not distinct from ${key.resource}::text
  and model_id is not distinct from ${key.model_id}::int and point_id is not distinct from ${key.point_id}::int`;

/** The stored rule of a key, locked. */
export async function ruleOf(
  db: Db,
  scope: Scope,
  key: RuleKey,
): Promise<{ is_on: boolean; parameters: Numbers } | undefined> {
  const { rows } = await sql<{ is_on: boolean; parameters: Numbers }>`
    select is_on, parameters from validation_rule where ${sameKey(scope, key)} for update`.execute(db);
  return rows[0];
}

export async function countRules(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from validation_rule where company_id = ${scope.companyId}::int`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function saveRule(
  db: Db,
  scope: Scope,
  rule: RuleKey & { readonly is_on: boolean; readonly parameters: Numbers },
): Promise<void> {
  await sql`
    insert into validation_rule (company_id, kind, resource, model_id, point_id, is_on, parameters, user_id)
    values (${scope.companyId}::int, ${rule.kind}, ${rule.resource}, ${rule.model_id}::int, ${rule.point_id}::int,
      ${rule.is_on}, ${JSON.stringify(rule.parameters)}::jsonb, ${scope.userId}::int)
    on conflict (company_id, kind, resource, model_id, point_id)
      do update set is_on = excluded.is_on, parameters = excluded.parameters, user_id = excluded.user_id, updated_at = now()`.execute(
    db,
  );
}

export async function removeRule(db: Db, scope: Scope, key: RuleKey): Promise<void> {
  await sql`delete from validation_rule where ${sameKey(scope, key)}`.execute(db);
}

/** Devices with an open exception of a rule: judged again when it changes. Rows: at most 2,000 by validation_exception_open. */
export async function devicesInDoubt(
  db: Db,
  scope: Scope,
  { kind, point_id }: Pick<RuleKey, "kind" | "point_id">,
): Promise<{ device_id: DeviceId; from_ts: number; to_ts: number }[]> {
  const ofPoint =
    point_id === null
      ? sql`true`
      : sql`device_id in (select device_id from point_device where point_id = ${point_id}::int)`;
  const { rows } = await sql<{ device_id: DeviceId; from_ts: number; to_ts: number }>`
    select device_id, min(from_ts) as from_ts, max(to_ts) as to_ts from validation_exception
    where company_id = ${scope.companyId}::int and kind = ${kind} and outcome is null and ${ofPoint}
    group by device_id`.execute(db);
  return rows;
}

/**
 * Model and group of the device that measures a point at a moment; without a device null. Rows: 1, by primary key and
 * the exclusion constraint of point_device.
 */
export async function measuredBy(
  db: Db,
  pointId: AccountingPointId,
  at: number,
): Promise<{ resource_type_id: number; model_id: number | null; device_group_id: number | null }> {
  const { rows } = await sql<{
    resource_type_id: number;
    model_id: number | null;
    device_group_id: number | null;
  }>`
    select a.resource_type_id, d.model_id, d.device_group_id from accounting_point a
      left join point_device p on p.point_id = a.id and p.from_ts <= ${at}::int8 and (p.to_ts is null or p.to_ts > ${at}::int8)
      left join device d on d.id = p.device_id
    where a.id = ${pointId}::int limit 1`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the point was removed");
  return row;
}
