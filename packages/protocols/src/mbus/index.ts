export { decodeTelegram, type Telegram } from "./application.ts";
export { decodeMbus, decodedValue } from "./decode.ts";
export { mbus, type MbusOptions } from "./driver.ts";
export {
  manufacturerLetters,
  manufacturerWord,
  readLongHeader,
  readShortHeader,
  statusWords,
  type ApplicationHeader,
} from "./header.ts";
export type { MbusArchive, MbusRow } from "./readings.ts";
export { decodeRecords, type MbusRecord, type RecordList } from "./records.ts";
export {
  searchMeters,
  sharedLine,
  type FoundMeter,
  type SearchOptions,
  type SearchResult,
} from "./search.ts";
