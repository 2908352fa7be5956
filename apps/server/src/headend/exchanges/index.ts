export {
  askedDevice,
  devicesByNetworkId,
  polledColumns,
  polledTables,
  type AskedDevice,
  type NetworkName,
  type PolledDevice,
} from "./asked.ts";
export { recordExchange, maskSecrets, type Exchange, type LoggedStep } from "./exchange.ts";
export { lineFacts, lineOf, lineOfGateway, type GatewayPlace } from "./line.ts";
export { logExchanges, noteResult, type ExchangeRow } from "./log.ts";
export { explainRow, loggedDevice, logPage } from "./logs.ts";
export { withQuarantined } from "./outOfTime.ts";
export { keepFormats, knownFormats, sendsCompact, type KnownFormats } from "./recordFormats.ts";
export { packSteps, unpackSteps } from "./steps.ts";
export { bytesToMask, secretsOf } from "./secrets.ts";
