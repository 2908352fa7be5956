import type { Services } from "#core";
import type { Datagram } from "#headend/channels";
import { logExchanges, type ExchangeRow } from "#headend/exchanges";
import { takeUplink } from "../intake.ts";
import { stepOf } from "../read/logRows.ts";
import { devicesNamed, idsNamed } from "./datagramStore.ts";

/**
 * Takes a datagram of a device into the store and the log. Resolves after COMMIT. An identity registered
 * several times is ambiguous: the datagram is not stored, which is recorded in the log of each of these
 * devices.
 * Rejects only when the database is unavailable.
 */
export async function takeDatagram(
  services: Services,
  datagram: Datagram,
): Promise<"taken" | "unknown" | "shared"> {
  const [device, other] = await devicesNamed(services.database.system, datagram.name);
  if (!device) return "unknown";
  if (other) {
    await tellShared(services, datagram);
    return "shared";
  }
  await takeUplink(services, {
    ...device,
    way: "udp",
    at: null,
    content: { kind: "payload", bytes: datagram.bytes, fPort: datagram.fPort, fCnt: 0 },
    topic: `udp:${String(datagram.port)}/${datagram.name}`,
    raw: datagram.raw,
  });
  return "taken";
}

/** An ambiguous identity that sends continuously is logged once an hour. */
const tellEverySec = 3600;
const mostTold = 10_000;

/** When an ambiguous identity was last logged, epoch seconds by identity. */
type SharedNames = Map<string, number>;

export const createSharedNames = (): SharedNames => new Map();

declare module "#core" {
  interface Parts {
    readonly sharedNames: SharedNames;
  }
}

/**
 * Registering the identity of another company's device silences both; both see that here, and neither the
 * bytes.
 */
async function tellShared(services: Services, { name, port }: Datagram): Promise<void> {
  const { database, clock, log, parts } = services;
  const at = clock.now();
  if (!isDue(parts.sharedNames, name, at)) return;
  log.warn({ name, port }, "a datagram is ambiguous, several companies have its number");
  const ids = await idsNamed(database.system, name);
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
    steps: [{ ...stepOf("telegram"), error: { kind: "unexpected", message } }],
  };
}
