export { ZoneField } from "./ZoneField.tsx";
export { zoneChoices, type ZoneChoice } from "./zones.ts";
