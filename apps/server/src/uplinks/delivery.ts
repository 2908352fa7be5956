import type { Reading } from "@metrum/protocols";

/** What one device sent by itself, as a network server or a push brought it: not yet looked up, not yet read. */
export interface Delivery {
  readonly companyId: number;
  /** Who the sender says it is: DevEUI, IMEI or number, in any case. */
  readonly networkId: string;
  /** The way it came, as the log shows it ("chirpstack", "http"). */
  readonly way: string;
  /** Names the transmission, so that what several gateways or brokers bring is taken once; absent when it has no name. */
  readonly deduplicationId?: string;
  /** Epoch seconds UTC by the network's clock; null when it gave none. */
  readonly at: number | null;
  readonly content: Content;
  /** As it arrived, for the quarantine. */
  readonly topic: string;
  readonly raw: Uint8Array;
}

/** Bytes that the model of the device reads, or values that the sender has read already. */
export type Content =
  | { readonly kind: "payload"; readonly bytes: Uint8Array; readonly fPort: number; readonly fCnt: number }
  | { readonly kind: "readings"; readonly readings: readonly Reading[] };

/** What became of a delivery. `repeated`: it was taken before; `off`: the device is not listened to; `aside`: nobody's, in quarantine. */
export type Taken = "taken" | "repeated" | "off" | "aside";

/** A network server or push, as one of the ways in: reads its own messages. */
export interface NetworkServer {
  readonly name: string;
  /** Whether a topic, without the prefix of the company, is one of its own. */
  readonly isTopic: (topic: string) => boolean;
  /** What a message brings; undefined: nothing to take (joins, acknowledgements). Errors: ProtocolError when it cannot be used. */
  readonly read: (
    topic: string,
    body: Uint8Array,
  ) => Omit<Delivery, "companyId" | "topic" | "raw" | "way"> | undefined;
}
