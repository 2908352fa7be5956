export { importFields, reasonColumn } from "./importFields.ts";
export { importPoints } from "./importPoints.ts";
export { rejectedData } from "./rejected.ts";
export { validatedProfiles } from "./validatedProfiles.ts";
