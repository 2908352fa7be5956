import type { Domain } from "#core";
import { serveNetworkServers } from "./calls.ts";

export { codeOf, faultOf, type Fault } from "./fault.ts";
export { schemesOf } from "./networkServers.ts";
export { secretOf } from "./secrets.ts";
export {
  activeServers,
  networkServersChannel,
  noteState,
  type KnownServer,
  type ConnectionState,
} from "./store.ts";

/** Network servers of companies: addresses and credentials. `uplinks` connects to them. */
export const networkServers: Domain = { name: "network-servers", calls: serveNetworkServers };
