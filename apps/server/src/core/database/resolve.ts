import { problem } from "@metrum/contract";
import type { BaseStationId, Branded, CompanyId, DeviceId, GatewayId, UserId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "./database.ts";
import type { Scope } from "./scope.ts";
import { visibleDevices } from "./visibleDevices.ts";

/** Kinds of ids that come from outside, with the table they live in. */
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
}

/**
 * The first wall between companies: turns ids from outside into ids that this session may touch. All or nothing: one id
 * that is foreign or unknown refuses the whole list, with the same answer for both. Companies are those of the own
 * branch that are not deleted; devices of a user who is tied to devices are only those. Keeps order; a repeated id is given back repeated.
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
  // The database has just said that each of these is an id of this kind.
  return ids as IdOf[Kind][];
}

/** Condition: a row of this kind that the session may touch. */
function ofScope(kind: ScopedKind, scope: Scope): RawBuilder<unknown> {
  switch (kind) {
    case "company":
      return sql`path <@ ${scope.companyPath}::ltree and deleted_at is null`;
    case "device":
      return visibleDevices(scope, { trash: "included" });
    default:
      return sql`company_id = ${scope.companyId}::int`;
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
