export { accountingPoints } from "./accountingPoints.ts";
export { type AddressSuggestion, addressBounds, addressSources, addresses } from "./addresses.ts";
export {
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
  balanceDayStates,
  balanceLimits,
  balanceRoles,
  balanceStates,
  causeActions,
  causeKinds,
  halfHourBounds,
  lossRules,
} from "./balanceFields.ts";
export { type BalanceReportRow, balances } from "./balances.ts";
export {
  type ConsumptionPart,
  type ConsumptionPeriod,
  type TypeConsumption,
  consumptionBounds,
  consumptionPeriods,
  objectConsumption,
} from "./objectConsumption.ts";
export {
  type BranchCounts,
  type ObjectAddress,
  type ObjectType,
  type TreeObject,
  objectBounds,
  objectTypes,
} from "./objectFields.ts";
export { type HeatOfPoint, heatBounds, objectHeat } from "./objectHeat.ts";
export {
  type MapCluster,
  type MapCounts,
  type MapObject,
  type MapRectangle,
  type MapState,
  type MapStation,
  mapBounds,
  mapStates,
  objectMap,
} from "./objectMap.ts";
export { objectTies } from "./objectTies.ts";
export { objects } from "./objects.ts";
export {
  type PeriodPreview,
  type PeriodState,
  type PeriodTotal,
  type PeriodVersion,
  type SettlementPeriod,
  type TotalChange,
  type TotalsSummary,
  periodBounds,
  periodStates,
  periods,
  totalChanges,
} from "./periods.ts";
export { pointData, validatedProfileBounds } from "./pointData.ts";
export { meterlessMethods, pointDevices, pointTransformers } from "./pointDevices.ts";
export {
  type AccountingPoint,
  type PointState,
  enteredEventKinds,
  pointBounds,
  pointEventKinds,
  pointSortFields,
  pointStates,
  pointTermKinds,
  voltageLevels,
} from "./pointFields.ts";
export {
  type PointFile,
  type PointMonth,
  type PointWhy,
  pointEventTitles,
  pointFiles,
  pointHistory,
  totalStates,
} from "./pointHistory.ts";
export { pointImport, pointImportBounds } from "./pointImport.ts";
export { type ImportFile, smartImport } from "./smartImport.ts";
export { ties } from "./ties.ts";
export { type Transformer, transformerKinds, transformerSortFields, transformers } from "./transformers.ts";
export {
  type HoldingRule,
  type OpenedException,
  type ValidationException,
  type ValidationRule,
  type ValidationRuleKind,
  validation,
} from "./validation.ts";
export {
  type EstimationMethod,
  type ValidationKind,
  type ValidationOutcome,
  type ValidationUnit,
  estimationMethods,
  validationBounds,
  validationKinds,
  validationOutcomes,
} from "./validationKinds.ts";
