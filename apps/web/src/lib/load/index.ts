export { lazily, retryLoads } from "./lazily.tsx";
export { onDemand } from "./onDemand.ts";
