import { allows, pageSize } from "@metrum/contract/core";
import { bridge, modelClasses, type TransparentPort } from "@metrum/contract/headend";
import { deviceHostOf, resolve, serve, withMessage, type Api, type Ctx } from "#core";
import { bridgePage, type PortRow } from "./store.ts";
import { closeAnyBridge, closeBridge, openBridge } from "./switch.ts";

const mostUnpaged = 10_000;

export function serveBridges(api: Api): void {
  serve(api, bridge, {
    async switch({ body }, ctx) {
      if (!body.on) {
        await closeBridge(ctx, body);
        return withMessage({ port: null }, "bridge_closed");
      }
      const port = await openBridge(ctx, body);
      return withMessage({ port }, "bridge_opened", { port });
    },
    async list({ body }, ctx) {
      const isAll = body.paginate === false;
      const limit = isAll ? mostUnpaged : pageSize(body.per_page ?? 10);
      const page = isAll ? 1 : (body.page ?? 1);
      const isBranch = allows("platform", ctx.scope.access);
      if (!isBranch && body.device_id !== undefined) {
        const isGateway = body.model_class_id === modelClasses.gateway;
        await resolve(ctx, isGateway ? "gateway" : "device", [body.device_id]);
      }
      const { rows, total } = await bridgePage(isBranch ? ctx.database.system : ctx.db, {
        scope: ctx.scope,
        isBranch,
        sort_field: body.sort_field ?? "id",
        sort: body.sort ?? "desc",
        search: body.search_string ?? "",
        model_id: body.model_id,
        model_class_id: body.model_class_id,
        device_id: body.device_id,
        is_active: body.is_active,
        limit,
        offset: (page - 1) * limit,
      });
      return {
        data: rows.map((row) => shown(row, ctx)),
        current_page: page,
        last_page: Math.max(1, Math.ceil(total / limit)),
        per_page: limit,
        total,
      };
    },
    async close({ params }, ctx) {
      await closeAnyBridge(ctx, params.id);
      return withMessage({}, "bridge_closed");
    },
  });
}

function shown(row: PortRow, ctx: Ctx): TransparentPort {
  return {
    ...row,
    host: deviceHostOf(ctx),
    seconds_left: row.is_active ? Math.max(0, row.ends_at - ctx.clock.now()) : 0,
  };
}
