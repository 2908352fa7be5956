export { buildSenml, readSenml, type SenmlReading } from "./senml.ts";
export { fromSenmlUnit } from "./units.ts";
