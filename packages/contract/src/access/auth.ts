import { z } from "zod/mini";
import { byPassword, Login, Token } from "../core/admission.ts";
import { call, publicCall } from "../core/call.ts";
import { duties } from "../core/duties.ts";
import { IdText, Nothing } from "../core/values.ts";

const ExitPoint = z.string().check(z.maxLength(255));

/** Version of the personal data text that users consent to; the web app shows it. */
export const personalDataVersion = 1;

export const auth = {
  login: publicCall({
    id: "auth.login",
    method: "POST",
    path: "auth/login",
    summary: "Signs in with e-mail and password",
    body: Login,
    reply: Token,
    problems: [...byPassword],
    perMinute: 600,
  }),
  logout: call({
    id: "auth.logout",
    method: "GET",
    path: "auth/logout",
    right: null,
    reach: "own",
    summary: "Ends the session and all sessions entered from it",
    serves: duties,
    reply: Nothing,
  }),
  enterCompany: call({
    id: "company.enter",
    method: "POST",
    path: "company/enter/:id",
    right: "2:read",
    reach: "company",
    summary: "Starts a session inside a company below one's own",
    params: z.object({ id: IdText }),
    body: z.object({ exit_point: z.optional(ExitPoint) }),
    reply: z.object({ access_token: z.string() }),
    problems: ["not_found", "own_company", "company_inactive", "company_expired"],
  }),
  exitCompany: call({
    id: "company.exit",
    method: "POST",
    path: "company/exit",
    right: null,
    reach: "own",
    summary:
      "Ends the session inside a company; the token is that of one's own company, null if no company was entered",
    body: z.object({ exit_point: ExitPoint }),
    reply: z.object({ access_token: z.nullable(z.string()) }),
  }),
};
