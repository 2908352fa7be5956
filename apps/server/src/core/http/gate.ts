import { allows, problem, type Access, type Call, type Duty, type Problem } from "@metrum/contract/core";
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import type { Session } from "./context.ts";

/**
 * Finds the session of a token; undefined when the token is invalid. Synchronous if cached, because the gate
 * runs before every call. The auth domain provides it.
 */
export type ResolveSession = (token: string) => Session | undefined | Promise<Session | undefined>;

declare module "fastify" {
  interface FastifyRequest {
    session: Session | undefined;
  }
}

/**
 * Authentication and authorisation of every call: a missing or invalid token is 401, a missing right 403,
 * both before the body is read. A call that lists `demo_refused` among its problems is refused to
 * demonstration users here, one that lists `entered_refused` to staff acting as another user, one that lists
 * `token_refused` to API tokens and sessions entered with them, and one that reaches the whole company to
 * users who are tied to a part of it. A user who must set a new password or a
 * second factor may only make calls that serve this duty.
 */
export function gate(definition: Call, resolve: ResolveSession): onRequestHookHandler {
  const refusesDemo = definition.problems?.includes("demo_refused") ?? false;
  const refusesEntered = definition.problems?.includes("entered_refused") ?? false;
  const refusesTokens = definition.problems?.includes("token_refused") ?? false;
  const admit = (request: FastifyRequest, session: Session | undefined): Problem | undefined => {
    if (!session) return problem("not_signed_in");
    request.session = session;
    if (session.duty && !definition.serves?.includes(session.duty)) return problem(refusalOf[session.duty]);
    if (!mayCall(definition, session.scope.access)) return problem("right_missing");
    if (definition.reach === "company" && session.scope.onlyTiedDevices) return problem("tied_devices_only");
    if (refusesEntered && session.impersonatorId !== undefined) return problem("entered_refused");
    if (refusesTokens && session.apiToken !== undefined) return problem("token_refused");
    return refusesDemo && session.isDemoUser ? problem("demo_refused") : undefined;
  };
  return (request, _reply, done) => {
    const token = bearer(request.headers.authorization);
    const found = token === undefined ? undefined : resolve(token);
    if (found instanceof Promise) found.then((session) => done(admit(request, session)), done);
    else done(admit(request, found));
  };
}

/** Whether the rights admit a call for some input. */
const mayCall = ({ right, orRight }: Call, access: Access): boolean =>
  allows(right, access) || (orRight !== undefined && allows(orRight, access));

const refusalOf = {
  password: "password_change_needed",
  two_factor: "two_factor_needed",
} as const satisfies Record<Duty, string>;

function bearer(header: string | undefined): string | undefined {
  return header?.startsWith("Bearer ") ? header.slice("Bearer ".length) : undefined;
}
