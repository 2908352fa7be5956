import type { Domain } from "#core";
import { serveBaseStations } from "./calls.ts";

export { createStation, discardStations, editStation, returnStations } from "./baseStations.ts";
export { insertBaseStation } from "./store.ts";

/** Base stations of radio networks. */
export const baseStations: Domain = { name: "base-stations", calls: serveBaseStations };
