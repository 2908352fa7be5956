export {
  type BridgeEnd,
  type TransparentPort,
  bridge,
  bridgeBounds,
  bridgeEnds,
  modelClasses,
  transparentSortFields,
} from "./bridge.ts";
export { type CommandMessage, commandMessages } from "./commandMessages.ts";
export {
  type CommandState,
  type ControlFreeze,
  type ControlPlan,
  type DeviceCommand,
  type UnableReason,
  commandStates,
  control,
  controlLimits,
} from "./control.ts";
export {
  type ExchangeKind,
  type ExchangeOutcome,
  ExchangeStep,
  type PollResult,
  type TaskLog,
  exchangeKinds,
  exchangeOutcomes,
  pollResults,
} from "./exchanges.ts";
export {
  type Line,
  type LineFault,
  type LineInput,
  type LineListInput,
  type LineSerial,
  type LineTest,
  type LineWay,
  type LinkState,
  type Receiver,
  lineFaults,
  lineSortFields,
  lineSpeeds,
  lineWays,
  lines,
  linkStates,
  mostLineTests,
  mostLines,
  mostReceivers,
  parities,
  receivers,
} from "./lines.ts";
export {
  MappingDefinition,
  type MqttMapping,
  mappingFaults,
  mappings,
  mostMappings,
  timeFormats,
} from "./mappings.ts";
export {
  type AdminDeviceRow,
  type AdminPoll,
  type InboxCreate,
  type InboxEntry,
  type InboxPreview,
  adminBroker,
  inbox,
  inboxKinds,
  polledFactors,
  polledFields,
} from "./modems.ts";
export {
  type NetworkServer,
  mostNetworkServers,
  networkServerKinds,
  networkServerReasons,
  networkServerStates,
  networkServers,
} from "./networkServers.ts";
export {
  type PollGroup,
  type SelectedData,
  pollGroupLimits,
  pollGroups,
  pollIntervals,
  timeShifts,
} from "./pollGroups.ts";
export { type PlanLine, type PollPlan, lineStates, planLimits, planReasons, pollPlan } from "./pollPlan.ts";
export { type DevicePolling, polling } from "./polling.ts";
export {
  type Retention,
  type RetentionKind,
  chosenKinds,
  retention,
  retentionKinds,
  retentionMonths,
} from "./retention.ts";
export {
  type DeviceTask,
  type RequestPlan,
  type TaskResult,
  type TaskState,
  type TaskStatistics,
  type TaskStatus,
  namedTaskDevices,
  taskLimits,
  taskOutcomes,
  taskSortFields,
  taskStates,
  tasks,
} from "./tasks.ts";
