import { administration as table } from "@metrum/contract/platform";
import { serve, withMessage, type Api } from "#core";
import { readLetter, sendAgain } from "#access/letters";
import { issueForCompany, issueForUser, redeem } from "./entry.ts";
import { healthOf } from "./health.ts";
import { lettersOfPlatform } from "./letters.ts";
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
    letters: async ({ body }, ctx) => ({ letters: await lettersOfPlatform(ctx, body) }),
    letter: async ({ params }, ctx) => {
      const { to, subject, text } = await readLetter(ctx, params.id);
      return { to, subject, text };
    },
    letterAgain: async ({ params }, ctx) => {
      await sendAgain(ctx, params.id);
      return withMessage({}, "letter_queued");
    },
  });
}
