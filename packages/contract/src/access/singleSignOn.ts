import { z } from "zod/mini";
import { afterIdentity, byPassword, given, Login, Token } from "../core/admission.ts";
import { publicCall } from "../core/call.ts";

const Secret = z.string().check(z.minLength(1), z.maxLength(255));

/** Sign-in without a local password: a trusted provider identifies the user. */
export const singleSignOn = {
  kerberos: publicCall({
    id: "auth.kerberos",
    method: "POST",
    path: "auth/kerberos",
    isOwn: true,
    summary: "Signs in as the user whom a trusted proxy names",
    body: z.object(given),
    reply: Token,
    problems: ["not_found", "no_account", ...afterIdentity],
    perMinute: 60,
  }),
  directory: publicCall({
    id: "auth.directory",
    method: "POST",
    path: "auth/directory",
    isOwn: true,
    summary: "Signs in with a password that only the directory of the company checks",
    body: Login,
    reply: Token,
    problems: ["not_found", ...byPassword],
    perMinute: 600,
  }),
  oidcStart: publicCall({
    id: "auth.oidcStart",
    method: "POST",
    path: "auth/oidc/start",
    isOwn: true,
    summary: "Begins a sign-in at the OpenID provider: returns its URL and a ticket that the browser keeps",
    reply: z.object({ url: z.string(), ticket: z.string() }),
    problems: ["not_found", "provider_away"],
    perMinute: 60,
  }),
  oidcFinish: publicCall({
    id: "auth.oidcFinish",
    method: "POST",
    path: "auth/oidc/finish",
    isOwn: true,
    summary:
      "Completes a sign-in at the OpenID provider with the parameters it has added to the URL of the page",
    body: z.object({
      ...given,
      ticket: Secret,
      state: Secret,
      code: z.string().check(z.minLength(1), z.maxLength(4000)),
      iss: z.optional(z.string().check(z.maxLength(1000))),
    }),
    reply: Token,
    problems: ["not_found", "provider_refused", "provider_away", "no_account", ...afterIdentity],
    perMinute: 60,
  }),
};
