export { discardReadings, quarantineList, quarantineSummary, releaseReadings } from "./quarantine.ts";
export {
  type Quarantined,
  countWaiting,
  recountQuarantine,
  writeQuarantine,
} from "./quarantineWriteStore.ts";
