export { resetOwnRule, rulesOfSubject, saveOwnRule, shownKinds, shownRules } from "./ownRules.ts";
export { rulesFor, type StoredRule } from "./rules.ts";
