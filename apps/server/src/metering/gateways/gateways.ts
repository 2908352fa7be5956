import type { GatewayModel } from "@metrum/catalogue";
import { pageSize, problem } from "@metrum/contract/core";
import {
  mostGateways,
  type Gateway,
  type GatewayChange,
  type GatewayListInput,
  type NewGateway,
} from "@metrum/contract/metering";
import type { GatewayId } from "@metrum/vocabulary";
import { isUniqueViolation, record, resolveOne, type Ctx } from "#core";
import { statusOf } from "#metering/device-state";
import { gatewayModel } from "./add.ts";
import { carrierCounts } from "./carrierListStore.ts";
import { refuseUnlessCarried } from "./carry.ts";
import { identityTaken } from "./identity.ts";
import * as list from "./listStore.ts";
import { putGatewayPassword, signsIn } from "./secrets.ts";
import { columnsOf } from "./shape.ts";
import { shownGateways } from "./shown.ts";
import * as store from "./store.ts";

/** Maximum rows of one answer, also without paging. */
const largestPage = 10_000;

/** A page of the list, with the number of gateways in use, in the archive and in the trash. */
export async function gatewayList(ctx: Ctx, input: GatewayListInput) {
  const { db, scope } = ctx;
  const { page: requestedPage = 1, per_page, paginate, sort_field = "name", sort = "asc", ...filter } = input;
  const limit = paginate === false ? largestPage : pageSize(per_page ?? 10, largestPage);
  const current = paginate === false ? 1 : requestedPage;
  const { total, rows } = await list.gatewayPage(ctx, scope, {
    filter,
    sort_field,
    sort,
    limit,
    offset: (current - 1) * limit,
    now: ctx.clock.now(),
  });
  const counts = await carrierCounts(db, scope, "gateway");
  const gateways = {
    data: await shownGateways(ctx, rows),
    current_page: current,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
  return { gateways, counts };
}

/** One gateway, also from the trash. Throws not_found. */
export async function openGateway(ctx: Ctx, given: number): Promise<Gateway> {
  const id = await resolveOne(ctx, "gateway", given);
  const [shown] = await shownGateways(ctx, [await rowOf(ctx, id)]);
  if (!shown) throw problem("not_found");
  const told = (await statusOf(ctx.db, [id])).get(id);
  return { ...shown, status: told ? { ...told.state, told_at: told.told_at } : {} };
}

/**
 * Registers a gateway in the own company. Problems: tied_devices_only, gateway_limit, unknown_model,
 * identifier_taken, wrong_input, not_found (the base station).
 */
export async function createGateway(ctx: Ctx, given: NewGateway): Promise<Gateway> {
  const { db, scope } = ctx;
  if (scope.onlyTiedDevices) throw problem("tied_devices_only");
  if ((await store.gatewaysOfCompany(db, scope)) >= mostGateways)
    throw problem("gateway_limit", { params: { max: mostGateways } });
  const model = gatewayModel(given.model_id);
  const columns = await columnsOf(ctx, given, { model, before: undefined });
  const { name, device_id, model_id } = given;
  const row = { ...columns, name, device_id, model_id, company_id: scope.companyId };
  const id = await store.insertGateway(db, row);
  if (id === undefined) throw await identityTaken(ctx, device_id, "device_id");
  await putPassword(ctx, id, { given, interface_id: columns.interface_id });
  await record(ctx, { action: "gateway.create", subject: subjectOf(id), after: noted(given) });
  await store.tellCaller(db, device_id);
  return openGateway(ctx, id);
}

/**
 * Changes a gateway; absent fields stay. Problems: not_found, gateway_in_trash, gateway_archived,
 * tied_devices_only, unknown_model, gateway_incompatible (a device behind it, with another model), identifier_taken, wrong_input.
 */
export async function editGateway(ctx: Ctx, { id: given, ...change }: GatewayChange): Promise<Gateway> {
  const { db } = ctx;
  const id = await ownGateway(ctx, given);
  const before = await rowOf(ctx, id);
  if (before.is_deleted) throw problem("gateway_in_trash");
  if (before.is_archived) throw problem("gateway_archived");
  const model = gatewayModel(change.model_id ?? before.model_id);
  if (model.id !== before.model_id) await refuseOtherModel(ctx, { id, name: before.name, model });
  const columns = await columnsOf(ctx, change, { model, before });
  try {
    await store.changeGateway(db, id, columns);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw await identityTaken(ctx, change.device_id ?? "", "device_id");
  }
  await putPassword(ctx, id, { given: change, interface_id: columns.interface_id });
  const [shownBefore] = await shownGateways(ctx, [before]);
  await record(ctx, {
    action: "gateway.update",
    subject: subjectOf(id),
    before: shownBefore && pickSame(shownBefore, change),
    after: noted(change),
  });
  await store.tellCaller(db, before.device_id);
  if (change.device_id !== undefined && change.device_id !== before.device_id)
    await store.tellCaller(db, change.device_id);
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
  return openGateway(ctx, id);
}

/**
 * A gateway that the user may change, locked: a user tied to devices only if they see all devices behind it.
 * Throws not_found, tied_devices_only.
 */
export async function ownGateway(ctx: Ctx, given: number): Promise<GatewayId> {
  const id = await resolveOne(ctx, "gateway", given);
  await store.lockGateway(ctx.db, id);
  if ((await list.withDevicesOfOthers(ctx.db, ctx.scope, [id])).has(id)) throw problem("tied_devices_only");
  return id;
}

/** The row of a gateway that came through `resolve`. */
export async function rowOf({ db, scope, clock }: Ctx, id: GatewayId): Promise<list.GatewayRow> {
  const row = await list.gatewayRow(db, scope, { id, now: clock.now() });
  if (!row) throw problem("not_found");
  return row;
}

export const subjectOf = (id: number): string => `gateway ${String(id)}`;

async function refuseOtherModel(
  { db }: Ctx,
  { id, name, model }: { readonly id: GatewayId; readonly name: string; readonly model: GatewayModel },
): Promise<void> {
  const isListening = (await list.carriersOf(db, [id])).get(id)?.isListening ?? false;
  for (const device of await list.modelsBehind(db, id))
    refuseUnlessCarried({ name, model_id: model.id, isListening }, device);
}

/** A password belongs to its interface: another interface removes it. */
async function putPassword(
  ctx: Ctx,
  id: GatewayId,
  { given, interface_id }: { readonly given: Pick<GatewayChange, "password">; readonly interface_id: number },
): Promise<void> {
  const { companyId } = ctx.scope;
  if (!signsIn(interface_id)) await putGatewayPassword(ctx, { id, companyId, text: null });
  else if (given.password !== undefined)
    await putGatewayPassword(ctx, { id, companyId, text: given.password });
}

/** For the log: of a password only that it was set. */
function noted<Given extends { readonly password?: string | undefined }>({ password, ...rest }: Given) {
  return password === undefined ? rest : { ...rest, password: "set" };
}

function pickSame(shown: Gateway, change: object): Partial<Gateway> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => Object.hasOwn(change, name)));
}
