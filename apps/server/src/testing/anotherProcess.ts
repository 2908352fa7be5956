import type { Services } from "#core";
import { createServices } from "../services.ts";

/** The services of another process: shared unless given; caches are its own. */
export const anotherProcess = (services: Services, given: Partial<Services>): Services =>
  createServices({ ...services, ...given });
