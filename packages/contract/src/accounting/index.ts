export { accountingPoints } from "./accountingPoints.ts";
export { addressBounds, addressSources, addresses, type AddressSuggestion } from "./addresses.ts";
export {
  balanceDayStates,
  balanceLimits,
  balanceRoles,
  balanceStates,
  causeActions,
  causeKinds,
  halfHourBounds,
  lossRules,
  type Balance,
  type BalanceCause,
  type BalanceGroup,
  type BalancePoint,
  type BalanceRole,
  type BalanceState,
  type CauseKind,
  type HalfHour,
  type ListedBalanceGroup,
  type LossRule,
  type PeriodSums,
} from "./balanceFields.ts";
export { balances, type BalanceReportRow } from "./balances.ts";
export {
  consumptionBounds,
  consumptionPeriods,
  objectConsumption,
  type ConsumptionPart,
  type ConsumptionPeriod,
  type TypeConsumption,
} from "./objectConsumption.ts";
export {
  objectBounds,
  objectTypes,
  type BranchCounts,
  type ObjectAddress,
  type ObjectType,
  type TreeObject,
} from "./objectFields.ts";
export { heatBounds, objectHeat, type HeatOfPoint } from "./objectHeat.ts";
export {
  mapBounds,
  mapStates,
  objectMap,
  type MapCluster,
  type MapCounts,
  type MapObject,
  type MapRectangle,
  type MapState,
  type MapStation,
} from "./objectMap.ts";
export { objectTies } from "./objectTies.ts";
export { objects } from "./objects.ts";
export {
  periodBounds,
  periodStates,
  periods,
  totalChanges,
  type PeriodPreview,
  type PeriodState,
  type PeriodTotal,
  type PeriodVersion,
  type SettlementPeriod,
  type TotalChange,
  type TotalsSummary,
} from "./periods.ts";
export { pointData, validatedProfileBounds } from "./pointData.ts";
export { meterlessMethods, pointDevices, pointTransformers } from "./pointDevices.ts";
export {
  enteredEventKinds,
  pointBounds,
  pointEventKinds,
  pointSortFields,
  pointStates,
  pointTermKinds,
  voltageLevels,
  type AccountingPoint,
  type PointState,
} from "./pointFields.ts";
export {
  pointEventTitles,
  pointHistory,
  totalStates,
  type PointMonth,
  type PointWhy,
} from "./pointHistory.ts";
export { pointFiles, type PointFile } from "./pointFiles.ts";
export { pointImport, pointImportBounds } from "./pointImport.ts";
export { smartImport, type ImportFile } from "./smartImport.ts";
export { ties } from "./ties.ts";
export { transformerKinds, transformerSortFields, transformers, type Transformer } from "./transformers.ts";
export {
  validation,
  type HoldingRule,
  type OpenedException,
  type ValidationException,
  type ValidationRule,
  type ValidationRuleKind,
} from "./validation.ts";
export {
  estimationMethods,
  validationBounds,
  validationKinds,
  validationOutcomes,
  type EstimationMethod,
  type ValidationKind,
  type ValidationOutcome,
  type ValidationUnit,
} from "./validationKinds.ts";
