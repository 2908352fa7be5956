import type { Domain } from "#core";
import { serveServices } from "./calls.ts";

export const services: Domain = { name: "services", calls: serveServices };
