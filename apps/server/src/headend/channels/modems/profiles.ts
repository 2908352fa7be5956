import {
  identifyByIccid,
  identifyByLength,
  identifyByLine,
  identifyByPattern,
  modemProfiles,
  type Identity,
  type ModemProfile,
} from "./identity.ts";
import type { UdpProfile } from "../udp/udp.ts";

/** Options of METRUM_MODEM_PORTS after the port number, by name; values are text or percent-encoded bytes. */
export type ProfileOptions = Readonly<Record<string, string>>;

/** Bytes to be removed from a stream must be long enough not to occur in data by chance. */
const leastNoiseBytes = 8;

interface Kind {
  /** Its own options. */
  readonly options: readonly string[];
  readonly identify: (options: ProfileOptions) => (received: Uint8Array) => Identity;
  /** Format in which a modem sends its identity, by which a repeated registration is recognised. */
  readonly packet: (id: string, options: ProfileOptions) => string;
}

const kinds: Readonly<Record<string, Kind>> = {
  imei: {
    options: [],
    identify: () => modemProfiles.imei.identify,
    packet: (id) => id,
  },
  iccid: { options: [], identify: () => identifyByIccid, packet: (id) => id },
  line: {
    options: ["prefix", "end"],
    identify: ({ prefix = "", end = "\n" }) => identifyByLine({ prefix: bytesOf(prefix), end: bytesOf(end) }),
    packet: (id, { prefix = "", end = "\n" }) => `${prefix}${id}${end}`,
  },
  text: {
    options: ["length"],
    identify: (options) => identifyByLength(lengthOf(options), "text"),
    packet: (id) => id,
  },
  hex: {
    options: ["length"],
    identify: (options) => identifyByLength(lengthOf(options), "hex"),
    packet: (id) => String.fromCharCode(...Buffer.from(id, "hex")),
  },
  pattern: {
    options: ["match"],
    identify: ({ match = "" }) => identifyByPattern(patternOf(match)),
    packet: () => "",
  },
};

/** Options of every profile. `{id}` stands for the identity. */
const common = ["greeting", "heartbeat", "packet", "keepalive", "roundtrip", "gap"];

/**
 * The profile of a modem port. Errors: Error that names the unknown or unusable profile or option.
 *
 * `greeting` is sent once the identity is known; `heartbeat` (several with `|`) and `packet` (the header of
 * every packet) are removed from the stream, and so is a repeated registration of at least 8 bytes.
 * `keepalive` in seconds, `roundtrip` and `gap` in milliseconds.
 */
export function modemProfile(name: string, options: ProfileOptions = {}): ModemProfile {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) throw new Error(`profile "${name}" is none of ${Object.keys(kinds).join(", ")}`);
  for (const option of Object.keys(options))
    if (![...kind.options, ...common].includes(option))
      throw new Error(`profile "${name}" has no option "${option}"`);
  const texts = [...(options["heartbeat"] ?? "").split("|"), options["packet"] ?? ""].filter(
    (text) => text !== "",
  );
  const greeting = options["greeting"];
  const base = modemProfiles.imei;
  return {
    identify: kind.identify(options),
    noise: (id) =>
      longestFirst([...ownNoise(kind, id, { name, options }), ...texts.map((text) => filled(text, id))]),
    ...(greeting === undefined ? {} : { greeting: (id: string) => filled(greeting, id) }),
    keepAliveSec: numberOf(options, "keepalive", base.keepAliveSec),
    roundTripMs: numberOf(options, "roundtrip", base.roundTripMs),
    gapMs: numberOf(options, "gap", base.gapMs),
  };
}

/**
 * The profile of a UDP port: one of a modem, or `source`, where the address of the sender is the identity.
 */
export function udpProfile(name: string, options: ProfileOptions = {}): UdpProfile {
  const isBySource = name === "source";
  const { fport = "0", ...rest } = options;
  const fPort = Number(fport);
  if (!Number.isInteger(fPort) || fPort < 0 || fPort > 255) throw new Error("fport: expected 0 to 255");
  return { ...modemProfile(isBySource ? "imei" : name, rest), isBySource, fPort };
}

function ownNoise(
  kind: Kind,
  id: string,
  { name, options }: { readonly name: string; readonly options: ProfileOptions },
): readonly Uint8Array[] {
  if (name === "imei") return modemProfiles.imei.noise(id);
  const packet = bytesOf(kind.packet(id, options));
  return packet.length >= leastNoiseBytes ? [packet] : [];
}

const longestFirst = (noise: readonly Uint8Array[]): readonly Uint8Array[] =>
  noise.toSorted((a, b) => b.length - a.length);

const filled = (text: string, id: string): Uint8Array => bytesOf(text.replaceAll("{id}", id));

/** One byte a character. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

function numberOf(options: ProfileOptions, name: string, fallback: number): number {
  const text = options[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400)
    throw new Error(`${name}: expected a whole number from 1 to 86400`);
  return value;
}

function lengthOf(options: ProfileOptions): number {
  const length = Number(options["length"]);
  if (!Number.isInteger(length) || length < 1 || length > 64)
    throw new Error("length: expected 1 to 64 bytes");
  return length;
}

function patternOf(text: string): RegExp {
  if (text === "") throw new Error("match: expected a regular expression with the end of the name in it");
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new Error("match: not a regular expression", { cause });
  }
}
