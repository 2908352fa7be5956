export {
  endSession,
  enterSession,
  isEntered,
  onSessionEnd,
  onSessionStart,
  reloadAt,
  returnFromEntered,
  startSession,
  storedToken,
  watchOtherTabs,
  type SessionEnd,
} from "./token.ts";
