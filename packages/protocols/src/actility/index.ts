export { buildActilityUp } from "./build.ts";
export { actilityReports, readActility } from "./reports.ts";
export { actilityDownlink, actilityDownPath, actilityTokenText, type ActilityDown } from "./token.ts";
