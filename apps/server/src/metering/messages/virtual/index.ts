export { isSummable, virtualFieldsOf } from "./definition.ts";
export { lockSources, putSources, shapeOf, sourcesInUse, sourcesOf, unused } from "./store.ts";
export type { VirtualRow } from "./virtual.ts";
export {
  computeVirtualDevices,
  instants,
  readSources,
  sourceIdsOf,
  startVirtualDevices,
  sumsFrom,
  type Sums,
} from "./virtualJob.ts";
