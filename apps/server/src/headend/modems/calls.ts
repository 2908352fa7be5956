import { adminBroker, inbox } from "@metrum/contract/headend";
import { serve, withMessage, type Api } from "#core";
import { modemPortsSeen } from "#headend/channels";
import { entriesFor, preview, register } from "./inbox.ts";
import { connectedModems } from "./modems.ts";
import { pollBehind } from "./staffPoll.ts";

export function serveModems(api: Api): void {
  serve(api, adminBroker, {
    ports: async (_, { database }) =>
      Object.fromEntries(
        (await modemPortsSeen(database.system)).map(({ port, profile }) => [titleOf(port, profile), port]),
      ),
    connectedGateways: ({ body }, ctx) => connectedModems(ctx, body.ports),
    requestData: ({ body }, ctx) => pollBehind(ctx, { port: body.port, identity: body.imei }),
  });
  serve(api, inbox, {
    list: async (_, ctx) => ({ inbox: await entriesFor(ctx) }),
    preview: ({ body }, ctx) => preview(ctx, body),
    create: async ({ body }, ctx) => withMessage(await register(ctx, body), "saved"),
  });
}

const titleOf = (port: number, profile: string): string => `${String(port)} ${profile}`;
