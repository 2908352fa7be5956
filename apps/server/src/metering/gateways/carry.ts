import { gatewayModels, modelById, type GatewayModel, type MeterModel } from "@metrum/catalogue";
import { problem, type ParsedOf } from "@metrum/contract/core";
import type { Gateway, gateways, Replacement } from "@metrum/contract/metering";
import { recordEach, resolve, type Ctx } from "#core";
import { planAnew } from "#metering/device-state";
import { movableDevices, moveDevices, wrongSettings, type MovableDevice } from "#metering/devices";
import { interfaceIdsOf, isAddress, modelOf, sharesInterface } from "#metering/models";
import { carriersOf, gatewaysWith, type Carrier } from "./listStore.ts";
import { shownGateways } from "./shown.ts";

/** Maximum gateways in the answer of `compatible`. */
const mostOffered = 1_000;

/** Whether a device of this model can be connected to a gateway; a device that reports needs a listener. */
const isCarried = (gateway: GatewayModel, meter: MeterModel, isListening: boolean): boolean =>
  sharesInterface(gateway, meter) || (isListening && meter.driver.kind === "uplink");

/** Problem: gateway_incompatible, which names both. */
export function refuseUnlessCarried(
  gateway: Pick<Carrier, "name" | "model_id" | "isListening">,
  device: Pick<MovableDevice, "name" | "model_id">,
): void {
  const model = modelById(gateway.model_id);
  if (model?.kind === "gateway" && isCarried(model, modelOf(device.model_id), gateway.isListening)) return;
  throw problem("gateway_incompatible", {
    params: { gateway: gateway.name, device: device.name },
    attributes: { gateway_id: ["gateway_incompatible"] },
  });
}

/** Gateways that can carry the devices, or devices of the model and interface. Problems: not_found, unknown_model. */
export async function compatibleGateways(
  ctx: Ctx,
  {
    device_ids = [],
    model_id,
    interface_id,
    search_string = "",
  }: ParsedOf<typeof gateways.compatible>["body"],
): Promise<Gateway[]> {
  const ids = await resolve(ctx, "device", device_ids);
  const devices = await movableDevices(ctx.db, ids);
  const meters = [...new Set([...devices.values()].map((each) => each.model_id))].map(modelOf);
  const requestedModel = model_id === undefined ? undefined : modelById(model_id);
  if (model_id !== undefined && requestedModel?.kind !== "meter")
    throw problem("unknown_model", { attributes: { model_id: ["unknown"] } });
  if (requestedModel?.kind === "meter") meters.push(requestedModel);
  const models = gatewayModels.filter(
    (model) =>
      meters.every((meter) => isCarried(model, meter, false)) &&
      (interface_id === undefined || interfaceIdsOf(model).includes(interface_id)),
  );
  const rows = await gatewaysWith(ctx.db, ctx.scope, {
    modelIds: models.map(({ id }) => id),
    areListening: meters.length > 0 && meters.every(({ driver }) => driver.kind === "uplink"),
    search: search_string,
    limit: mostOffered,
    now: ctx.clock.now(),
  });
  return shownGateways(ctx, rows);
}

/**
 * Moves devices to other gateways, all or none; each keeps the address and starting value that is not given.
 * Problems: not_found, device_put_away, gateway_in_trash, gateway_archived, gateway_incompatible, wrong_input.
 */
export async function replaceGateways(ctx: Ctx, items: readonly Replacement[]): Promise<number> {
  const { db } = ctx;
  const deviceIds = await resolve(
    ctx,
    "device",
    items.map(({ device_id }) => device_id),
  );
  const gatewayIds = await resolve(
    ctx,
    "gateway",
    items.map(({ gateway_id }) => gateway_id),
  );
  const [devices, carriers] = [await movableDevices(db, deviceIds), await carriersOf(db, gatewayIds)];
  const moved = new Map<MovableDevice, MovableDevice>();
  for (const [at, item] of items.entries()) {
    const [deviceId, gatewayId] = [deviceIds[at], gatewayIds[at]];
    const device = deviceId && devices.get(deviceId);
    const carrier = gatewayId && carriers.get(gatewayId);
    if (!device || !carrier) throw problem("not_found");
    refuse(carrier, device, item);
    moved.set(device, {
      ...device,
      gateway_id: carrier.id,
      inside_addr: item.inside_addr ?? device.inside_addr,
      starting_value: item.starting_value ?? device.starting_value,
    });
  }
  await moveDevices(db, [...moved.values()]);
  await planAnew(db, deviceIds);
  await recordEach(
    ctx,
    "device.gateway",
    [...moved].map(([before, after]) => ({
      subject: `device ${String(before.id)}`,
      before: recorded(before),
      after: recorded(after),
    })),
  );
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
  return moved.size;
}

function refuse(carrier: Carrier, device: MovableDevice, { starting_value, inside_addr }: Replacement): void {
  if (device.isPutAway) throw problem("device_put_away");
  if (carrier.isDeleted) throw problem("gateway_in_trash");
  if (carrier.isArchived) throw problem("gateway_archived");
  refuseUnlessCarried(carrier, device);
  const model = modelOf(device.model_id);
  const isOther = inside_addr !== undefined && inside_addr !== device.inside_addr;
  const attributes = {
    ...(starting_value === undefined ? {} : wrongSettings(model, { starting_value })),
    ...(isOther && !isAddress(model, inside_addr, device.deviceID)
      ? { inside_addr: ["device_address"] as const }
      : {}),
  };
  if (Object.keys(attributes).length > 0) throw problem("wrong_input", { attributes });
}

const recorded = ({ gateway_id, inside_addr, starting_value }: MovableDevice) => ({
  gateway_id,
  inside_addr,
  starting_value,
});
