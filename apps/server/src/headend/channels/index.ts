export {
  issueMqttCredentials,
  mqttUsername,
  parkCredentials,
  renewMqttCredentials,
  type MqttCredentials,
} from "./accounts.ts";
export { connectBrokerElsewhere, type BrokerElsewhere, type HandedOver } from "./brokerElsewhere.ts";
export { companyPrefix, type MqttMessage, type OnMqttMessage } from "./mqttMessage.ts";
export { LineLent, LineLost, type Channel } from "./channel.ts";
export { openDevicePorts, type DevicePorts, type UseCaller } from "./devicePorts.ts";
export {
  createLines,
  dialInLine,
  isOpenedByUs,
  LineElsewhere,
  LinesClosing,
  tcpLine,
  type Lines,
  type LineTarget,
} from "./lines.ts";
export { listenOn, type Listener, type ListenerOptions } from "./listener.ts";
export {
  modemConnection,
  modemConnections,
  modemPortsSeen,
  noteEndDevice,
  tellKnownCaller,
  unknownModems,
  type ModemConnection,
} from "./modemStore.ts";
export { enterPresence, type Presence } from "./presence.ts";
export { freeOwnWorkers, freeProcesses, goneProcesses, workOf } from "./processStore.ts";
export { loadSerial } from "./serialPort.ts";
export { serialLine, serialTarget, type SerialTarget } from "./serialTarget.ts";
export { gatewayByName } from "./knownGatewayStore.ts";
export { claimLine, releaseLine } from "./lineStore.ts";
export { mqttIssue } from "./mqttAccountStore.ts";
export { putAside, unknownSenders, type AsideMessage } from "./quarantineStore.ts";
export type { Datagram, OnDatagram } from "./udp.ts";
export { openTcp } from "./tcpClient.ts";
