import type { Domain } from "#core";
import { serveSimulation } from "./calls.ts";

export { closeMonthOf, seedDemo, startClosing, startDemoPark } from "./demo.ts";
export { registerScalePark, removeScalePark } from "./scalePark.ts";
export { companyOf } from "./store.ts";

/** Parks of simulated devices that staff of the provider start and remove, if the demonstration is on. */
export const simulation: Domain = { name: "simulation", calls: serveSimulation };
