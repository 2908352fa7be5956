import { wrongField } from "../core/errors.ts";
import type { Fields } from "../core/json.ts";

/** Fields common to the events of all network servers. */
interface Common {
  /** 16 hexadecimal digits, lower case. */
  readonly devEui: string;
  /** Epoch seconds UTC at which the network received or created it; null if absent. */
  readonly at: number | null;
  /** Identifies the transmission, so that duplicates over several paths are taken once; empty if absent. */
  readonly deduplicationId: string;
  /** The application at the network server; empty if absent. */
  readonly application: string;
}

/** One gateway that received an uplink: rssi in dBm, snr in dB. */
export interface Reception {
  readonly gatewayId: string;
  readonly rssi: number;
  readonly snr: number;
}

export interface LoraUp extends Common {
  readonly event: "up";
  /** 8 hexadecimal digits; empty if absent. */
  readonly devAddr: string;
  /** Counts from 0 after each join. */
  readonly fCnt: number;
  readonly fPort: number;
  /** "SF7BW125" or "DR5", as the server gives it; empty if absent. */
  readonly dataRate: string;
  readonly confirmed: boolean;
  readonly payload: Uint8Array;
  /** The strongest first. */
  readonly receptions: readonly Reception[];
  /** Percent, if the server repeats the battery status of the device in the uplink. */
  readonly battery?: number;
}

/**
 * Progress of a downlink. `sent`: a gateway accepted it for transmission; only `acknowledged` means that it
 * has arrived.
 */
export const downlinkOutcomes = ["queued", "sent", "acknowledged", "not_acknowledged", "failed"] as const;
export type DownlinkOutcome = (typeof downlinkOutcomes)[number];

export interface LoraDownlink extends Common {
  readonly event: "downlink";
  readonly outcome: DownlinkOutcome;
  /** Reference given by the sender of the downlink, or by the server; empty if absent. */
  readonly reference: string;
  /** Counter of the frame; null if absent. */
  readonly fCntDown: number | null;
  /** Why it failed, as reported by the server. */
  readonly reason: string;
}

export interface LoraStatus extends Common {
  readonly event: "status";
  /** Signal to noise ratio at the device, dB. */
  readonly margin: number;
  /** Percent; null when the device could not measure it or has no battery. */
  readonly battery: number | null;
  readonly externalPower: boolean;
}

export interface LoraJoin extends Common {
  readonly event: "join";
  readonly devAddr: string;
}

/** Common form of the events of all network servers. */
export type LoraEvent = LoraUp | LoraJoin | LoraStatus | LoraDownlink;

/**
 * Longest payload of a LoRaWAN frame is 242 bytes (regional parameters); servers that join fragments are
 * granted twice that.
 */
const longestPayload = 512;

/** Errors: ProtocolError "unexpected" when a payload is longer than any frame. */
export function checkedPayload(payload: Uint8Array): Uint8Array {
  if (payload.length > longestPayload) throw wrongField("payload", "bytes", { most: longestPayload });
  return payload;
}

/** A DevEUI in lower case. Errors: ProtocolError "unexpected" when it is not 16 hexadecimal digits. */
export function devEuiOf(fields: Fields, name: string, shown = name): string {
  const devEui = fields.text(name).toLowerCase();
  if (!/^[0-9a-f]{16}$/.test(devEui)) throw wrongField(shown, "dev_eui");
  return devEui;
}

/** Frame counters are 32 bits wide, ports one byte (LoRaWAN 1.0.3, sections 4.3.1.5 and 4.3.2). */
export const widestCounter = 0xffff_ffff;
export const widestPort = 255;

export const strongestFirst = (receptions: readonly Reception[]): readonly Reception[] =>
  receptions.toSorted((a, b) => b.rssi - a.rssi);

/** "SF7BW125" of a spreading factor and a bandwidth in Hz; empty when one is missing. */
export function loraRate(spreadingFactor: number, bandwidth: number): string {
  return spreadingFactor > 0 && bandwidth > 0 ? `SF${spreadingFactor}BW${bandwidth / 1000}` : "";
}

/** A downlink to a device. Ports 1 to 223 are for applications (LoRaWAN 1.0.3, section 4.3.2). */
export interface LoraDown {
  readonly fPort: number;
  readonly payload: Uint8Array;
  readonly confirmed: boolean;
  /** Returned with the outcome; ChirpStack requires a UUID. */
  readonly reference?: string;
  /** Epoch seconds UTC after which a server that can (ChirpStack) drops it from its queue; null: it keeps it. */
  readonly validUntil?: number | null;
}

/** Errors: RangeError when port or length are invalid in LoRaWAN (a bug of the caller). */
export function checkDown({ fPort, payload }: LoraDown): void {
  if (!(Number.isInteger(fPort) && fPort >= 1 && fPort <= 223))
    throw new RangeError(`port ${fPort} is not for applications`);
  if (payload.length > 242) throw new RangeError(`${payload.length} bytes do not fit into a frame`);
}

/** The port of a downlink that was read. Errors: ProtocolError "unexpected" outside 1 to 223. */
export function applicationPort(fields: Fields, name: string): number {
  return fields.integer(name, 1, 223);
}
