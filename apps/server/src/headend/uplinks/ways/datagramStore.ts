import { sql } from "kysely";
import type { Db } from "#core";

const mostLogged = 20;

/** A device as identified by a datagram. */
export interface NamedDevice {
  readonly companyId: number;
  readonly networkId: string;
}

/**
 * The devices of this identity, and those behind the gateway of this identity: a port belongs to no company,
 * so the identity must be unique on the whole platform. Rows: at most two, by device_by_network_id and the
 * index on gateway.device_id.
 */
export async function devicesNamed(system: Db, name: string): Promise<NamedDevice[]> {
  const { rows } = await sql<NamedDevice>`
    select d.company_id as "companyId", d."deviceID" as "networkId"
    from device d join company c on c.id = d.company_id
    where lower(d."deviceID") = ${name.toLowerCase()} and d.deleted_at is null and c.is_active
    union
    select d.company_id, d."deviceID"
    from gateway g join device d on d.gateway_id = g.id join company c on c.id = d.company_id
    where g.device_id = ${name} and g.deleted_at is null and g.is_active and not g.is_archived
      and d.deleted_at is null and c.is_active
    limit 2`.execute(system);
  return rows;
}

/**
 * Ids of all devices of an identity, in every company. Rows: those of the identity, by the same indexes; the
 * log is written for twenty at most.
 */
export async function idsNamed(system: Db, name: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from device d
    where lower(d."deviceID") = ${name.toLowerCase()} and d.deleted_at is null
    union
    select d.id from gateway g join device d on d.gateway_id = g.id
    where g.device_id = ${name} and g.deleted_at is null and d.deleted_at is null
    limit ${mostLogged}`.execute(system);
  return rows.map(({ id }) => id);
}
