import { sql } from "kysely";
import type { Services } from "#core";
import type { Datagram } from "#channels";
import { deliver } from "./deliver.ts";

/** A device as a datagram names it. */
interface Named {
  readonly companyId: number;
  readonly networkId: string;
}

/**
 * Takes what a device has sent as one datagram: into the store and the log. Resolves after COMMIT with true; with false when the
 * name is nobody's, or that of several. Rejects only when the database is away.
 */
export async function takeDatagram(services: Services, datagram: Datagram): Promise<boolean> {
  const device = await deviceNamed(services, datagram.name);
  if (!device) return false;
  await deliver(services, {
    ...device,
    way: "udp",
    at: null,
    content: { kind: "payload", bytes: datagram.bytes, fPort: datagram.fPort, fCnt: 0 },
    topic: `udp:${String(datagram.port)}/${datagram.name}`,
    raw: datagram.raw,
  });
  return true;
}

/**
 * The one device of this name, or the only one behind the gateway of this name: a port belongs to no company, so the name must be
 * unique on the whole platform. Rows: at most two, by device_by_network_id and the index on gateway.device_id.
 */
async function deviceNamed({ database }: Services, name: string): Promise<Named | undefined> {
  const { rows } = await sql<Named>`
    select d.company_id as "companyId", d."deviceID" as "networkId"
    from device d join company c on c.id = d.company_id
    where lower(d."deviceID") = ${name.toLowerCase()} and d.deleted_at is null and c.is_active
    union
    select d.company_id, d."deviceID"
    from gateway g join device d on d.gateway_id = g.id join company c on c.id = d.company_id
    where g.device_id = ${name} and g.deleted_at is null and g.is_active and d.deleted_at is null and c.is_active
    limit 2`.execute(database.system);
  return rows.length === 1 ? rows[0] : undefined;
}
