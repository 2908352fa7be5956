import type { Reading } from "@metrum/protocols/core";
import type { LoraDown, LoraDownlink, LoraJoin, LoraStatus } from "@metrum/protocols/lorawan";
import type { FieldName } from "@metrum/vocabulary";

/**
 * An uplink of one device, as a network server or a push delivered it: device not looked up, payload not
 * decoded.
 */
export interface Uplink {
  readonly companyId: number;
  /** Identifier given by the sender: DevEUI, IMEI or number, in any case. */
  readonly networkId: string;
  /** Id on this platform, if the sender knows it: it decides between two devices with one identifier. */
  readonly deviceId?: number;
  /** The transport, as shown in the log ("chirpstack", "http"). */
  readonly way: string;
  /**
   * Identifies the transmission, so that duplicates from several gateways or brokers are taken once; absent
   * if it has no identifier.
   */
  readonly deduplicationId?: string | undefined;
  /** Epoch seconds UTC by the network's clock; null when it gave none. */
  readonly at: number | null;
  readonly content: Content;
  /** How it was received, for a network with frame counters. */
  readonly network?: NetworkPath;
  /** When a message was received that waited in quarantine since, epoch milliseconds. */
  readonly keptMs?: number;
  /** As received, for the quarantine. */
  readonly topic: string;
  readonly raw: Uint8Array;
}

/** How a device is reached through its network server. */
export interface NetworkPath {
  readonly application: string;
  /** Downlink topic, below the prefix of the company; empty when it did not come by MQTT. */
  readonly topic: string;
  readonly devAddr: string;
  /** Network server of the company that the platform connects to, if it came from there. */
  readonly serverId?: number;
  /** Downlink address of a webhook, and its key, sealed. */
  readonly webhook?: { readonly url: string; readonly key: Uint8Array };
}

/** Signal data of an uplink: those of its best gateway. */
export interface Radio {
  /** dBm and dB; absent when no gateway is named. A wireless M-Bus receiver reports no noise. */
  readonly best?: { readonly rssi: number; readonly snr?: number | undefined } | undefined;
  readonly gateways: number;
  readonly dataRate: string;
  readonly confirmed: boolean;
  /** Percent, if the network reports the battery status of the device. */
  readonly battery?: number | undefined;
}

/** Payload bytes for the model, values decoded by the sender, or status information from the network. */
export type Content =
  | {
      readonly kind: "payload";
      readonly bytes: Uint8Array;
      readonly fPort: number;
      readonly fCnt: number;
      readonly radio?: Radio;
    }
  | {
      readonly kind: "readings";
      readonly readings: readonly Reading[];
      /** SenML units by field, if sent; without, those of the fields. */
      readonly units?: Readonly<Partial<Record<FieldName, string>>>;
      /** Names that are not fields of the vocabulary. */
      readonly unknown?: readonly string[];
    }
  | { readonly kind: "event"; readonly event: LoraJoin | LoraStatus | LoraDownlink };

/**
 * Outcome of an uplink. `repeated`: it was received before; `off`: the device is switched off; `aside`: in
 * quarantine, as no device of the company has its identifier; `unread`: it is in the log, but gave no
 * reading; `out_of_time`: its time is implausible, so its readings are in quarantine.
 */
export type Taken = "taken" | "unread" | "out_of_time" | "repeated" | "off" | "aside";

export interface UplinkOutcome {
  readonly result: Taken;
  /** The reason, or what was omitted; may be empty. */
  readonly message: string;
}

/** What a network server reads from a message: the rest of the uplink is known to the transport. */
export type NetworkUplink = Omit<Uplink, "companyId" | "topic" | "raw" | "way">;

/** Decoder of the messages of a network server or push. */
export interface NetworkServer {
  readonly name: string;
  /** Whether a topic, without the prefix of the company, belongs to it. */
  readonly isTopic: (topic: string) => boolean;
  /**
   * Content of a message; undefined: nothing to store (locations, log events). Errors: ProtocolError when it
   * is malformed.
   */
  readonly read: (topic: string, body: Uint8Array) => NetworkUplink | undefined;
  /**
   * The body of a downlink order for a device. Errors: RangeError when port or length are invalid for
   * LoRaWAN.
   */
  readonly order: (down: LoraDown, devEui: string) => string;
}
