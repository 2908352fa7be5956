export { hasTwoFactor, recoveryLeft, remove as disableTwoFactor, withTwoFactor } from "./store.ts";
export {
  beginTwoFactor,
  confirmPending,
  enableTwoFactor,
  renewRecoveryCodes,
  spendCode,
  type Confirmed,
} from "./twoFactor.ts";
