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
 * The one gate: no token or a dead one is 401, a missing right 403, and both come before the body is even read.
 */
export function gate(definition: Call, resolve: ResolveSession) {
  return async (request: FastifyRequest): Promise<void> => {
    if (definition.auth === "none") return;
    const token = bearer(request.headers.authorization);
    const session = token === undefined ? undefined : await resolve(token);
    if (!session) throw problem("not_signed_in");
    request.session = session;
    if (!allows(definition.right, session.scope.access)) throw problem("right_missing");
  };
}

function bearer(header: string | undefined): string | undefined {
  return header?.startsWith("Bearer ") ? header.slice("Bearer ".length) : undefined;
}
