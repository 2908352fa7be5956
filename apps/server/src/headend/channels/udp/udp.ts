import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import type { Clock, Log } from "#core";
import { maxIdentityBytes, type ModemProfile } from "../modems/identity.ts";

/** A datagram of a device: one frame. */
export interface Datagram {
  /** Identity of the device. */
  readonly name: string;
  /** Payload after the identity, for the model of the device. */
  readonly bytes: Uint8Array;
  readonly raw: Uint8Array;
  readonly fPort: number;
  /** Address and port of the sender, for the log. */
  readonly from: string;
  readonly port: number;
}

/**
 * `taken`: committed, so it may be answered; `unknown`: not registered; `shared`: registered in several
 * companies. Rejects only when the database is unavailable.
 */
export type OnDatagram = (datagram: Datagram) => Promise<"taken" | "unknown" | "shared">;

/** Where datagrams contain the identity of the device. */
export interface UdpProfile extends Pick<ModemProfile, "identify" | "greeting"> {
  /** The address of the sender is the identity; the payload contains none. */
  readonly isBySource: boolean;
  /** LoRaWAN fPort whose payload format is used; 0: the model needs none. */
  readonly fPort: number;
}

export interface UdpOptions {
  readonly host: string;
  readonly port: number;
  readonly profile: UdpProfile;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDatagram: OnDatagram;
}

export interface UdpPort {
  readonly port: number;
  readonly counts: () => UdpCounts;
  /** Unknown identities with the number of their datagrams; the first 1,000. */
  readonly unknown: () => ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
}

export interface UdpCounts {
  taken: number;
  unnamed: number;
  unknown: number;
  /** With an identity registered in several companies. */
  shared: number;
  /** Too long, too many at once, or the database was unavailable: not answered, so the device repeats it. */
  dropped: number;
}

/** Longer ones are fragmented on the way, and no device sends them. */
const maxBytes = 4096;
/** Datagrams being stored: beyond this number they are dropped without an answer. */
const mostUnderWay = 1000;
const mostOfOneAddress = 100;
const maxUnknownListed = 1000;
/**
 * An answer after the receive window of the device is useless: NB-IoT devices listen for seconds (protocols,
 * section 8).
 */
const answerWithinMs = 10_000;

/** Listens for devices that send one frame per datagram. Errors: those of listening. */
export async function listenForDatagrams(options: UdpOptions): Promise<UdpPort> {
  const { host, port, profile, clock, log, onDatagram } = options;
  const socket = createSocket({ type: host.includes(":") ? "udp6" : "udp4", recvBufferSize: 1024 * 1024 });
  const counts: UdpCounts = { taken: 0, unnamed: 0, unknown: 0, shared: 0, dropped: 0 };
  const unknown = new Map<string, number>();
  const underWay = new Map<string, number>();
  let total = 0;
  const take = async (datagram: Datagram, from: RemoteInfo): Promise<void> => {
    const startedMs = clock.monotonicMs();
    const fate = await onDatagram(datagram);
    counts[fate] += 1;
    if (fate === "shared") return;
    if (fate === "unknown") {
      const known = unknown.get(datagram.name);
      if (known !== undefined || unknown.size < maxUnknownListed)
        unknown.set(datagram.name, (known ?? 0) + 1);
      return;
    }
    const answer = profile.greeting?.(datagram.name);
    if (answer && clock.monotonicMs() - startedMs < answerWithinMs)
      socket.send(answer, from.port, from.address, () => undefined);
  };
  socket.on("message", (raw: Uint8Array, from) => {
    const here = underWay.get(from.address) ?? 0;
    if (raw.length > maxBytes || total >= mostUnderWay || here >= mostOfOneAddress) {
      counts.dropped += 1;
      return;
    }
    const named = nameOf(profile, raw, from);
    if (!named) {
      counts.unnamed += 1;
      return;
    }
    total += 1;
    underWay.set(from.address, here + 1);
    take({ ...named, raw, fPort: profile.fPort, from: `${from.address}:${String(from.port)}`, port }, from)
      .catch((error: unknown) => {
        counts.dropped += 1;
        log.warn({ err: error }, "a datagram was not stored, its device will send it again");
      })
      .finally(() => {
        total -= 1;
        const left = (underWay.get(from.address) ?? 1) - 1;
        if (left > 0) underWay.set(from.address, left);
        else underWay.delete(from.address);
      });
  });
  const number = await bind(socket, options);
  return {
    port: number,
    counts: () => ({ ...counts }),
    unknown: () => unknown,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function nameOf(
  profile: UdpProfile,
  raw: Uint8Array,
  from: RemoteInfo,
): Pick<Datagram, "name" | "bytes"> | undefined {
  if (profile.isBySource) return { name: from.address, bytes: raw };
  const identity = profile.identify(raw.subarray(0, maxIdentityBytes));
  if (identity.state !== "known") return undefined;
  return { name: identity.id, bytes: raw.subarray(identity.length) };
}

function bind(socket: Socket, { host, port }: UdpOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.off("error", reject);
      socket.on("error", () => undefined);
      resolve(socket.address().port);
    });
  });
}
