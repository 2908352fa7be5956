import type { Socket } from "node:net";
import type { Channel } from "../channel.ts";
import { socketChannel } from "../tcp/socketChannel.ts";
import { maxIdentityBytes, noiseFilter, type ModemProfile } from "./identity.ts";
import { readModemMetadata, type ModemMetadata } from "./modemMetadata.ts";

/** A connection on a port for modems. */
export interface ModemSession {
  readonly socket: Socket;
  readonly address: string;
  readonly startedAt: number;
  readonly startedMs: number;
  heardMs: number;
  consideredMs: number;
  /** asked: unknown; the device behind it is being identified. */
  state: "unnamed" | "admitting" | "live" | "waiting" | "unknown" | "asked";
  /** Its state before the check. */
  known: "live" | "waiting" | "unknown" | undefined;
  gatewayId: number | null;
  facts: ModemMetadata;
  id: string;
  line: string | undefined;
  channel: Channel | undefined;
}

/**
 * Collects the first bytes until the profile finds an identity; then the socket becomes a channel that drops
 * unsolicited bytes.
 */
export function identify(session: ModemSession, profile: ModemProfile, onNamed: () => void): void {
  const { socket } = session;
  let received: Uint8Array = new Uint8Array(0);
  const onData = (bytes: Uint8Array): void => {
    received = Uint8Array.from([...received, ...bytes.subarray(0, maxIdentityBytes)]);
    const identity = profile.identify(received);
    if (identity.state === "more" && received.length < maxIdentityBytes) return;
    socket.off("data", onData);
    if (identity.state !== "known") {
      socket.destroy();
      return;
    }
    session.id = identity.id;
    session.facts = readModemMetadata(received);
    session.channel = socketChannel(socket, {
      roundTripMs: profile.roundTripMs,
      gapMs: profile.gapMs,
      filter: noiseFilter(profile.noise(identity.id)),
    });
    const greeting = profile.greeting?.(identity.id);
    if (greeting) socket.write(greeting);
    onNamed();
  };
  socket.on("data", onData);
}
