import { createHash } from "node:crypto";
import type {} from "@fastify/rate-limit";
import { problem, type Call, type Calls, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod/mini";
import type { Ctx, PublicCtx, Services } from "./context.ts";
import type { FileSlots } from "./fileSlots.ts";
import { gate, type ResolveSession } from "./gate.ts";
import { answerFile, wantedFile, withFile } from "./listFile.ts";
import type { readFromProxy } from "./proxy.ts";
import { datasetOf, type Dataset } from "../datasets/index.ts";
import { createTurns } from "../database/turns.ts";
import { inTurnOfKey, keyTurns, once } from "./once.ts";
import { envelope, type Said } from "./reply.ts";
import { RunningCall, SignedInCall } from "./running.ts";
import { cleanUnstorable, refuseUnstorable } from "./texts.ts";

type CtxOf<C> = C extends { readonly auth: "none" } ? PublicCtx : Ctx;
type Answer<C> = ReplyOf<C> | Said<ReplyOf<C>>;

/** One handler for each call: the server does not compile without it. */
export type Handlers<Table extends Calls> = {
  readonly [Verb in keyof Table]: (
    input: ParsedOf<Table[Verb]>,
    ctx: CtxOf<Table[Verb]>,
  ) => Answer<Table[Verb]> | Promise<Answer<Table[Verb]>>;
};

/** What `serve` registers on: the web server with the process's services and the session lookup. */
export interface Api {
  readonly fastify: FastifyInstance;
  readonly services: Services;
  readonly resolveSession: ResolveSession;
  /** Reads a header that only a trusted proxy may set. */
  readonly fromProxy: ReturnType<typeof readFromProxy>;
  /** All registered calls, for OpenAPI, the walking tests and the start check. */
  readonly calls: Call[];
  /** All lists as data sets, by the id of their call. */
  readonly datasets: Map<string, Dataset>;
  /** Lists being written to files. */
  readonly fileSlots: FileSlots;
}

type Handler = (input: unknown, ctx: unknown) => unknown;

/**
 * Registers the calls of a domain with their handlers: gate, validation, transaction, envelope. Aliases and
 * trailing slashes are served too. A call without its own rule and reach prevents the start (deny by default).
 */
export function serve<Table extends Calls>(api: Api, table: Table, handlers: Handlers<Table>): void {
  const turns = createTurns(keyTurns);
  for (const [verb, definition] of Object.entries(table)) {
    if (definition.auth !== "none" && definition.right === undefined)
      throw new Error(`${definition.id}: a call declares its right (null: any signed-in user)`);
    if (definition.auth !== "none" && definition.reach === undefined)
      throw new Error(`${definition.id}: a call declares its reach`);
    api.calls.push(definition);
    const own = handlers[verb] as Handler;
    const handler = inTurnOfKey(turns, definition.isOnce ? once(definition, own) : own);
    if (definition.rows !== undefined) api.datasets.set(definition.id, datasetOf(definition, handler));
    const canonical = `${definition.method} ${definition.path}`;
    register(api, definition, { spelling: canonical, isAlias: false, handler });
    for (const spelling of definition.aliases ?? [])
      register(api, definition, { spelling, isAlias: true, handler });
  }
}

/** Handler of a call, and the keys of its reply that are repeated at the top level. */
interface Run {
  readonly handler: Handler;
  readonly atTop: readonly string[] | undefined;
  /** Its transaction changes nothing, so the answer does not wait for its end. */
  readonly isReading: boolean;
}

interface Route {
  /** Method and path: "PUT company/:id". */
  readonly spelling: string;
  readonly isAlias: boolean;
  readonly handler: Handler;
}

/** Size limit of a request without a session (security rule 5.1): no public call needs more. */
const publicBodyBytes = 16 * 1024;
const publicKeys = 64;

/** Problem: wrong_input. */
function refuseManyKeys(
  { body }: FastifyRequest,
  _reply: FastifyReply,
  done: (refusal?: Error) => void,
): void {
  const isMuch = typeof body === "object" && body !== null && Object.keys(body).length > publicKeys;
  done(isMuch ? problem("wrong_input", { attributes: { body: ["size"] } }) : undefined);
}

function register(api: Api, definition: Call, { spelling, isAlias, handler }: Route): void {
  const [method = "", path = ""] = spelling.split(" ");
  const checkTexts = definition.hasForeignText ? cleanUnstorable : refuseUnstorable;
  // The rows of a list are also written to files, by transactions that can only read.
  const isReading = definition.isReading ?? definition.rows !== undefined;
  const dataset = api.datasets.get(definition.id);
  const run: Run = { handler, atTop: definition.atTop, isReading };
  const answerCall = (request: FastifyRequest, reply: FastifyReply) => {
    const wanted = dataset && wantedFile(request, definition);
    return wanted ? answerFile(api, dataset, request, reply, wanted) : answer(api, run, request, reply);
  };
  api.fastify.route({
    method,
    url: `/api/${path}`,
    schema: schemaOf(definition, isAlias),
    ...(definition.perMinute
      ? { config: { rateLimit: { max: definition.perMinute, timeWindow: 60_000 } } }
      : {}),
    ...(definition.auth === "none" ? { bodyLimit: publicBodyBytes } : {}),
    ...(definition.auth === "none" ? {} : { onRequest: gate(definition, api.resolveSession) }),
    preValidation: [
      ...(definition.auth === "none" ? [refuseManyKeys] : []),
      checkTexts,
      ...(definition.body ? [completeBody] : []),
    ],
    handler: definition.isReference
      ? async (request, reply) => unlessKnown(await answer(api, run, request, reply), request, reply)
      : answerCall,
  });
}

/**
 * A missing body is an empty one. Lists accept `per_page` or `perPage`, `search_string` or `search`;
 * the code knows one spelling.
 */
function completeBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body ??= {};
  const { body } = request;
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    const fields = body as Record<string, unknown>;
    if (fields["perPage"] !== undefined) fields["per_page"] ??= fields["perPage"];
    if (fields["search"] !== undefined) fields["search_string"] ??= fields["search"];
  }
  done();
}

