export { addStep, closeException, reopenException } from "./exceptionStore.ts";
export { explainedKinds, judge, type RulesOfDevice } from "./findings.ts";
export { forgetting, judgeDevices, startValidating, validateDue, watchDevices } from "./job.ts";
export { givenOf, validateSpan, valuesAround, type ChangedValues } from "./run.ts";
