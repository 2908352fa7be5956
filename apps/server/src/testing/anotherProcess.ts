import type { Services } from "#core";
import { createServices } from "../services.ts";

/** The services of another process: what is not given is shared, what a process remembers is its own. */
export const anotherProcess = (services: Services, given: Partial<Services>): Services =>
  createServices({ ...services, ...given });
