export { loadReceived, receivedOf, type LoadedReceived, type WantedReceived } from "./ofDevice.ts";
export {
  mainType,
  percentOf,
  profileType,
  typesFilling,
  typesOfModel,
  type Judged,
  type Received,
} from "./received.ts";
export { dailyShares, receivedByDay, type DayReceived, type ReceivedDays } from "./receivedDays.ts";
export { united, type Slot, type Span } from "./slots.ts";
