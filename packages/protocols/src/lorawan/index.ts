export {
  checkDown as checkLoraDown,
  downlinkOutcomes,
  type DownlinkOutcome,
  type LoraDown,
  type LoraDownlink,
  type LoraEvent,
  type LoraJoin,
  type LoraStatus,
  type LoraUp,
  type Reception,
} from "./event.ts";
export { decodeLorawan, lorawanCodecs } from "./builtIn.ts";
export { decentlab } from "./decentlab.ts";
export { milesightEm300 } from "./milesight.ts";
export { draginoLht65n, vutilityPulseDrop } from "./smallSensors.ts";
export { yobiiqEm4301 } from "./yobiiq.ts";
