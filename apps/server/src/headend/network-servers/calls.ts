import { networkServers } from "@metrum/contract/headend";
import { serve, withMessage, type Api } from "#core";
import { dropServer, saveServer } from "./networkServers.ts";
import { serversOf } from "./store.ts";

export function serveNetworkServers(api: Api): void {
  serve(api, networkServers, {
    list: async (_, { db, scope }) => ({ network_servers: [...(await serversOf(db, scope.companyId))] }),
    save: async ({ body }, ctx) =>
      withMessage({ network_server: await saveServer(ctx, body) }, "network_server_saved"),
    remove: async ({ params }, ctx) => {
      await dropServer(ctx, params.id);
      return withMessage({}, "network_server_removed");
    },
  });
}
