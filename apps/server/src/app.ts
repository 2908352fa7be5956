import { fileURLToPath } from "node:url";
import compress from "@fastify/compress";
import rateLimit from "@fastify/rate-limit";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fastifyFactory, { type FastifyInstance } from "fastify";
import { jsonSchemaTransformObject, validatorCompiler } from "fastify-type-provider-zod";
import { z } from "zod/mini";
import { problem, type Call } from "@metrum/contract/core";
import {
  closeOnUnreadBody,
  createFileSlots,
  crossOrigin,
  describedCall,
  handleErrors,
  isOutOfSpace,
  jsonOf,
  loggedRequest,
  networkOf,
  observe,
  readFromProxy,
  refuseWhileAway,
  secureHeaders,
  sendProblem,
  servePage,
  type Api,
  type Dataset,
  type Domain,
  type ResolveSession,
  type Services,
} from "#core";

export interface AppOptions {
  readonly resolveSession: ResolveSession;
  readonly domains: readonly Domain[];
  /** Folder of the built web app; served only if it exists. */
  readonly webRoot?: string;
}

export interface App {
  readonly fastify: FastifyInstance;
  /** Every call that is served, for the walking tests. */
  readonly calls: readonly Call[];
  /** Every list as a data set, by the id of its call. */
  readonly datasets: ReadonlyMap<string, Dataset>;
}

/** Where the build puts the web app. */
export const webFolder = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** Builds the API without listening. */
export async function buildApp(services: Services, options: AppOptions): Promise<App> {
  const { config } = services;
  const fastify = createServer(services);
  fastify.decorateRequest("session", undefined);
  fastify.decorateRequest("uploads", undefined);
  secureHeaders(fastify, config);
  crossOrigin(fastify, config.corsOrigins);
  handleErrors(fastify);
  closeOnUnreadBody(fastify);
  refuseWhileAway(fastify, { isAway: services.database.isAway, isFull: () => isOutOfSpace(services) });
  readBodies(fastify);
  await fastify.register(compress, { threshold: 1024, encodings: ["br", "gzip"] });
  // An IPv6 subscriber has a whole network of addresses.
  await fastify.register(rateLimit, { global: false, keyGenerator: ({ ip }) => networkOf(ip) });
  await describe(fastify);
  observe(fastify, services);
  const api: Api = {
    fastify,
    services,
    resolveSession: options.resolveSession,
    fromProxy: readFromProxy(config.trustedProxies),
    calls: [],
    datasets: new Map(),
    fileSlots: createFileSlots(Math.max(2, Math.floor(services.database.pool.options.max / 4))),
  };
  checkReplies(fastify, config.production);
  for (const domain of options.domains) await domain.calls?.(api);
  fastify.get("/api/openapi.json", { schema: { hide: true } }, () => fastify.swagger());
  await servePage(fastify, config, options.webRoot ?? webFolder);
  return { fastify, calls: api.calls, datasets: api.datasets };
}

/** The HTTP server of a process without the role api: health and metrics only. */
export function buildHealth(services: Services): FastifyInstance {
  const fastify = createServer(services);
  secureHeaders(fastify, services.config);
  handleErrors(fastify);
  observe(fastify, services);
  return fastify;
}

/** Levels at which each request is logged. */
const isTalkative: ReadonlySet<string> = new Set(["trace", "debug"]);

/** Time and size limits: security rule 6. */
function createServer({ config, log }: Services): FastifyInstance {
  return fastifyFactory({
    loggerInstance: log.child(
      {},
      {
        level: config.logLevel === "info" ? "warn" : config.logLevel,
        serializers: { req: loggedRequest },
      },
    ),
    // Of one logger for all requests, what is said of one names it; a logger for each is a twentieth of a small call.
    ...(isTalkative.has(config.logLevel) ? {} : { childLoggerFactory: (logger) => logger }),
    genReqId: () => crypto.randomUUID(),
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    http: { maxHeaderSize: 64 * 1024, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    exposeHeadRoutes: false,
    // An unreadable or too long address is treated as not found.
    frameworkErrors: (_error, request, reply) => {
      sendProblem(problem("not_found"), request, reply);
    },
    return503OnClosing: true,
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
}

/**
 * JSON and simple forms. An empty body counts as absent, whatever its type; a body that is not JSON is 400.
 */
function readBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser("error", "error");
  fastify.addContentTypeParser("application/json", { parseAs: "string" }, (request, body: string, done) => {
    if (body === "") {
      done(null, undefined);
      return;
    }
    void parse(request, body, (error, value) => {
      if (error || isWithin(value, deepestBody)) done(error, value);
      else done(problem("wrong_input", { attributes: { body: ["depth"] } }));
    });
  });
  fastify.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  );
}

/** Nesting of a JSON body: security rule 5.1. */
const deepestBody = 32;

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isWithin(each, depth - 1));
}

async function describe(fastify: FastifyInstance): Promise<void> {
  fastify.setValidatorCompiler(validatorCompiler);
  await fastify.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Metrum", version: "0.1.0", license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
      servers: [{ url: "/" }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      security: [{ bearer: [] }],
    },
    transform: describedCall,
    transformObject: jsonSchemaTransformObject,
  });
  await fastify.register(swaggerUi, { routePrefix: "/api/docs" });
}

/** Outside production every reply is validated against the contract; in production it is only serialised. */
function checkReplies(fastify: FastifyInstance, production: boolean): void {
  fastify.setSerializerCompiler(({ schema }) => (body) => {
    if (!production && isSchema(schema)) {
      const parsed = z.safeParse(schema, body);
      if (!parsed.success)
        throw new Error(`reply is not as the contract says: ${z.prettifyError(parsed.error)}`);
    }
    // A declared string does not keep bytes from being sent.
    return jsonOf(body) as string;
  });
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
