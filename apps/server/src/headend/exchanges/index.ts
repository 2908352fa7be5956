export {
  askedDevice,
  devicesByNetworkId,
  isOn,
  polledColumns,
  polledTables,
  type AskedDevice,
  type NetworkName,
  type PolledDevice,
} from "./askedStore.ts";
export { askedTarget, askedTargets } from "./gatewayStore.ts";
export { recordExchange, maskSecrets, type Exchange, type LoggedStep } from "./exchange.ts";
export { lineFacts, lineOf, lineOfGateway, type GatewayPlace } from "./line.ts";
export { lineModel, spokenDriver, type LineModel } from "./lineModel.ts";
export { logPage } from "./logPageStore.ts";
export { addExchanges, logExchanges, type ExchangeRow } from "./logStore.ts";
export { explainRow, explainSteps, loggedDevice, type LoggedDevice } from "./explain.ts";
export { withQuarantined } from "./outOfTime.ts";
export { keepFormats, knownFormats, sendsCompact, type KnownFormats } from "./recordFormatStore.ts";
export { packSteps, unpackSteps } from "./steps.ts";
export { bytesToMask, secretsOf } from "./secrets.ts";
