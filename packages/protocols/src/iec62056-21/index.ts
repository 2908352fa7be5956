export { decodeIec62056 } from "./decode.ts";
export { iec62056, iecLineOf } from "./driver.ts";
export type { IecOptions } from "./options.ts";
export type { IecClock, IecRow } from "./readings.ts";
export type { IecLine } from "./exchange.ts";
export {
  inProgramming as inIecProgramming,
  readValue as readIecValue,
  writeValue as writeIecValue,
  type IecAccess,
} from "./programming.ts";
export { readOut as readIecOut, switchToBinary as switchIecToBinary } from "./signOn.ts";
