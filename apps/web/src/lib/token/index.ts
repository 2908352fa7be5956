export {
  endSession,
  onSessionEnd,
  onTokenChange,
  startSession,
  storedToken,
  type SessionEnd,
} from "./token.ts";
