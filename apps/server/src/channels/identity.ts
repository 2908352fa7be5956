import type { ByteFilter } from "./socketChannel.ts";

/** What the first bytes of a connection say about who it is. `length`: how many bytes the name took. */
export type Identity =
  | { readonly state: "more" }
  | { readonly state: "known"; readonly id: string; readonly length: number }
  | { readonly state: "wrong" };

/** How one type of modem behaves on its port. */
export interface ModemProfile {
  /** Looks at all bytes received so far; must decide within `maxIdentityBytes`. */
  readonly identify: (received: Uint8Array) => Identity;
  /** Byte strings to take out of the stream, longest first: the name again in front of a packet, heartbeats. */
  readonly noise: (id: string) => readonly Uint8Array[];
  /** Silence after which a second connection with the same name may take over; twice as long ends a connection. */
  readonly keepAliveSec: number;
  readonly roundTripMs: number;
  readonly gapMs: number;
}

export const maxIdentityBytes = 256;

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const imeiLength = 15;

/** The first run of exactly 15 digits; modems put words ("IMEI:"), line ends or nothing around it. */
export function identifyByImei(received: Uint8Array): Identity {
  for (let at = 0; at < received.length; at++) {
    if (!isDigit(received[at])) continue;
    let end = at;
    while (isDigit(received[end]) && end - at < imeiLength) end++;
    if (end - at < imeiLength) {
      if (end === received.length) return { state: "more" };
      at = end;
      continue;
    }
    const id = String.fromCharCode(...received.subarray(at, end));
    while (received[end] === 0x0d || received[end] === 0x0a || received[end] === 0) end++;
    return { state: "known", id, length: end };
  }
  return received.length < maxIdentityBytes ? { state: "more" } : { state: "wrong" };
}

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Profiles by the name that METRUM_MODEM_PORTS gives after the port. */
export const modemProfiles: Readonly<Record<string, ModemProfile>> = {
  /** Transparent modem: the IMEI once after connecting, as a heartbeat, and in front of packets or not. */
  imei: {
    identify: identifyByImei,
    noise: (id) => [`${id}\r\n`, `${id}\n`, `${id}\0`, id].map(bytesOf),
    keepAliveSec: 330,
    roundTripMs: 6000,
    gapMs: 400,
  },
};

/** Takes every occurrence of the given byte strings out of a stream, also one that is glued to data or split in the middle. */
export function noiseFilter(noise: readonly Uint8Array[]): ByteFilter {
  let held: Uint8Array = new Uint8Array(0);
  return {
    get isHolding() {
      return held.length > 0;
    },
    flush() {
      const rest = held;
      held = new Uint8Array(0);
      return rest;
    },
    push(bytes) {
      const all = held.length === 0 ? bytes : Uint8Array.from([...held, ...bytes]);
      const kept: number[] = [];
      let at = 0;
      while (at < all.length) {
        const found = noise.find((each) => startsWith(all, at, each) === "whole");
        if (found) {
          at += found.length;
          continue;
        }
        // One byte alone is held back by nothing: it is more often the end of a frame than the beginning of a heartbeat.
        if (all.length - at > 1 && noise.some((each) => startsWith(all, at, each) === "part")) break;
        kept.push(all[at] ?? 0);
        at += 1;
      }
      held = all.slice(at);
      return Uint8Array.from(kept);
    },
  };
}

function startsWith(bytes: Uint8Array, from: number, pattern: Uint8Array): "whole" | "part" | "no" {
  for (const [at, expected] of pattern.entries()) {
    if (from + at >= bytes.length) return "part";
    if (bytes[from + at] !== expected) return "no";
  }
  return "whole";
}
