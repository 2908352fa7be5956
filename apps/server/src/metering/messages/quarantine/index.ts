export { discardReadings, quarantineList, quarantineSummary, releaseReadings } from "./quarantine.ts";
export {
  countWaiting,
  recountQuarantine,
  writeQuarantine,
  type Quarantined,
} from "./quarantineWriteStore.ts";
