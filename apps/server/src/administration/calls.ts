import { administration as table } from "@metrum/contract";
import { serve, type Api } from "#core";
import { issueForCompany, issueForUser, redeem } from "./entry.ts";
import { healthOf } from "./health.ts";
import { usersOfPlatform } from "./users.ts";

export function serveAdministration(api: Api): void {
  serve(api, table, {
    enterCompany: ({ params }, ctx) => issueForCompany(ctx, params.id),
    enterUser: ({ params }, ctx) => issueForUser(ctx, params.id),
    redeemEntry: async ({ body }, ctx) => {
      const { token, expiresAt } = await redeem(ctx, body.code);
      return { access_token: token, entered_from_admin: true, expires_at: expiresAt };
    },
    users: async ({ body }, ctx) => ({ users: await usersOfPlatform(ctx, body) }),
    health: (_, ctx) => healthOf(ctx),
  });
}