/**
 * Runs the handler; a synchronous result is sent at once, because awaiting is half the cost of a small call.
 */
function answer(api: Api, run: Run, request: FastifyRequest, reply: FastifyReply): unknown {
  const { session } = request;
  const input = { params: request.params, query: request.query, body: request.body };
  reply.header("cache-control", "no-store");
  const running = session
    ? new SignedInCall(api, request, session, run.isReading ? "only" : "latest")
    : new RunningCall(api, request);
  const result = run.handler(input, running);
  return result instanceof Promise || running.unit?.isOpen
    ? settle(result, running, run)
    : conclude(result, running, run);
}

/** Answers 304 to a client that already holds the current answer (`isReference`). */
function unlessKnown(body: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  const hash = createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 27);
  const tag = `"${hash}"`;
  reply.header("etag", tag);
  const known = (request.headers["if-none-match"] ?? "")
    .split(",")
    .map((each) => each.trim().replace(/^W\//, ""));
  return known.includes(tag) ? reply.code(304).send() : body;
}

async function settle(result: unknown, running: RunningCall, run: Run): Promise<unknown> {
  try {
    let value: unknown;
    try {
      value = await result;
    } catch (error) {
      await running.unit?.finish("rollback");
      throw error;
    }
    const finished = running.unit?.finish("commit");
    if (!run.isReading) await finished;
    // What was read is read, whatever becomes of the connection.
    else finished?.catch(() => undefined);
    return conclude(value, running, run);
  } finally {
    running.ended();
  }
}

function conclude(result: unknown, running: RunningCall, { atTop }: Run): unknown {
  running.finished();
  return envelope(result, running.language, atTop);
}

function schemaOf(definition: Call, isAlias: boolean): FastifySchema & Record<string, unknown> {
  const body = definition.body && definition.rows !== undefined ? withFile(definition.body) : definition.body;
  return {
    hide: isAlias,
    operationId: definition.id,
    summary: definition.summary,
    tags: definition.id.split(".").slice(0, 1),
    ...(definition.auth === "none" ? { security: [] } : {}),
    ...(definition.right
      ? { description: `Right: ${[definition.right, definition.orRight].filter(Boolean).join(", or ")}` }
      : {}),
    ...(definition.params ? { params: definition.params } : {}),
    ...(definition.query ? { querystring: definition.query } : {}),
    ...(body ? { body } : {}),
    response: { 200: z.object({ data: definition.reply, msg: z.string(), ...topOf(definition) }) },
  };
}

function topOf({ reply, atTop = [] }: Call): Record<string, z.core.$ZodType> {
  if (!(reply instanceof z.ZodMiniObject)) return {};
  return Object.fromEntries(Object.entries(reply.shape).filter(([key]) => atTop.includes(key)));
}
