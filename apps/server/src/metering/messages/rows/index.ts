export { dateArray, int2Array, int4Array, int8Array, textArray } from "./arrays.ts";
export { aheadSec, clockFault, depthsOf } from "./clockBounds.ts";
export { type FieldSets, type WantedSet, createFieldSets, inOrderOf, makeSet } from "./fieldSets.ts";
export { flatten, flattenValues, sameHoles, sliceOf } from "./flatten.ts";
export { counterTypes, countsBefore, countsFor, isVouched } from "./instant.ts";
export {
  type MessageRow,
  calculatedRows,
  copyMessages,
  estimateMark,
  removeMessages,
  replaceMessages,
  rowsBefore,
} from "./messageStore.ts";
export { type Standing, decodedAgain, isSecond, originAt, resolveConflict } from "./resolveConflict.ts";
export { type CalculatedRow, type Revision, keepCalculated, writeRevisions } from "./revisionStore.ts";
export { compareKeys, rowKeyOf } from "./rowKey.ts";
export { type Found, type Stored, type Taken, findStored } from "./standing.ts";
export {
  type ByField,
  type JudgedRow,
  type ValueOrigin,
  isLeftOut,
  isTrusted,
  isWhollyTrusted,
  sourceOfValue,
  statusOfValue,
  trustedValues,
  worstStatus,
} from "./trust.ts";
export {
  type DeviceMetadata,
  type FieldSet,
  type Incoming,
  type Ingested,
  type Row,
  type Values,
  sourceName,
  statusName,
} from "./types.ts";
export { isNumber, parseArrays, parseNumbers, parseValues } from "./values.ts";
