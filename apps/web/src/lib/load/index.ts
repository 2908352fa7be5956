export { onDemand } from "./onDemand.ts";
