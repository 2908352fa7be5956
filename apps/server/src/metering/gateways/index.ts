import type { Domain } from "#core";
import { serveGateways } from "./calls.ts";

export { addGateway, gatewayModel } from "./add.ts";
export { carrierConditions, carrierCounts, typedId } from "./carrierListStore.ts";
export { createGateway, editGateway } from "./gateways.ts";
export { discardGateways, returnGateways } from "./trash.ts";
export { identityTaken } from "./identity.ts";
export { enterLine, openOwnLine, putGatewayLine, type OwnLine } from "./line.ts";
export { devicesBehind, type Behind } from "./listStore.ts";
export {
  changeCarriers,
  changedCarriers,
  type Carrier,
  type CarrierColumns,
  type CarrierKind,
} from "./many.ts";
export { putGatewayPassword } from "./secrets.ts";
export {
  behindGateways,
  callerChannel,
  gatewayLine,
  leaveStation,
  notePorts,
  noteSession,
  removeGateways,
  tellCaller,
  type BehindGateway,
  type GatewayLine,
} from "./store.ts";

/** Modems and converters that carry the lines of meters. */
export const gateways: Domain = { name: "gateways", calls: serveGateways };
