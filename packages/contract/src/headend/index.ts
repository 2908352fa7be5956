export {
  bridge,
  bridgeBounds,
  bridgeEnds,
  modelClasses,
  transparentSortFields,
  type BridgeEnd,
  type TransparentPort,
} from "./bridge.ts";
export { commandMessages, type CommandMessage } from "./commandMessages.ts";
export {
  commandStates,
  control,
  controlLimits,
  type CommandState,
  type ControlFreeze,
  type ControlPlan,
  type DeviceCommand,
  type UnableReason,
} from "./control.ts";
export {
  ExchangeStep,
  exchangeKinds,
  exchangeOutcomes,
  pollResults,
  type ExchangeKind,
  type ExchangeOutcome,
  type PollResult,
  type TaskLog,
} from "./exchanges.ts";
export {
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
  type Line,
  type LineFault,
  type LineInput,
  type LineListInput,
  type LineSerial,
  type LineTest,
  type LineWay,
  type LinkState,
  type Receiver,
} from "./lines.ts";
export {
  MappingDefinition,
  mappingFaults,
  mappings,
  mostMappings,
  timeFormats,
  type MqttMapping,
} from "./mappings.ts";
export {
  adminBroker,
  inbox,
  inboxKinds,
  polledFactors,
  polledFields,
  type AdminDeviceRow,
  type AdminPoll,
  type InboxCreate,
  type InboxEntry,
  type InboxPreview,
} from "./modems.ts";
export {
  mostNetworkServers,
  networkServerKinds,
  networkServerReasons,
  networkServerStates,
  networkServers,
  type NetworkServer,
} from "./networkServers.ts";
export {
  pollGroupLimits,
  pollGroups,
  pollIntervals,
  timeShifts,
  type PollGroup,
  type SelectedData,
} from "./pollGroups.ts";
export { lineStates, planLimits, planReasons, pollPlan, type PlanLine, type PollPlan } from "./pollPlan.ts";
export { polling, type DevicePolling } from "./polling.ts";
export {
  chosenKinds,
  retention,
  retentionKinds,
  retentionMonths,
  type Retention,
  type RetentionKind,
} from "./retention.ts";
export {
  namedTaskDevices,
  taskLimits,
  taskOutcomes,
  taskSortFields,
  taskStates,
  tasks,
  type DeviceTask,
  type RequestPlan,
  type TaskResult,
  type TaskState,
  type TaskStatistics,
  type TaskStatus,
} from "./tasks.ts";
