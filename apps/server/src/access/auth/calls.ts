import { auth, singleSignOn } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { serve, withMessage, type Api } from "#core";
import { enterCompany, exitCompany, signOut } from "./companySessions.ts";
import { startJourney } from "./oidc.ts";
import { signIn } from "./signIn.ts";
import { serveUserSessions } from "./userSessions.ts";
import { signInByProvider, signInByProxy } from "./singleSignOn.ts";

export function serveAuth(api: Api): void {
  serveUserSessions(api);
  serve(api, auth, {
    login: async ({ body }, ctx) => ({ access_token: await signIn(ctx, body) }),
    logout: async (_, ctx) => {
      await signOut(ctx);
      return withMessage({}, "signed_out");
    },
    enterCompany: async ({ params }, ctx) => ({ access_token: await enterCompany(ctx, params.id) }),
    exitCompany: async (_, ctx) => withMessage({ access_token: await exitCompany(ctx) }, "company_left"),
  });
  serve(api, singleSignOn, {
    kerberos: async ({ body }, ctx) => ({ access_token: await signInByProxy(ctx, body) }),
    directory: async ({ body }, ctx) => {
      if (!ctx.config.ldap) throw problem("not_found");
      return { access_token: await signIn(ctx, body, { onlyDirectory: true }) };
    },
    oidcStart: (_, ctx) => startJourney(ctx),
    oidcFinish: async ({ body }, ctx) => ({ access_token: await signInByProvider(ctx, body) }),
  });
}
