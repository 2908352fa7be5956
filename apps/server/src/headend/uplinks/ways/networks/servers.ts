import { chirpStack } from "./chirpStack.ts";
import type { NetworkServer } from "../../uplink.ts";
import type { Order } from "../../orders/orderStore.ts";
import { theThings } from "./theThings.ts";

/** Network servers that publish to our broker; the first that knows a topic reads it. */
export const servers: readonly NetworkServer[] = [chirpStack, theThings];

/** The one that takes orders by MQTT; undefined: devices that come this way are reached otherwise, or not at all. */
export const serverOf = (way: string): NetworkServer | undefined => servers.find(({ name }) => name === way);

/** An order as its network server takes it. */
export const orderBody = (
  server: NetworkServer,
  { fPort, payload, confirmed, reference, networkId }: Order,
): string => server.order({ fPort, payload, confirmed, reference }, networkId);
