import type { MessageTypeId, ProtocolKey } from "@metrum/vocabulary";
import type { Span } from "./bytes.ts";
import type { Conversation, Responder } from "./conversation.ts";
import type { Reading } from "./reading.ts";
import type { SecretForms } from "./secretForms.ts";

/** What a driver needs to know of one device; addresses are as the user typed them. */
export interface DeviceAddress {
  /** Address on the bus (`inside_addr`): "1" for Modbus, primary "5" or secondary "12345678" for M-Bus. */
  readonly insideAddr: string;
  /** Serial or network id (`deviceID`). */
  readonly deviceID: string;
  /** Secret of the device, when the protocol has one. */
  readonly password?: string;
  readonly keys?: DeviceKeys;
  /**
   * Standard time where the device stands, minutes east of Greenwich, for meters whose clock says no zone. Goes before the default of the
   * model; summer time is added only where the meter itself says that it is in force.
   */
  readonly utcOffsetMinutes?: number;
  /**
   * Speed (baud) of a line that cannot change it, as a person sets it: meters that would go to another one are told to stay there.
   * Left out, the meter's offer is taken.
   */
  readonly fixedBaud?: number;
  /** The meter is behind an optical head: it is called in IEC 62056-21 and switched to binary mode before HDLC (mode E). */
  readonly signOn?: ModeE;
}

/** How the sign-on of mode E goes over a line. */
export interface ModeE {
  /** The line carries 8N1, as HDLC wants it: the sign-on, which is 7E1, gets its parity from us. */
  readonly evenParity: boolean;
}

/** Cipher keys of a device, hexadecimal. `encryption`: DLMS global key, AES key of wireless M-Bus; `authentication`: DLMS only. */
export interface DeviceKeys {
  readonly encryption?: string;
  readonly authentication?: string;
}

/** What a poll wants of the device. Times are epoch seconds UTC, `from` inclusive, `to` exclusive. */
export type PollRequest =
  | { readonly kind: "now" }
  | { readonly kind: "archive"; readonly msgType: number; readonly from: number; readonly to: number };

/**
 * Past values that a meter keeps. Slots begin with the days and hours of the meter's own standard time: the beginning of an interval for
 * profiles (types 5 and 10), the moment at which counters held for archives (100 and more).
 * `period`: seconds between slots, a calendar month, or "events" for journals, which have no slots.
 */
export interface KeptArchive {
  readonly msgType: MessageTypeId;
  readonly period: number | "month" | "events";
  /** How far back the meter remembers, at most. */
  readonly depthSec: number;
}

/** Values that a simulated meter shows at this moment, by field; the simulator's load model makes them. */
export type MeterState = (field: string) => number;
/** The same at any moment, epoch seconds UTC: what a meter that keeps profiles would have kept. */
export type MeterHistory = (at: number) => MeterState;

/** What a device says of itself; what it does not say is left out. */
export interface DeviceMetadata {
  /** Make and type in its own words. */
  readonly name?: string;
  readonly serial?: string;
  /** Of its firmware. */
  readonly version?: string;
}

/**
 * How a device is asked who it is. "open": without any password, for a line of which nothing is known, since a meter may count the passwords
 * that are wrong and lock itself. "own": as it is polled.
 */
export type IdentifyAs = "open" | "own";

/** A device that answers: asked over a line, frame by frame. */
export interface LineDriver {
  readonly kind: "line";
  readonly protocol: ProtocolKey;
  /** What can be asked for with `kind: "archive"`, one entry a message type. */
  readonly archives: readonly KeptArchive[];
  /** Left out: the protocol has no secrets. */
  readonly secrets?: SecretForms;
  /** Password for devices that have none of their own, as its bytes go over the line: a secret of the log like theirs. */
  readonly factoryPassword?: Uint8Array;
  /** Errors inside the conversation: ProtocolError. */
  readonly poll: (request: PollRequest, device: DeviceAddress) => Conversation<Reading[]>;
  /** Left out by drivers whose poll needs no password, and whose devices say nothing of themselves. Errors inside: ProtocolError. */
  readonly identify?: (device: DeviceAddress, as: IdentifyAs) => Conversation<DeviceMetadata>;
  /** The meter's side, for the simulator. `now` gives epoch seconds UTC; without `history` profiles are empty. */
  readonly respond: (
    device: DeviceAddress,
    state: MeterState,
    now: () => number,
    history?: MeterHistory,
  ) => Responder;
  /** Names every byte of one frame of this protocol, request or reply. */
  readonly explain: (sent: Uint8Array, received: Uint8Array) => ExplainedStep;
  /** The same for the steps of one dialogue. Left out: each step can be read alone. */
  readonly explainDialogue?: (steps: readonly SpokenStep[]) => ExplainedStep[];
}

/** The bytes of one step of a dialogue. */
export interface SpokenStep {
  readonly sent: Uint8Array;
  readonly received: Uint8Array;
}

/** The meaning of the bytes of one step. */
export interface ExplainedStep {
  readonly sent: readonly Span[];
  readonly received: readonly Span[];
}

/** What turns pulses into the unit of the resource: reading = pulses x impulseWeight + startingValue. */
export interface PulseScale {
  readonly impulseWeight: number;
  readonly startingValue: number;
}

/** What the payload of a device that speaks by itself needs beside its bytes: its scale, its keys when it encrypts, the zone of its clock. */
export interface UplinkDevice extends PulseScale {
  readonly deviceID?: string;
  readonly keys?: DeviceKeys;
  /** As in DeviceAddress. */
  readonly utcOffsetMinutes?: number;
  /** Layouts that this device has sent in full, for telegrams that leave them out. */
  readonly formats?: RecordFormats;
}

/** The record heads (DIF and VIF with extensions) of a telegram, in order: what a compact frame of wireless M-Bus leaves out. */
export type RecordFormat = readonly Uint8Array[];

/** Layouts of one device by their signature (EN 13757-3, annex G). A driver calls `learn` only for a telegram that it has taken. */
export interface RecordFormats {
  readonly find: (signature: number) => RecordFormat | undefined;
  readonly learn: (format: RecordFormat) => void;
}

/** A device that speaks by itself: payloads arrive (LoRaWAN, push), nothing is asked. */
export interface UplinkDriver {
  readonly kind: "uplink";
  readonly protocol: ProtocolKey;
  /** Left out: what protects the payload is the network's. */
  readonly secrets?: SecretForms;
  /** Readings of one payload; the scale matters to pulse counters only. Errors: ProtocolError. */
  readonly decode: (payload: Uint8Array, fport: number, device: UplinkDevice) => Reading[];
  /** The payload a simulated device sends at this moment. */
  readonly encode: (
    device: DeviceAddress & PulseScale,
    state: MeterState,
    at: number,
  ) => { fport: number; payload: Uint8Array };
  /**
   * What a payload wants as an answer; undefined: nothing. `heardAt`: epoch seconds UTC at which the network heard it.
   * A payload that cannot be read wants nothing: no errors.
   */
  readonly answer?: (
    payload: Uint8Array,
    fport: number,
    heardAt: number,
  ) => { fport: number; payload: Uint8Array } | undefined;
  /** Names every byte of a payload; with the keys of the device also what it encrypted. Errors: as the driver says. */
  readonly explain: (
    payload: Uint8Array,
    fport: number,
    device?: Pick<UplinkDevice, "keys" | "formats">,
  ) => Span[];
}

export type Driver = LineDriver | UplinkDriver;
