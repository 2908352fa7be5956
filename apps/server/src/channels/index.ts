export { issueMqttCredentials, type MqttCredentials } from "./accounts.ts";
export { companyPrefix, type MqttMessage, type OnMqttMessage } from "./broker.ts";
export { LineLost, type Channel } from "./channel.ts";
export { openDevicePorts, type DevicePorts } from "./devicePorts.ts";
export {
  createLines,
  dialInLine,
  LineElsewhere,
  LinesClosing,
  tcpLine,
  type Lines,
  type LineTarget,
} from "./lines.ts";
export {
  enterPresence,
  freeOwnWorkers,
  freeProcesses,
  goneProcesses,
  noteWorkers,
  workOf,
  type Presence,
} from "./presence.ts";
export { putAside, type AsideMessage } from "./store.ts";
