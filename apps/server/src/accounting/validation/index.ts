import { startedOnce, type Domain } from "#core";
import type { AskSlots } from "./ask.ts";
import { serveValidation } from "./calls.ts";
import { startValidating } from "./job.ts";

export type { AskSlots, SlotsToAsk } from "./ask.ts";
export { judge } from "./findings.ts";
export type { Value } from "./judged.ts";
export { rulesFor } from "./rules.ts";
export { openInMonth } from "./listStore.ts";
export { judgedRegister, type Given } from "./series.ts";
export { judgeDevices, validateDue, watchDevices } from "./job.ts";
export { validateSpan, type ChangedValues } from "./run.ts";

/** Rules that values are checked by, the inbox of what they have found, and estimates in the place of values. */
export const validation = (askSlots: AskSlots): Domain => ({
  name: "validation",
  calls: serveValidation(askSlots),
  ...startedOnce(["worker"], startValidating),
});
