import type { Domain } from "#core";
import { serveSchedules } from "./calls.ts";

export { storedTariffs } from "./store.ts";

/** Schedules that users store for a device: tariffs, special days, tasks of its scheduler. */
export const schedules: Domain = { name: "schedules", calls: serveSchedules };
