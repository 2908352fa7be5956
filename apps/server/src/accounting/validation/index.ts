import { startedOnce, type Domain } from "#core";
import type { AskSlots } from "./inbox/index.ts";
import { serveValidation } from "./calls.ts";
import { forgetting, startValidating } from "./run/index.ts";

export { openInMonth, type AskSlots, type SlotsToAsk } from "./inbox/index.ts";
export {
  judge,
  judgeDevices,
  validateDue,
  validateSpan,
  watchDevices,
  type ChangedValues,
} from "./run/index.ts";
export { judgedRegister, type Given, type Value } from "./judged/index.ts";
export { rulesFor } from "./rules/index.ts";

/** Rules that values are checked by, the inbox of what they have found, and estimates in the place of values. */
export const validation = (askSlots: AskSlots): Domain => ({
  name: "validation",
  calls: serveValidation(askSlots),
  ...startedOnce(["worker"], startValidating),
  scheduled: [forgetting],
});
