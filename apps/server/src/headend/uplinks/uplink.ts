import type { LoraDown, LoraDownlink, LoraJoin, LoraStatus, Reading } from "@metrum/protocols";
import type { FieldName } from "@metrum/vocabulary";

/** What one device sent by itself, as a network server or a push brought it: not yet looked up, not yet read. */
export interface Uplink {
  readonly companyId: number;
  /** Who the sender says it is: DevEUI, IMEI or number, in any case. */
  readonly networkId: string;
  /** Our own id of it, where the sender knows it: of two devices with one number it means this one. */
  readonly deviceId?: number;
  /** The way it came, as the log shows it ("chirpstack", "http"). */
  readonly way: string;
  /** Names the transmission, so that what several gateways or brokers bring is taken once; absent when it has no name. */
  readonly deduplicationId?: string | undefined;
  /** Epoch seconds UTC by the network's clock; null when it gave none. */
  readonly at: number | null;
  readonly content: Content;
  /** Where it was heard, when a network with frame counters brought it. */
  readonly network?: NetworkPath;
  /** As it arrived, for the quarantine. */
  readonly topic: string;
  readonly raw: Uint8Array;
}

/** How a device is reached through its network server. */
export interface NetworkPath {
  readonly application: string;
  /** Where orders for it are published, below the prefix of the company; empty when it did not come by MQTT. */
  readonly topic: string;
  readonly devAddr: string;
  /** Network server of the company that we reach ourselves, when it came from there. */
  readonly serverId?: number;
  /** Where a webhook takes orders for the device, and its key, sealed. */
  readonly webhook?: { readonly url: string; readonly key: Uint8Array };
}

/** How an uplink was heard: by the best of its gateways. */
export interface Radio {
  /** dBm and dB; absent when no gateway is named. A receiver of wireless M-Bus knows no noise. */
  readonly best?: { readonly rssi: number; readonly snr?: number | undefined } | undefined;
  readonly gateways: number;
  readonly dataRate: string;
  readonly confirmed: boolean;
  /** Percent, where the network repeats what the device has told it. */
  readonly battery?: number | undefined;
}

/** Bytes that the model of the device reads, values that the sender has read already, or what the network tells of the device. */
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
      /** Units of SenML by field, where they were sent; without, those of the fields. */
      readonly units?: Readonly<Partial<Record<FieldName, string>>>;
      /** Names that are no field of ours. */
      readonly unknown?: readonly string[];
    }
  | { readonly kind: "event"; readonly event: LoraJoin | LoraStatus | LoraDownlink };

/**
 * What became of an uplink. `repeated`: it was taken before; `off`: the device is not listened to; `aside`: in quarantine, as no
 * device of the company has its number; `unread`: it stands in the log, but no reading could be made of it; `out_of_time`: its time cannot be right, so its readings
 * are in quarantine.
 */
export type Taken = "taken" | "unread" | "out_of_time" | "repeated" | "off" | "aside";

export interface UplinkOutcome {
  readonly result: Taken;
  /** Why, or what was left out; empty when there is nothing to say. */
  readonly message: string;
}

/** What a network server reads of a message: the rest of the uplink is known to whoever took it. */
export type NetworkUplink = Omit<Uplink, "companyId" | "topic" | "raw" | "way">;

/** A network server or push, as one of the ways in: reads its own messages. */
export interface NetworkServer {
  readonly name: string;
  /** Whether a topic, without the prefix of the company, is one of its own. */
  readonly isTopic: (topic: string) => boolean;
  /** What a message brings; undefined: nothing to take (places, remarks). Errors: ProtocolError when it cannot be used. */
  readonly read: (topic: string, body: Uint8Array) => NetworkUplink | undefined;
  /** The body of an order to send something to a device. Errors: RangeError when port or length are not of LoRaWAN. */
  readonly order: (down: LoraDown, devEui: string) => string;
}
