import { chirpStack } from "./chirpStack.ts";
import type { NetworkServer } from "../../uplink.ts";
import type { Order } from "../../orders/orderStore.ts";
import { theThings } from "./theThings.ts";

/** Network servers that publish to the embedded broker; the first that matches a topic reads it. */
export const servers: readonly NetworkServer[] = [chirpStack, theThings];

/**
 * The one that takes downlinks by MQTT; undefined: devices on this transport are reached otherwise, or not at
 * all.
 */
export const serverOf = (way: string): NetworkServer | undefined => servers.find(({ name }) => name === way);

/** A downlink order in the format of its network server. */
export const orderBody = (
  server: NetworkServer,
  { fPort, payload, confirmed, reference, validUntil, networkId }: Order,
): string => server.order({ fPort, payload, confirmed, reference, validUntil }, networkId);
