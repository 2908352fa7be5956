import { allows, problem, type Call } from "@metrum/contract";
import type { FastifyRequest } from "fastify";
import type { Session } from "./context.ts";

/** Finds the session of a token; undefined when the token is dead. The auth domain provides it. */
export type ResolveSession = (token: string) => Promise<Session | undefined>;

declare module "fastify" {
  interface FastifyRequest {
    session: Session | undefined;
  }
}

/**
 * The one gate: no token or a dead one is 401, a missing right 403, and both come before the body is even read. A call
 * that lists `demo_refused` among its problems is refused to demonstration users here.
 */
export function gate(definition: Call, resolve: ResolveSession) {
  const refusesDemo = definition.problems?.includes("demo_refused") ?? false;
  return async (request: FastifyRequest): Promise<void> => {
    const token = bearer(request.headers.authorization);
    const session = token === undefined ? undefined : await resolve(token);
    if (!session) throw problem("not_signed_in");
    request.session = session;
    if (!allows(definition.right, session.scope.access)) throw problem("right_missing");
    if (refusesDemo && session.isDemoUser) throw problem("demo_refused");
  };
}

function bearer(header: string | undefined): string | undefined {
  return header?.startsWith("Bearer ") ? header.slice("Bearer ".length) : undefined;
}
