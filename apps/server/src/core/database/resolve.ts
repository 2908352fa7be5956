import { problem } from "@metrum/contract/core";
import type {
  AccountingPointId,
  BalanceGroupId,
  BaseStationId,
  Branded,
  CompanyId,
  ConsumerId,
  DeviceId,
  GatewayId,
  ObjectId,
  SupplierId,
  TransformerId,
  UserId,
} from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "./database.ts";
import type { Scope } from "./scope.ts";
import {
  tiedDevices,
  tiedObjects,
  visibleBalanceGroups,
  visibleCarriers,
  visibleDevices,
  visibleParties,
  visiblePoints,
} from "./fragments/visibleDevices.ts";

/** Kinds of ids received from outside, with their tables. */
const tables = {
  company: "company",
  user: "users",
  accessGroup: "access_group",
  device: "device",
  gateway: "gateway",
  baseStation: "base_station",
  companyService: "company_service",
  codec: "payload_codec",
  networkServer: "network_server",
  task: "device_task",
  pollGroup: "poll_group",
  sheetImport: "sheet_import",
  listView: "list_view",
  object: "object_node",
  accountingPoint: "accounting_point",
  consumer: "consumer",
  supplier: "supplier",
  transformer: "transformer",
  settlementPeriod: "settlement_period",
  balanceGroup: "balance_group",
  exception: "validation_exception",
} as const;

export type ScopedKind = keyof typeof tables;

interface IdOf {
  company: CompanyId;
  user: UserId;
  accessGroup: Branded<"accessGroup">;
  device: DeviceId;
  gateway: GatewayId;
  baseStation: BaseStationId;
  companyService: Branded<"companyService">;
  codec: Branded<"codec">;
  networkServer: Branded<"networkServer">;
  task: Branded<"task">;
  pollGroup: Branded<"pollGroup">;
  sheetImport: Branded<"sheetImport">;
  listView: Branded<"listView">;
  object: ObjectId;
  accountingPoint: AccountingPointId;
  consumer: ConsumerId;
  supplier: SupplierId;
  transformer: TransformerId;
  settlementPeriod: Branded<"settlementPeriod">;
  balanceGroup: BalanceGroupId;
  exception: Branded<"exception">;
}

/** Id of a kind that came through `resolve`. */
export type ScopedId<Kind extends ScopedKind> = IdOf[Kind];

/**
 * The first barrier between companies: resolves ids from outside to ids that this session may use. All or
 * nothing: a foreign or unknown id refuses the whole list, with the same answer for both. Companies must be
 * in one's own branch and not deleted; a user tied to devices can use only those. Keeps the order; a repeated
 * id is returned repeatedly.
 * Throws the problem `not_found`.
 */
export async function resolve<Kind extends ScopedKind>(
  { db, scope }: { readonly db: Db; readonly scope: Scope },
  kind: Kind,
  ids: readonly number[],
): Promise<IdOf[Kind][]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(tables[kind])} where id = any(${wanted}::int[]) and ${ofScope(kind, scope)}
  `.execute(db);
  if (rows[0]?.n !== wanted.length) throw problem("not_found");
  // The query has just returned each of these as an id of this kind.
  return ids as IdOf[Kind][];
}

/** Condition: a row of the company about a device that the session sees, not in the trash. */
const ofVisibleDevice = (scope: Scope): RawBuilder<unknown> => sql`company_id = ${scope.companyId}::int
  and ${tiedDevices(scope, sql`device_id`)}
  and device_id in (select id from device where company_id = ${scope.companyId}::int and deleted_at is null)`;

/** Condition: a row of this kind that the session may use. */
function ofScope(kind: ScopedKind, scope: Scope): RawBuilder<unknown> {
  switch (kind) {
    case "company":
      return sql`path <@ ${scope.companyPath}::ltree and deleted_at is null`;
    case "device":
      return visibleDevices(scope, { trash: "included" });
    case "gateway":
      return visibleCarriers(scope, "gateway");
    case "baseStation":
      return visibleCarriers(scope, "base_station");
    case "accountingPoint":
      return visiblePoints(scope, "accounting_point");
    case "consumer":
    case "supplier":
    case "transformer":
      return visibleParties(scope, kind);
    case "balanceGroup":
      return visibleBalanceGroups(scope, "balance_group");
    case "exception":
      return ofVisibleDevice(scope);
    case "listView":
      return sql`company_id = ${scope.companyId}::int and (user_id is null or user_id = ${scope.userId}::int)`;
    default:
      return scope.onlyTiedDevices
        ? sql`company_id = ${scope.companyId}::int and ${ofTied(kind, scope)}`
        : sql`company_id = ${scope.companyId}::int`;
  }
}

/** Condition: what a user restricted to some devices or objects may use of the company. */
function ofTied(kind: ScopedKind, scope: Scope): RawBuilder<unknown> {
  switch (kind) {
    case "task":
      // Those that poll one of the devices. Index device_task_item_of_device.
      return sql`id in (select task_id from device_task_item where ${tiedDevices(scope, sql`device_id`)})`;
    case "object":
      return sql`id in (${tiedObjects(scope.userId)})`;
    case "pollGroup":
      // And the groups that have no other device.
      return sql`id not in (
        select group_id from poll_group_device where not (${tiedDevices(scope, sql`device_id`)}))`;
    case "sheetImport":
      // Its file names devices of others.
      return sql`user_id = ${scope.userId}::int`;
    default:
      return sql`true`;
  }
}

/** The same for a single id. */
export async function resolveOne<Kind extends ScopedKind>(
  ctx: { readonly db: Db; readonly scope: Scope },
  kind: Kind,
  id: number,
): Promise<IdOf[Kind]> {
  const [found] = await resolve(ctx, kind, [id]);
  if (found === undefined) throw problem("not_found");
  return found;
}
