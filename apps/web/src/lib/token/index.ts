export {
  endSession,
  onSessionEnd,
  onSessionStart,
  startSession,
  storedToken,
  watchOtherTabs,
  type SessionEnd,
} from "./token.ts";
