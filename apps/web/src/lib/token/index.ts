export {
  endSession,
  onSessionEnd,
  startSession,
  storedToken,
  watchOtherTabs,
  type SessionEnd,
} from "./token.ts";
