export {
  type Judged,
  type Received,
  mainType,
  percentOf,
  profileType,
  receivedIn,
  typesFilling,
  typesOfModel,
} from "./received.ts";
export { type DayReceived, type ReceivedDays, dailyShares, receivedByDay } from "./receivedDays.ts";
export { type TypeSpan, untrustedIn } from "./receivedStore.ts";
export { type Slot, type Span, united } from "./slots.ts";
export { storedSlots } from "./storedSlots.ts";
