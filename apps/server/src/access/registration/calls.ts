import { registration } from "@metrum/contract/access";
import { serve, withMessage, type Api, type PublicCtx } from "#core";
import { activate } from "./activate.ts";
import { askPassword, findReset, resetPassword } from "./reset.ts";
import { signUp } from "./signUp.ts";

export function serveRegistration(api: Api): void {
  serve(api, registration, {
    signup: async ({ body }, ctx) => {
      await signUp(ctx, body);
      return withMessage({}, "registered");
    },
    activate: async ({ params }, ctx) => withMessage({}, await activate(ctx, params.token)),
    activateByLetter: async ({ body }, ctx) => withMessage({}, await activate(ctx, body.token)),
    passwordCreate: async ({ body }, ctx) => {
      await askPassword(ctx, body.email);
      return withMessage({}, "password_asked");
    },
    passwordFind: ({ params }, ctx) => foundBy(ctx, params.token),
    passwordFindByLetter: ({ body }, ctx) => foundBy(ctx, body.token),
    passwordReset: async ({ body }, ctx) => {
      await resetPassword(ctx, body);
      return withMessage({}, "password_set");
    },
  });
}

async function foundBy(ctx: PublicCtx, token: string) {
  const { account, minLength } = await findReset(ctx, token);
  return { email: account.email, password_min_length: minLength };
}
