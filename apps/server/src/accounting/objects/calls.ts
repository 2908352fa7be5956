import { objects, objectTies } from "@metrum/contract/accounting";
import { resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { usersById, usersTiedToObject } from "#access/users";
import { attributesOf } from "./attributeStore.ts";
import { addByAddress } from "./automatic.ts";
import { addNode, recount, removeNode, sortNodes, updateNode } from "./change.ts";
import { addressOfDevice } from "./deviceAddressStore.ts";
import { childrenOf, nodesOf, parentsOf } from "./readStore.ts";
import { shownNode, shownNodes } from "./shown.ts";
import * as ties from "./ties.ts";
import { countsOf, exported, openNode, openNodes, treePart, wholeTree } from "./tree.ts";

export function serveObjects(api: Api): void {
  serve(api, objects, {
    tree: async (_, ctx) => ({ tree: await wholeTree(ctx) }),
    buildTree: async ({ body }, ctx) => ({ tree: await treePart(ctx, body) }),
    get: ({ body }, ctx) => openNode(ctx, body.object_id, body),
    getMany: async ({ body }, ctx) => ({ objects: await openNodes(ctx, body.ids) }),
    branch: async ({ body }, ctx) => ({ branch: await countsOf(ctx, body.object_ids) }),
    export: async ({ body }, ctx) => ({ objects: await exported(ctx, body) }),
    add: async ({ body }, ctx) =>
      withMessage({ object: await shownNode(ctx, await addNode(ctx, body)) }, "object_added"),
    update: async ({ body }, ctx) =>
      withMessage(
        { object: await shownNode(ctx, await updateNode(ctx, body), { with_descendants: false }) },
        "saved",
      ),
    updateSort: async ({ body }, ctx) => {
      await sortNodes(ctx, body);
      return withMessage({}, "saved");
    },
    link: async ({ body }, ctx) => {
      const { id, corrected } = await recount(ctx, body.object_id);
      return withMessage({ ...(await around(ctx, id)), corrected }, "object_counted", { count: corrected });
    },
    deviceAddress: async ({ body }, ctx) => {
      const id = await resolveOne(ctx, "device", body.device_id);
      return { address: await addressOfDevice(ctx.db, ctx.scope, id) };
    },
    addAutomatically: async ({ body }, ctx) => {
      const { ids, added } = await addByAddress(ctx, body.addresses);
      const tree = await shownNodes(ctx, await nodesOf(ctx.db, ctx.scope, ids));
      return withMessage({ tree }, "objects_added", { count: added });
    },
    remove: async ({ body }, ctx) =>
      withMessage({}, "object_removed", {
        count: await removeNode(ctx, {
          object_id: body.object_id,
          withPoints: (body.remove_tied_points ?? false) || (body.deleteMeteringPoints ?? false),
        }),
      }),
  });
  serveTies(api);
}

/** A node with its parents and children. */
async function around(ctx: Ctx, id: Awaited<ReturnType<typeof addNode>>) {
  const { db, scope } = ctx;
  return {
    object: await shownNode(ctx, id),
    parents: await shownNodes(ctx, await parentsOf(db, scope, id)),
    children: await shownNodes(ctx, await childrenOf(db, scope, { parents: [id] })),
  };
}

function serveTies(api: Api): void {
  const tied = (count: number) => withMessage({}, "object_tied", { count });
  const untied = (count: number) => withMessage({}, "object_untied", { count });
  serve(api, objectTies, {
    tieDevices: async ({ body: { object_id, device_ids } }, ctx) =>
      tied(await ties.place(ctx, "device", { object_id, ids: device_ids })),
    tieGateways: async ({ body: { object_id, gateway_ids } }, ctx) =>
      tied(await ties.place(ctx, "gateway", { object_id, ids: gateway_ids })),
    tieBaseStations: async ({ body: { object_id, base_station_ids } }, ctx) =>
      tied(await ties.place(ctx, "base_station", { object_id, ids: base_station_ids })),
    massTieDevices: async ({ body }, ctx) => {
      const count = await ties.placeMany(ctx, body);
      return body.object_ids?.length ? tied(count) : untied(count);
    },
    untie: async ({ body: { device_ids, gateway_ids, base_station_ids } }, ctx) => {
      const given = { device: device_ids, gateway: gateway_ids, base_station: base_station_ids };
      const { count, stood } = await ties.take(ctx, given);
      return withMessage({ stood }, "object_untied", { count });
    },
    users: async ({ body }, ctx) => {
      const id = await resolveOne(ctx, "object", body.object_id);
      return { users: await usersById(ctx, await usersTiedToObject(ctx.db, ctx.scope, id)) };
    },
    tieUsers: async ({ body }, ctx) =>
      withMessage({}, "users_tied", { count: await ties.tieUsers(ctx, body.object_id, body.user_ids) }),
    tieUser: async ({ params, body }, ctx) =>
      withMessage({}, "users_tied", { count: await ties.tieUsers(ctx, params.id, [body.user_id]) }),
    untieUser: async ({ params, body }, ctx) => {
      await ties.untieUser(ctx, params.id, body.user_id);
      return withMessage({}, "saved");
    },
    attributes: async ({ body }, ctx) => {
      const id = await resolveOne(ctx, "object", body.object_id);
      return { attributes: await attributesOf(ctx.db, ctx.scope, id) };
    },
    setAttribute: async ({ body: { value = null, ...named } }, ctx) => {
      await ties.setAttribute(ctx, { ...named, value });
      return withMessage({}, "saved");
    },
  });
}
