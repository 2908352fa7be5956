import type { LineListInput } from "@metrum/contract/headend";
import type { GatewayId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, visibleCarriers, type Db, type Scope } from "#core";
import { devicesBehind, type Behind } from "#metering/gateways";

/** A gateway with a line that the server opens. */
export interface LineRow extends Behind {
  readonly id: GatewayId;
  readonly name: string;
  readonly device_id: string;
  readonly model_id: number;
  readonly host: string | null;
  readonly port: number | null;
  readonly serial: unknown;
  readonly listens: unknown;
  readonly isEntered: boolean;
  readonly is_active: boolean;
  readonly last_session_at: number | null;
}

type Filter = Pick<LineListInput, "way" | "is_receiver" | "search_string">;

export interface LinePage {
  readonly filter: Filter;
  readonly sort_field: NonNullable<LineListInput["sort_field"]>;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  readonly now: number;
}

const sortColumns = {
  id: sql`gateway.id`,
  name: sql`gateway.name`,
  device_id: sql`gateway.device_id`,
  host: sql`coalesce(gateway.host, gateway.serial ->> 'path')`,
} as const;

/** Outside the archive; for the rest the predicate of the index gateway_lined. */
const hasLine = sql`not gateway.is_archived and gateway.deleted_at is null and (gateway.host is not null or gateway.serial is not null)`;

/**
 * A page of lines; the devices behind are counted for its rows only. Rows: those of a company by
 * gateway_lined, 20,000 at most; the devices of the page by device_by_gateway.
 */
export async function linePage(db: Db, scope: Scope, asked: LinePage): Promise<LineRow[]> {
  const direction = asked.sort === "asc" ? sql`asc` : sql`desc`;
  const page = sql`
    select gateway.id from gateway where ${conditions(scope, asked.filter)}
    order by ${sortColumns[asked.sort_field]} ${direction}, gateway.id ${direction}
    limit ${asked.limit}::int offset ${asked.offset}::int`;
  return linesOf(db, scope, { page, now: asked.now });
}

/** The line of a gateway that came through `resolve`; primary key. */
export async function lineRow(
  db: Db,
  scope: Scope,
  { id, now }: { readonly id: GatewayId; readonly now: number },
): Promise<LineRow | undefined> {
  const [row] = await linesOf(db, scope, {
    page: sql`select gateway.id from gateway where gateway.id = ${id} and ${hasLine}`,
    now,
  });
  return row;
}

/** Number of lines that match a filter. Index gateway_lined. */
export async function countLines(db: Db, scope: Scope, filter: Filter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from gateway where ${conditions(scope, filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Numbers of other lines of the company, whoever sees them. Index gateway_lined. */
export async function otherLines(
  db: Db,
  { companyId }: Scope,
  id: GatewayId,
): Promise<{ readonly all: number; readonly receivers: number }> {
  const { rows } = await sql<{ all: number; receivers: number }>`
    select count(*)::int as all, (count(*) filter (where listens is not null))::int as receivers
    from gateway where company_id = ${companyId} and ${hasLine} and id <> ${id}`.execute(db);
  return rows[0] ?? { all: 0, receivers: 0 };
}

/** Whether a gateway of another company has this address. Index gateway_address. */
export async function isAddressTaken(
  system: Db,
  { companyId }: Scope,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from gateway where lower(host) = ${host} and port = ${port} and deleted_at is null
      and company_id <> ${companyId} limit 1`.execute(system);
  return rows.length > 0;
}

/** A serial port of the installation. */
export interface PortRow {
  readonly path: string;
  /** Of the first gateway that has it; null: it is free. */
  readonly company_id: number | null;
}

/** Serial ports that processes hold now. Rows: one per port, index gateway_serial. */
export async function offeredPorts(system: Db): Promise<PortRow[]> {
  const { rows } = await sql<PortRow>`
    select path, (
      select company_id from gateway where serial ->> 'path' = path and serial is not null and deleted_at is null
      order by id limit 1
    ) as company_id
    from (select substr(line, 8) as path from line_holder where line like 'serial:%') offered
    order by path`.execute(system);
  return rows;
}

async function linesOf(
  db: Db,
  scope: Scope,
  { page, now }: { readonly page: RawBuilder<unknown>; readonly now: number },
): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    with page as materialized (select id, row_number() over () as place from (${page}) chosen)
    select gateway.id, gateway.name, gateway.device_id, gateway.model_id, gateway.host, gateway.port, gateway.serial,
      gateway.listens, gateway.is_line_entered as "isEntered", gateway.is_active, gateway.last_session_at,
      behind.devices_count, behind.silent_count, behind.last_data_at
    from page join gateway on gateway.id = page.id
      cross join lateral ${devicesBehind(scope, now)} behind
    order by page.place`.execute(db);
  return rows;
}

function conditions(scope: Scope, { way, is_receiver, search_string }: Filter): RawBuilder<unknown> {
  return sql.join(
    [
      visibleCarriers(scope, "gateway"),
      hasLine,
      // A serial port goes before an address.
      ...(way === undefined ? [] : [way === "serial" ? sql`serial is not null` : sql`serial is null`]),
      ...(is_receiver === undefined ? [] : [is_receiver ? sql`listens is not null` : sql`listens is null`]),
      ...(search_string ? [matching(search_string)] : []),
    ],
    sql` and `,
  );
}

/** Found by name, number, address or serial port of the gateway, or its typed id. */
function matching(text: string): RawBuilder<unknown> {
  const pattern = containing(text.toLowerCase());
  return sql`(lower(concat_ws(' ', name, device_id, host || ':' || port, serial ->> 'path')) like ${pattern}
    or gateway.id::text = ${text})`;
}
