import { Problem, problem } from "@metrum/contract/core";
import type { GatewayId } from "@metrum/vocabulary";
import { resolve, type Ctx, type Db, type Scope } from "#core";
import { askableDevices } from "#headend/tasks";
import { plannedDevices, type PlannedDevice } from "./planStore.ts";
import { lockedGateways, plannedGateways } from "./targetStore.ts";

type Asking = Pick<Ctx, "db" | "scope">;

/** What a command is sent to: devices and gateways share one number space, and no list has both. */
export type Targets =
  | { readonly kind: "device" }
  | { readonly kind: "gateway"; readonly ids: readonly GatewayId[] };

/** Finds out what these ids are. A list that is not of gateways alone counts as one of devices. */
export async function targetsOf(asking: Asking, ids: readonly number[]): Promise<Targets> {
  try {
    return ids.length === 0
      ? { kind: "device" }
      : { kind: "gateway", ids: await resolve(asking, "gateway", ids) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { kind: "device" };
  }
}

/**
 * Those of a request, locked. Problems: not_found; tied_devices_only for gateways, which a user tied to devices
 * sees but does not control.
 */
export async function lockedTargets(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<readonly Pick<PlannedDevice, "id" | "modelId" | "isPutAway">[]> {
  const targets = await targetsOf({ db, scope }, ids);
  if (targets.kind === "device") return askableDevices(db, scope, ids);
  if (scope.onlyTiedDevices) throw problem("tied_devices_only");
  return lockedGateways(db, scope, targets.ids);
}

/** The same with their names, before they are requested. Problem: not_found. */
export async function plannedTargets(asking: Asking, ids: readonly number[]): Promise<PlannedDevice[]> {
  const { db, scope } = asking;
  const targets = await targetsOf(asking, ids);
  if (targets.kind === "gateway") return plannedGateways(db, scope, targets.ids);
  return plannedDevices(db, scope, await resolve(asking, "device", ids));
}
