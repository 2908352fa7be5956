import { Problem, problem, problems } from "@metrum/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { languageOf } from "./language.ts";
import { refusal } from "./reply.ts";
import { wrongFields } from "./wrongFields.ts";

/** Seconds after which a client may try again when the database is away. */
const retryAfterSec = 5;

/** The one place where an exception becomes an answer. What is not a Problem is a bug: logged, answered without details. */
export function handleErrors(fastify: FastifyInstance): void {
  fastify.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(toProblem(error, request), request, reply),
  );
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
  if (error.validation) return problem("wrong_input", { attributes: wrongFields(error, request) });
  if (error.statusCode === 413) return problem("too_large");
  if (error.statusCode === 429) return problem("too_many_requests");
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return problem("unreadable_body");
  if (isDatabaseAway(error)) {
    request.log.warn({ err: error }, "database away");
    return problem("database_away");
  }
  request.log.error({ err: error }, "unexpected error");
  return problem("internal");
}

/** Connection refused or lost, shutting down, starting up, out of connections. */
function isDatabaseAway(error: Error & { code?: string }): boolean {
  const { code } = error;
  if (code === undefined)
    return /timeout exceeded when trying to connect|Connection terminated/.test(error.message);
  return ["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "57P01", "57P02", "57P03", "53300"].includes(code);
}
