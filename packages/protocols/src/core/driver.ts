import type { JournalName, MessageTypeId, ProtocolKey } from "@metrum/vocabulary";
import type { Span } from "./bytes.ts";
import type { CommandFunctions, DownlinkFunctions } from "./command.ts";
import type { Conversation, Responder } from "./conversation.ts";
import type { ReceiveDownlink } from "./downlinks.ts";
import type { TakeOrder } from "./orders.ts";
import type { Reading } from "./reading.ts";
import type { SecretForms } from "./secretForms.ts";

/** Parameters of one device; addresses are as the user entered them. */
export interface DeviceAddress {
  /** Address on the bus (`inside_addr`): "1" for Modbus, primary "5" or secondary "12345678" for M-Bus. */
  readonly insideAddr: string;
  /** Serial or network id (`deviceID`). */
  readonly deviceID: string;
  /** Secret of the device, if the protocol has one. */
  readonly password?: string;
  readonly keys?: DeviceKeys;
  /**
   * Standard time at the location of the device, minutes east of Greenwich, for meters whose clock sends no
   * zone. Takes precedence over the default of the model; summer time is added only if the meter itself
   * reports it.
   */
  readonly utcOffsetMinutes?: number;
  /**
   * Baud rate of a line that cannot change it, as configured: meters that would switch are requested to stay
   * there. Absent: the meter's offer is accepted.
   */
  readonly fixedBaud?: number;
  /**
   * The meter is behind an optical head: it is opened with an IEC 62056-21 sign-on and switched to binary
   * mode before HDLC (mode E).
   */
  readonly signOn?: ModeE;
  /** DLMS messages travel in the wrapper of TCP on this line, whatever the model has elsewhere. */
  readonly isWrapped?: boolean;
}

/** Line format of the sign-on of mode E. */
export interface ModeE {
  /** The line carries 8N1, as HDLC requires: the parity of the sign-on, which is 7E1, is set in software. */
  readonly evenParity: boolean;
}

/**
 * Cipher keys of a device, hexadecimal. `encryption`: DLMS global key, AES key of wireless M-Bus;
 * `authentication`: DLMS only.
 */
export interface DeviceKeys {
  readonly encryption?: string;
  readonly authentication?: string;
}

/**
 * What a poll reads. Times are epoch seconds UTC, `from` inclusive, `to` exclusive. `journal`: one of the
 * driver's `journals` by index, with the message type of journals; absent: all of them.
 */
export type PollRequest =
  | { readonly kind: "now" }
  | {
      readonly kind: "archive";
      readonly msgType: number;
      readonly from: number;
      readonly to: number;
      readonly journal?: number;
    };

/**
 * Past values kept by a meter. Slots begin with the days and hours of the meter's own standard time: the
 * beginning of an interval for profiles (types 5 and 10), the time of the counters for archives (100 and
 * more). `period`: seconds between slots, a calendar month, or "events" for journals, which have no slots.
 */
export interface KeptArchive {
  readonly msgType: MessageTypeId;
  readonly period: number | "month" | "events";
  /** Depth of the meter's memory. */
  readonly depthSec: number;
}

/** Values of a simulated meter at this instant, by field; computed by the simulator's load model. */
export type MeterState = (field: string) => number;
/** The same at any instant, epoch seconds UTC: the values a meter with profiles would have stored. */
export type MeterHistory = (at: number) => MeterState;

/** Identification of a device; unreported fields are absent. */
export interface DeviceMetadata {
  /** Manufacturer and type as reported. */
  readonly name?: string;
  readonly serial?: string;
  /** Firmware version. */
  readonly version?: string;
}

/**
 * How a device is identified. "open": without a password, for an unknown line, since a meter may count wrong
 * passwords and lock itself. "own": as it is polled.
 */
export type IdentifyAs = "open" | "own";

