import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, Nothing, Seconds } from "../core/values.ts";

/** Maximum devices of one simulated park. */
export const mostSimulated = 10_000;

/** A park of simulated devices that was registered in a company and answers over real sockets. */
export const SimulatedPark = z.object({
  id: Id,
  company_id: Id,
  company_name: z.string(),
  devices: z.int(),
  created_at: Seconds,
});
export type SimulatedPark = z.infer<typeof SimulatedPark>;

/** Large parks of simulated devices, where METRUM_DEMO is on. */
export const simulation = {
  state: call({
    id: "admin.simulation",
    isOwn: true,
    method: "GET",
    path: "admin/simulation",
    right: "platform",
    reach: "company",
    summary: "Simulated parks of the installation, and whether it may have any",
    reply: z.object({ is_available: z.boolean(), parks: z.array(SimulatedPark) }),
  }),
  start: call({
    id: "admin.simulationStart",
    isOwn: true,
    method: "POST",
    path: "admin/simulation/start",
    right: "platform",
    reach: "company",
    summary:
      "Registers simulated devices of six protocols in a company, with their modems and converters, and starts them; they do not count towards the licence",
    body: z.object({
      company_id: Id,
      devices: z.int().check(z.gte(1), z.lte(mostSimulated)),
    }),
    reply: SimulatedPark,
    problems: ["simulation_off", "simulation_full", "not_found", "demo_refused"],
  }),
  remove: call({
    id: "admin.simulationRemove",
    isOwn: true,
    method: "POST",
    path: "admin/simulation/remove/:id",
    right: "platform",
    reach: "company",
    summary: "Stops a simulated park and removes its devices with their readings",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
