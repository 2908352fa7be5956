import { toHex } from "@metrum/protocols/core";
import type { ByteFilter } from "../tcp/socketChannel.ts";

/** Identity found in the first bytes of a connection. `length`: number of bytes it took. */
export type Identity =
  | { readonly state: "more" }
  | { readonly state: "known"; readonly id: string; readonly length: number }
  | { readonly state: "wrong" };

/** Behaviour of one type of modem on its port. */
export interface ModemProfile {
  /** Examines all bytes received so far; must decide within `maxIdentityBytes`. */
  readonly identify: (received: Uint8Array) => Identity;
  /**
   * Byte strings to remove from the stream, longest first: repeated identities in front of packets,
   * heartbeats.
   */
  readonly noise: (id: string) => readonly Uint8Array[];
  /** Answer that a modem expects after identifying itself. */
  readonly greeting?: (id: string) => Uint8Array;
  /**
   * Silence after which a second connection with the same identity may take over; twice as long ends a
   * connection.
   */
  readonly keepAliveSec: number;
  readonly roundTripMs: number;
  readonly gapMs: number;
}

export const maxIdentityBytes = 256;

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const imeiLength = 15;

/** The first run of exactly 15 digits; modems surround it with words ("IMEI:"), line ends or nothing. */
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

const iccidLengths = [19, 20] as const;

/**
 * The first run of 19 or 20 digits, as SIM cards are numbered (ITU-T E.118); 19 digits are recognised by the
 * byte that follows.
 */
export function identifyByIccid(received: Uint8Array): Identity {
  for (let at = 0; at < received.length; at++) {
    let end = at;
    while (isDigit(received[end]) && end - at < iccidLengths[1]) end++;
    const length = end - at;
    if (length === iccidLengths[1] || (length === iccidLengths[0] && end < received.length))
      return { state: "known", id: String.fromCharCode(...received.subarray(at, end)), length: end };
    if (length > 0 && end === received.length) return { state: "more" };
    at = end;
  }
  return received.length < maxIdentityBytes ? { state: "more" } : { state: "wrong" };
}

/**
 * The text between a prefix ("LOGIN:") and a terminator (a line feed); surrounding white space does not
 * count.
 */
export function identifyByLine({ prefix, end }: { readonly prefix: Uint8Array; readonly end: Uint8Array }) {
  return (received: Uint8Array): Identity => {
    const from = indexOf(received, prefix, 0);
    const to = from < 0 ? -1 : indexOf(received, end, from + prefix.length);
    if (to < 0) return received.length < maxIdentityBytes ? { state: "more" } : { state: "wrong" };
    const id = String.fromCharCode(...received.subarray(from + prefix.length, to)).trim();
    return isName(id) ? { state: "known", id, length: to + end.length } : { state: "wrong" };
  };
}

/** A fixed number of first bytes: as text, or in lower-case hexadecimal. */
export function identifyByLength(length: number, as: "text" | "hex") {
  return (received: Uint8Array): Identity => {
    if (received.length < length) return { state: "more" };
    const bytes = received.subarray(0, length);
    const id = as === "hex" ? toHex(bytes) : String.fromCharCode(...bytes).trim();
    return isName(id) ? { state: "known", id, length } : { state: "wrong" };
  };
}

/**
 * The first group of a regular expression, or its whole match, one byte a character. It must match the end of
 * the identity too, or an identity that arrives in two segments is cut. It is configured by the operator of
 * the installation and applied to 256 bytes at most.
 */
export function identifyByPattern(pattern: RegExp) {
  return (received: Uint8Array): Identity => {
    const found = pattern.exec(String.fromCharCode(...received.subarray(0, maxIdentityBytes)));
    if (!found) return received.length < maxIdentityBytes ? { state: "more" } : { state: "wrong" };
    const id = (found[1] ?? found[0]).trim();
    return isName(id) ? { state: "known", id, length: found.index + found[0].length } : { state: "wrong" };
  };
}

/** Printable and short: it is looked up, listed and logged. */
const isName = (id: string): boolean => /^[\x21-\x7e]{1,64}$/.test(id);

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (let at = from; at + wanted.length <= bytes.length; at++)
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** The profile that needs no options; the others are in `profiles.ts`. */
export const modemProfiles = {
  /**
   * Transparent modem: sends the IMEI once after connecting, as a heartbeat, and optionally in front of
   * packets.
   */
  imei: {
    identify: identifyByImei,
    noise: (id) => [`${id}\r\n`, `${id}\n`, `${id}\0`, id].map(bytesOf),
    keepAliveSec: 330,
    roundTripMs: 6000,
    gapMs: 400,
  },
} as const satisfies Readonly<Record<string, ModemProfile>>;

/**
 * Removes every occurrence of the given byte strings from a stream, also one that is glued to data or split.
 */
export function noiseFilter(noise: readonly Uint8Array[]): ByteFilter {
  const firstBytes = new Set(noise.map(([first]) => first));
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
      const kept = new Uint8Array(all.length);
      let keptBytes = 0;
      let at = 0;
      while (at < all.length) {
        if (!firstBytes.has(all[at])) {
          kept[keptBytes++] = all[at++] ?? 0;
          continue;
        }
        const found = noise.find((each) => startsWith(all, at, each) === "whole");
        if (found) {
          at += found.length;
          continue;
        }
        // A single matching byte is not held back: it is more often the end of a frame than the beginning of
        // a heartbeat.
        if (all.length - at > 1 && noise.some((each) => startsWith(all, at, each) === "part")) break;
        kept[keptBytes++] = all[at++] ?? 0;
      }
      held = all.slice(at);
      return kept.subarray(0, keptBytes);
    },
  };
}

function startsWith(bytes: Uint8Array, from: number, pattern: Uint8Array): "whole" | "part" | "no" {
  for (let at = 0; at < pattern.length; at++) {
    if (from + at >= bytes.length) return "part";
    if (bytes[from + at] !== pattern[at]) return "no";
  }
  return "whole";
}
