import { notSupportedYet, Problem, problem, problems, type WrongFields } from "@metrum/contract/core";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isBusy, isDatabaseAway, isStorageFull, noteLostLink } from "../database/away.ts";
import { languageOf } from "./language.ts";
import { refusal } from "./reply.ts";
import { wrongFields } from "./wrongFields.ts";

/** Retry-After in seconds while the database is unavailable. */
const retryAfterSec = 5;

/**
 * The only place where an exception becomes a response. Anything but a Problem is a bug: logged, answered
 * without details.
 */
export function handleErrors(fastify: FastifyInstance): void {
  fastify.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(toProblem(error, request), request, reply),
  );
}

/**
 * Refuses every call while the database is known to be unavailable, so that none waits for it; with a full disk that
 * is the reason.
 */
export function refuseWhileAway(
  fastify: FastifyInstance,
  { isAway, isFull }: { readonly isAway: () => boolean; readonly isFull: () => boolean },
): void {
  fastify.addHook("onRequest", ({ url }, _reply, done) => {
    if (!isAway() || !url.startsWith("/api/")) done();
    else done(problem(isFull() ? "storage_full" : "database_away"));
  });
}

/** Answers with a refusal, in the language of the request. */
export function sendProblem(given: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = problems[given.code];
  if (status === 503) reply.header("retry-after", String(retryAfterSec));
  reply.header("cache-control", "no-store");
  const language = languageOf(request.headers["accept-language"], request.session?.language);
  return reply.code(status).send(refusal(given, language));
}

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error.validation) return refusedInput(wrongFields(error, request));
  if (error.statusCode === 413) return problem("too_large");
  if (error.statusCode === 429) return problem("too_many_requests");
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return problem("unreadable_body");
  if (isBusy(error)) {
    request.log.warn({ reqId: request.id, err: error }, "busy");
    return problem("busy");
  }
  if (isStorageFull(error)) {
    request.log.warn({ reqId: request.id, err: error }, "storage full");
    return problem("storage_full");
  }
  // A connection lost within a call is that to the database: calls to other systems handle their own errors.
  if (lostLinkCodes.has(error.code)) noteLostLink(error);
  if (isDatabaseAway(error)) {
    request.log.warn({ reqId: request.id, err: error }, "database away");
    return problem("database_away");
  }
  request.log.error({ reqId: request.id, err: error }, "unexpected error");
  return problem("internal");
}

/** An option not implemented yet is reported before other faults: correcting those would not help. */
function refusedInput(attributes: WrongFields): Problem {
  const isNotYet = Object.values(attributes).some((faults) => faults.includes(notSupportedYet));
  return problem(isNotYet ? notSupportedYet : "wrong_input", { attributes });
}

const lostLinkCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
]);
