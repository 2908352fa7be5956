import { Problem, problem } from "@metrum/contract";
import { resolve, type Ctx } from "#core";

/**
 * Refuses commands to gateways, which share the number space of devices: no model of them has commands yet.
 * Problem: command_unsupported; a device or an unknown id passes.
 */
export async function refuseGateways(ctx: Pick<Ctx, "db" | "scope">, ids: readonly number[]): Promise<void> {
  if (await isGateway(ctx, ids)) throw problem("command_unsupported", { attributes: { id: ["gateway"] } });
}

async function isGateway(ctx: Pick<Ctx, "db" | "scope">, ids: readonly number[]): Promise<boolean> {
  try {
    await resolve(ctx, "gateway", ids);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return false;
  }
}
