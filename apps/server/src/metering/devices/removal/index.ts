export { startRemoval } from "./removal.ts";
export { removeWithTraces, tablesOfDevices } from "./traceStore.ts";
export { discardDevices, serveTrash } from "./trash.ts";
