import { problem, type ParsedOf } from "@metrum/contract/core";
import { simulation as table, type SimulatedPark } from "@metrum/contract/platform";
import { record, serve, withMessage, type Api, type Ctx } from "#core";
import { knownParks, optionsOf, releaseParkId, takeParkId, type KnownPark } from "./parkStore.ts";
import { registerScalePark, removeScalePark } from "./scalePark.ts";
import { companyOf } from "./store.ts";

export function serveSimulation(api: Api): void {
  serve(api, table, {
    state: async (_, ctx) => ({
      is_available: ctx.config.demo,
      parks: (await knownParks(ctx.database.system)).map(shown),
    }),
    async start({ body }, ctx) {
      const park = await startParkOf(ctx, body);
      return withMessage(park, "simulation_started", { devices: park.devices });
    },
    async remove({ params }, ctx) {
      const devices = await removeParkOf(ctx, params.id);
      return withMessage({}, "simulation_removed", { devices });
    },
  });
}

const shown = ({ id, companyId, companyName, devices, createdAt }: KnownPark): SimulatedPark => ({
  id,
  company_id: companyId,
  company_name: companyName,
  devices,
  created_at: createdAt,
});

/** Registers the devices; the process of the demonstration starts the park within seconds. */
async function startParkOf(
  ctx: Ctx,
  { company_id, devices }: ParsedOf<typeof table.start>["body"],
): Promise<SimulatedPark> {
  const { system } = ctx.database;
  if (!ctx.config.demo) throw problem("simulation_off");
  const companyId = await companyOf(ctx.database.system, company_id);
  if (companyId === undefined) throw problem("not_found");
  const id = await takeParkId(system, { companyId, devices });
  if (id === undefined) throw problem("simulation_full");
  try {
    await registerScalePark(ctx, companyId, optionsOf({ id, devices }));
    await record(ctx, {
      action: "simulation.start",
      subject: `company ${String(companyId)}`,
      after: { park: id, devices },
    });
  } catch (error) {
    await releaseParkId(system, id);
    throw error;
  }
  const park = (await knownParks(system)).find((each) => each.id === id);
  if (!park) throw new Error("the park was removed while it was being created");
  return shown(park);
}

async function removeParkOf(ctx: Ctx, id: number): Promise<number> {
  const { system } = ctx.database;
  const park = (await knownParks(system)).find((each) => each.id === id);
  if (!park) throw problem("not_found");
  const devices = await removeScalePark(ctx, park.companyId, optionsOf(park));
  await releaseParkId(system, id);
  await record(ctx, {
    action: "simulation.remove",
    subject: `company ${String(park.companyId)}`,
    before: { park: id, devices },
  });
  return devices;
}
