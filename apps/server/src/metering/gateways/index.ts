export { addGateway, gatewayModel } from "./add.ts";
export { putGatewayLine } from "./line.ts";
export {
  behindGateways,
  gatewayLine,
  gatewayNamed,
  notePorts,
  noteSession,
  removeGateways,
  type BehindGateway,
  type GatewayLine,
} from "./store.ts";
