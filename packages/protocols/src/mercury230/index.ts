export { decodeMercury230, type MercuryExchange } from "./decode.ts";
export { mercury230 } from "./driver.ts";
export type { MercuryOptions } from "./meter.ts";
export {
  readInfo as readMercuryInfo,
  readJournal as readMercuryJournal,
  readPhaseEnergy as readMercuryPhaseEnergy,
  type MercuryEvent,
  type MercuryInfo,
} from "./reads.ts";
