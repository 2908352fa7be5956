export { dateArray, int2Array, int4Array, int8Array, textArray } from "./arrays.ts";
export { beforeElements, binaryOf, bytesOfFloat, floatAt, wholeAt, wholeBytes } from "./binaryArrays.ts";
export { aheadSec, clockFault, depthsOf } from "./clockBounds.ts";
export { createFieldSets, inOrderOf, makeSet, type FieldSets, type WantedSet } from "./fieldSets.ts";
export { flatten, flattenValues, sameHoles, sliceOf } from "./flatten.ts";
export { counterTypes, countsBefore, countsFor, isVouched } from "./instant.ts";
export {
  copyMessages,
  estimateMark,
  insertMessages,
  removeMessages,
  replaceMessages,
} from "./messageStore.ts";
export { decodedAgain, isSecond, originAt, resolveConflict, type Standing } from "./resolveConflict.ts";
export { keepCalculated, writeRevisions, type CalculatedRow, type Revision } from "./revisionStore.ts";
export { compareKeys, rowKeyOf } from "./rowKey.ts";
export { findStored, type Found, type Stored, type Taken } from "./standing.ts";
export {
  isLeftOut,
  isTrusted,
  isWhollyTrusted,
  sourceOfValue,
  statusOfValue,
  trustedValues,
  worstStatus,
  type ByField,
  type JudgedRow,
  type ValueOrigin,
} from "./trust.ts";
export {
  sourceName,
  statusName,
  type DeviceMetadata,
  type FieldSet,
  type Incoming,
  type Ingested,
  type Row,
  type Values,
} from "./types.ts";
export { isNumber, parseValues } from "./values.ts";
