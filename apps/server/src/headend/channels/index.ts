export {
  issueMqttCredentials,
  mqttUsername,
  parkCredentials,
  renewMqttCredentials,
  type MqttCredentials,
} from "./mqtt/accounts.ts";
export { connectBrokerElsewhere, type BrokerElsewhere, type HandedOver } from "./mqtt/brokerElsewhere.ts";
export { companyPrefix, type MqttMessage, type OnMqttMessage } from "./mqtt/mqttMessage.ts";
export { LineLent, LineLost, type Channel } from "./channel.ts";
export { openDevicePorts, requirePortProfiles, type DevicePorts, type UseCaller } from "./devicePorts.ts";
export {
  createLines,
  dialInLine,
  isOpenedByUs,
  LineElsewhere,
  LinesClosing,
  tcpLine,
  type Lines,
  type LineTarget,
} from "./lines/lines.ts";
export { listenOn, type Listener, type ListenerOptions } from "./lines/listener.ts";
export {
  gatewaysDialling,
  modemConnection,
  modemConnections,
  modemPortsSeen,
  noteEndDevice,
  unknownModems,
  type ModemConnection,
} from "./modems/modemStore.ts";
export { enterPresence, type Presence } from "./processes/presence.ts";
export {
  freeIdleQueues,
  freeOwnWorkers,
  freeProcesses,
  goneProcesses,
  knownProcesses,
  workOf,
} from "./processes/processStore.ts";
export { loadSerial } from "./serial/serialPort.ts";
export { serialLine, serialTarget, type SerialTarget } from "./serial/serialTarget.ts";
export { gatewayByName } from "./modems/knownGatewayStore.ts";
export { claimLine, holdersOf, releaseLine } from "./lines/lineStore.ts";
export { mqttIssue } from "./mqtt/accountStore.ts";
export { clientIdOf } from "./mqtt/heldBroker.ts";
export { mqttRefusals } from "./mqtt/refusalStore.ts";
export {
  dropMessages,
  keptMessages,
  quarantineMessages,
  unknownSenders,
  type KeptMessage,
  type KeptSender,
  type QuarantinedMessage,
} from "./quarantineStore.ts";
export type { Datagram, OnDatagram } from "./udp/udp.ts";
export { openTcp } from "./tcp/tcpClient.ts";