/** A device that is polled over a line, frame by frame. */
export interface LineDriver {
  readonly kind: "line";
  readonly protocol: ProtocolKey;
  /** Archives available with `kind: "archive"`, one entry per message type. */
  readonly archives: readonly KeptArchive[];
  /** Event journals of the archive of type 7, in the order of their numbers. Absent: none. */
  readonly journals?: readonly JournalName[];
  /** Absent: the protocol has no secrets. */
  readonly secrets?: SecretForms;
  /** Default passwords for devices without their own, as bytes on the line: masked in the log like theirs. */
  readonly factoryPasswords?: readonly Uint8Array[];
  /** Functions of the commands that devices of this driver execute. */
  readonly commands: CommandFunctions;
  /** Resolution of the clock that these commands set and read, seconds. Absent: one second. */
  readonly clockStepSec?: number;
  /** Errors inside the conversation: ProtocolError. */
  readonly poll: (request: PollRequest, device: DeviceAddress) => Conversation<Reading[]>;
  /** Absent if a poll needs no password, and the devices report no identity. Errors inside: ProtocolError. */
  readonly identify?: (device: DeviceAddress, as: IdentifyAs) => Conversation<DeviceMetadata>;
  /** The meter names its serial number when it is identified as it is polled. */
  readonly namesSerial?: true;
  /**
   * The meter's side, for the simulator. `now` gives epoch seconds UTC; without `history` profiles are empty,
   * without `takeOrder` every order is obeyed.
   */
  readonly respond: (
    device: DeviceAddress,
    state: MeterState,
    now: () => number,
    history?: MeterHistory,
    takeOrder?: TakeOrder,
  ) => Responder;
  /** Names every byte of one frame of this protocol, request or reply. */
  readonly explain: (sent: Uint8Array, received: Uint8Array) => ExplainedStep;
  /** The same for the steps of one dialogue. Absent: each step can be explained alone. */
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

/**
 * Parameters that turn pulses into the unit of the resource: reading = pulses x impulseWeight +
 * startingValue.
 */
export interface PulseScale {
  readonly impulseWeight: number;
  readonly startingValue: number;
}

/**
 * Parameters for decoding an uplink: pulse weight, keys if it is encrypted, the zone of the device's clock.
 */
export interface UplinkDevice extends PulseScale {
  readonly deviceID?: string;
  readonly keys?: DeviceKeys;
  /** As in DeviceAddress. */
  readonly utcOffsetMinutes?: number;
  /** Epoch seconds UTC of the reception, for payloads whose layout follows from their time stamp. */
  readonly receivedAt?: number;
  /** Layouts that this device has sent in full, for compact telegrams. */
  readonly formats?: RecordFormats;
}

/**
 * The record heads (DIF and VIF with extensions) of a telegram, in order: the part that a compact frame of
 * wireless M-Bus omits.
 */
export type RecordFormat = readonly Uint8Array[];

/**
 * Layouts of one device by their signature (EN 13757-3, annex G). A driver calls `learn` only for a telegram
 * that it has accepted.
 */
export interface RecordFormats {
  readonly find: (signature: number) => RecordFormat | undefined;
  readonly learn: (format: RecordFormat) => void;
}

/** A device that sends unsolicited uplinks (LoRaWAN, push) and is never polled. */
export interface UplinkDriver {
  readonly kind: "uplink";
  readonly protocol: ProtocolKey;
  /** Absent: the payload is protected by the network. */
  readonly secrets?: SecretForms;
  /** Readings of one payload; the scale matters to pulse counters only. Errors: ProtocolError. */
  readonly decode: (payload: Uint8Array, fport: number, device: UplinkDevice) => Reading[];
  /** The payload that a simulated device sends now. */
  readonly encode: (
    device: DeviceAddress & PulseScale,
    state: MeterState,
    at: number,
  ) => { fport: number; payload: Uint8Array };
  /** Functions of the commands that these devices execute; absent: none. */
  readonly commands?: DownlinkFunctions;
  /** The side of a simulated device that receives downlinks; absent: they have no effect. */
  readonly receive?: (takeOrder: TakeOrder) => ReceiveDownlink;
  /**
   * Answer required by a payload; undefined: none. `heardAt`: epoch seconds UTC of reception by the network.
   * An unreadable payload needs no answer: no errors.
   */
  readonly answer?: (
    payload: Uint8Array,
    fport: number,
    heardAt: number,
  ) => { fport: number; payload: Uint8Array } | undefined;
  /**
   * Names every byte of a payload; with the keys of the device also the encrypted part. Errors: as documented
   * by the driver.
   */
  readonly explain: (
    payload: Uint8Array,
    fport: number,
    device?: Pick<UplinkDevice, "keys" | "formats">,
  ) => Span[];
}

export type Driver = LineDriver | UplinkDriver;
