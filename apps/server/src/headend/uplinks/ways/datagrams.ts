import { sql } from "kysely";
import type { Services } from "#core";
import type { Datagram } from "#headend/channels";
import { logExchanges, type ExchangeRow } from "#headend/exchanges";
import { deliver } from "../intake.ts";
import { stepOf } from "../read/logRows.ts";

/** A device as a datagram names it. */
interface Named {
  readonly companyId: number;
  readonly networkId: string;
}

/**
 * Takes what a device has sent as one datagram: into the store and the log. Resolves after COMMIT. A name that several have is nobody's:
 * then the log of each of their devices says so. Rejects only when the database is away.
 */
export async function takeDatagram(
  services: Services,
  datagram: Datagram,
): Promise<"taken" | "unknown" | "shared"> {
  const [device, other] = await devicesNamed(services, datagram.name);
  if (!device) return "unknown";
  if (other) {
    await tellShared(services, datagram);
    return "shared";
  }
  await deliver(services, {
    ...device,
    way: "udp",
    at: null,
    content: { kind: "payload", bytes: datagram.bytes, fPort: datagram.fPort, fCnt: 0 },
    topic: `udp:${String(datagram.port)}/${datagram.name}`,
    raw: datagram.raw,
  });
  return "taken";
}

/**
 * The devices of this name, and those behind the gateway of this name: a port belongs to no company, so the name must be
 * unique on the whole platform. Rows: at most two, by device_by_network_id and the index on gateway.device_id.
 */
async function devicesNamed({ database }: Services, name: string): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select d.company_id as "companyId", d."deviceID" as "networkId"
    from device d join company c on c.id = d.company_id
    where lower(d."deviceID") = ${name.toLowerCase()} and d.deleted_at is null and c.is_active
    union
    select d.company_id, d."deviceID"
    from gateway g join device d on d.gateway_id = g.id join company c on c.id = d.company_id
    where g.device_id = ${name} and g.deleted_at is null and g.is_active and d.deleted_at is null and c.is_active
    limit 2`.execute(database.system);
  return rows;
}

/** A name that is sent all the time is told of once an hour. */
const tellEverySec = 3600;
const mostTold = 10_000;

/** When a number that several companies have was told of, epoch seconds by its name. */
type SharedNames = Map<string, number>;

export const createSharedNames = (): SharedNames => new Map();

declare module "#core" {
  interface Parts {
    readonly sharedNames: SharedNames;
  }
}

/** Whoever registers the number of another company silences its device; both see that here, and neither the bytes. */
async function tellShared(services: Services, { name, port }: Datagram): Promise<void> {
  const { database, clock, log, parts } = services;
  const at = clock.now();
  if (!isDue(parts.sharedNames, name, at)) return;
  log.warn({ name, port }, "a datagram is nobody's, several companies have its number");
  const ids = await idsNamed(services, name);
  const row = sharedRow(at, clock.nowMs());
  await database.system.transaction().execute((db) =>
    logExchanges(
      db,
      ids.map((deviceId) => ({ ...row, deviceId })),
    ),
  );
}

function isDue(names: SharedNames, name: string, at: number): boolean {
  if (at - (names.get(name) ?? -Infinity) < tellEverySec) return false;
  if (names.size >= mostTold) names.clear();
  names.set(name, at);
  return true;
}

/** Rows: those of the name, by the same indexes; beyond twenty nobody reads them. */
async function idsNamed({ database }: Services, name: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from device d
    where lower(d."deviceID") = ${name.toLowerCase()} and d.deleted_at is null
    union
    select d.id from gateway g join device d on d.gateway_id = g.id
    where g.device_id = ${name} and g.deleted_at is null and d.deleted_at is null
    limit 20`.execute(database.system);
  return rows.map(({ id }) => id);
}

function sharedRow(receivedAt: number, startedMs: number): Omit<ExchangeRow, "deviceId"> {
  const message = "several companies have this number";
  return {
    receivedAt,
    startedMs,
    kind: "uplink",
    result: "unexpected",
    tries: 1,
    durationMs: 0,
    line: "udp",
    readings: 0,
    message,
    taskId: null,
    steps: [{ ...stepOf("Telegram"), error: { kind: "unexpected", message } }],
  };
}
