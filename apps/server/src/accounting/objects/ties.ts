import { objectBounds } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import type { ObjectId, UserId } from "@metrum/vocabulary";
import { lockTree, record, recordEach, resolve, resolveOne, type Ctx } from "#core";
import { refuseUntied, tieToObject, untieFromObject } from "#access/users";
import * as attributes from "./attributeStore.ts";
import { subjectOf } from "./change.ts";
import { placeItems, standOutside, takeItems, type ItemKind } from "./itemStore.ts";

const kinds = { device: "device", gateway: "gateway", base_station: "baseStation" } as const;
const fields = { device: "device_ids", gateway: "gateway_ids", base_station: "base_station_ids" } as const;

/**
 * Places things at a node. Returns how many there are. Problems: not_found, for one foreign id of all;
 * tied_devices_only.
 */
export async function place(
  ctx: Ctx,
  kind: ItemKind,
  { object_id, ids: given }: { readonly object_id: number; readonly ids: readonly number[] },
): Promise<number> {
  await lockTree(ctx.db, ctx.scope);
  const object = await resolveOne(ctx, "object", object_id);
  const ids = [...new Set(await resolve(ctx, kinds[kind], given))];
  await settle(
    ctx,
    kind,
    ids.map((item) => ({ object, item })),
  );
  return ids.length;
}

/**
 * Places each device at the node in its place, all at a single one, or without nodes at none. Returns how
 * many devices there are. Problems: not_found, wrong_input, tied_devices_only.
 */
export async function placeMany(
  ctx: Ctx,
  {
    object_ids = [],
    device_ids,
  }: { readonly object_ids?: readonly number[] | undefined; readonly device_ids: readonly number[] },
): Promise<number> {
  if (object_ids.length === 0) return (await take(ctx, { device: device_ids })).count;
  await lockTree(ctx.db, ctx.scope);
  const objects = await resolve(ctx, "object", object_ids);
  const devices = await resolve(ctx, "device", device_ids);
  if (objects.length > 1 && objects.length !== devices.length)
    throw problem("wrong_input", { attributes: { object_ids: ["length"] } });
  // Of a device that is named twice the last place holds.
  const places = new Map(devices.map((item, at) => [item, objects.length === 1 ? objects[0] : objects[at]]));
  await settle(
    ctx,
    "device",
    [...places].flatMap(([item, object]) => (object === undefined ? [] : [{ object, item }])),
  );
  return places.size;
}

interface Placed {
  readonly object: ObjectId;
  readonly item: number;
}

function byObject(placed: readonly Placed[]): [ObjectId, number[]][] {
  const found = new Map<ObjectId, number[]>();
  for (const { object, item } of placed) {
    const items = found.get(object);
    if (items) items.push(item);
    else found.set(object, [item]);
  }
  return [...found];
}

/** A tied user leaves alone what stands outside of their branches. Problem: tied_devices_only. */
async function refuseOutside({ db, scope }: Ctx, kind: ItemKind, ids: readonly number[]): Promise<void> {
  if (scope.onlyTiedDevices && (await standOutside(db, scope, kind, ids))) throw problem("tied_devices_only");
}

async function settle(ctx: Ctx, kind: ItemKind, placed: readonly Placed[]): Promise<void> {
  await refuseOutside(
    ctx,
    kind,
    placed.map(({ item }) => item),
  );
  await placeItems(ctx.db, ctx.scope, kind, placed);
  await recordEach(
    ctx,
    "object.tie",
    byObject(placed).map(([object, items]) => ({
      subject: subjectOf(object),
      after: { [fields[kind]]: items },
    })),
  );
  changed(ctx);
}

/** Things that stand at a node. */
type Stood = { readonly object_id: ObjectId } & Record<(typeof fields)[ItemKind], number[]>;

