import { gateways } from "@metrum/contract/metering";
import { serve, withMessage, type Api } from "#core";
import { compatibleGateways, replaceGateways } from "./carry.ts";
import { archiveGateways, changeManyGateways } from "./change.ts";
import { createGateway, editGateway, gatewayList, openGateway } from "./gateways.ts";
import { changedCarriers } from "./many.ts";
import { putGatewayInTrash, removeGateway } from "./trash.ts";

export function serveGateways(api: Api): void {
  serve(api, gateways, {
    get: async ({ params }, ctx) => ({ gateway: await openGateway(ctx, params.id) }),
    list: ({ body }, ctx) => gatewayList(ctx, body),
    create: async ({ body }, ctx) =>
      withMessage({ gateway: await createGateway(ctx, body) }, "gateway_created"),
    edit: async ({ body }, ctx) => withMessage({ gateway: await editGateway(ctx, body) }, "saved"),
    replace: async ({ body }, ctx) =>
      withMessage({}, "gateway_replaced", { count: await replaceGateways(ctx, [body]) }),
    massReplace: async ({ body }, ctx) =>
      withMessage({}, "gateway_replaced", { count: await replaceGateways(ctx, body.items) }),
    compatible: async ({ body }, ctx) => ({ gateways: await compatibleGateways(ctx, body) }),
    toTrash: async ({ params }, ctx) => {
      await putGatewayInTrash(ctx, params.id, true);
      return withMessage({}, "gateway_to_trash");
    },
    restore: async ({ params }, ctx) => {
      await putGatewayInTrash(ctx, params.id, false);
      return withMessage({}, "gateway_restored");
    },
    archive: async ({ body }, ctx) => {
      const count = await archiveGateways(ctx, body);
      return withMessage({}, body.is_archived ? "gateways_archived" : "gateways_unarchived", { count });
    },
    changeMany: async ({ body }, ctx) => changedCarriers(await changeManyGateways(ctx, body)),
    remove: async ({ params }, ctx) => {
      await removeGateway(ctx, params.id);
      return withMessage({}, "gateway_removed");
    },
  });
}
