export { decide, mayEnter, rightsOf, type AccessAnswer, type Verdict } from "./decide.ts";
export { leaveEntered } from "./entered.ts";
export { expiryOf, type Expiry } from "./expiry.ts";
export { menuOf, type MenuItem } from "./menu.ts";
export {
  loadSession,
  saveSettings,
  signOut,
  useAllowed,
  useSession,
  type Loaded,
  type Session,
} from "./session.ts";