/** Takes things from their nodes. Returns how many stood at one, and where. Problems: not_found, tied_devices_only. */
export async function take(
  ctx: Ctx,
  given: Partial<Readonly<Record<ItemKind, readonly number[] | undefined>>>,
): Promise<{ readonly count: number; readonly stood: Stood[] }> {
  await lockTree(ctx.db, ctx.scope);
  const stood = new Map<ObjectId, Stood>();
  let count = 0;
  for (const kind of ["device", "gateway", "base_station"] as const) {
    const ids = await resolve(ctx, kinds[kind], given[kind] ?? []);
    if (ids.length === 0) continue;
    await refuseOutside(ctx, kind, ids);
    const taken = await takeItems(ctx.db, ctx.scope, kind, ids);
    count += taken.length;
    const places = byObject(taken);
    for (const [object_id, items] of places) {
      const known = stood.get(object_id) ?? {
        object_id,
        device_ids: [],
        gateway_ids: [],
        base_station_ids: [],
      };
      known[fields[kind]].push(...items);
      stood.set(object_id, known);
    }
    await recordEach(
      ctx,
      "object.untie",
      places.map(([object, items]) => ({ subject: subjectOf(object), before: { [fields[kind]]: items } })),
    );
  }
  changed(ctx);
  return { count, stood: [...stood.values()] };
}

function changed({ afterCommit, bus, scope: { companyId } }: Ctx): void {
  afterCommit(() => bus.publish("devicesChanged", { companyId }));
}

/**
 * Ties users to a node. Returns how many are new to it. Who gets the first tie sees nothing else, so a tied user may not
 * give it. Problems: not_found, right_not_held.
 */
export async function tieUsers(ctx: Ctx, object_id: number, given: readonly number[]): Promise<number> {
  const object = await resolveOne(ctx, "object", object_id);
  const users = [...new Set(await resolve(ctx, "user", given))];
  await refuseUntied(ctx, users);
  const gained = await tieToObject(ctx.db, ctx.scope, object, users);
  if (gained.length > 0)
    await record(ctx, { action: "object.tieUser", subject: subjectOf(object), after: { user_ids: gained } });
  accessChanged(ctx, gained);
  return gained.length;
}

/**
 * Unties a user from a node. Who loses the last tie sees everything again, so a tied user may not do that.
 * Problems: not_found, right_not_held.
 */
export async function untieUser(ctx: Ctx, object_id: number, user_id: number): Promise<void> {
  const object = await resolveOne(ctx, "object", object_id);
  const user = await resolveOne(ctx, "user", user_id);
  if (!(await untieFromObject(ctx.db, ctx.scope, object, user))) return;
  await refuseUntied(ctx, [user]);
  await record(ctx, { action: "object.untieUser", subject: subjectOf(object), before: { user_ids: [user] } });
  accessChanged(ctx, [user]);
}

function accessChanged({ afterCommit, bus, scope: { companyId } }: Ctx, users: readonly UserId[]): void {
  afterCommit(() => {
    for (const id of users) bus.publish("accessChanged", `user:${String(id)}`);
    bus.publish("devicesChanged", { companyId });
  });
}

/** Sets an attribute, or removes it if the value is null. Problems: not_found, attribute_limit. */
export async function setAttribute(
  ctx: Ctx,
  {
    object_id,
    name,
    value,
  }: { readonly object_id: number; readonly name: string; readonly value: string | null },
): Promise<void> {
  const { db, scope } = ctx;
  await lockTree(db, scope);
  const id = await resolveOne(ctx, "object", object_id);
  const all = await attributes.attributesOf(db, scope, id);
  const before = all.find((each) => each.name === name)?.value ?? null;
  if (before === value) return;
  if (value === null) await attributes.removeAttribute(db, scope, { id, name });
  else if (before === null && all.length >= objectBounds.attributes)
    throw problem("attribute_limit", { params: { max: objectBounds.attributes } });
  else await attributes.setAttribute(db, scope, { id, name, value });
  await record(ctx, {
    action: "object.attribute",
    subject: subjectOf(id),
    ...(before === null ? {} : { before: { [name]: before } }),
    ...(value === null ? {} : { after: { [name]: value } }),
  });
}
