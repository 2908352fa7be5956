import compress from "@fastify/compress";
import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fastifyFactory, { type FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject, validatorCompiler } from "fastify-type-provider-zod";
import { z } from "zod/mini";
import type { Call } from "@metrum/contract";
import { handleErrors, type Api, type Domain, type ResolveSession, type Services } from "#core";

export interface AppOptions {
  readonly resolveSession: ResolveSession;
  readonly domains: readonly Domain[];
}

export interface App {
  readonly fastify: FastifyInstance;
  /** Every call that is served: what the walking tests walk. */
  readonly calls: readonly Call[];
}

/** Builds the API without listening. */
export async function buildApp(services: Services, options: AppOptions): Promise<App> {
  const { config, log } = services;
  const fastify = fastifyFactory({
    loggerInstance: log.child({}, { level: config.logLevel === "info" ? "warn" : config.logLevel }),
    genReqId: () => crypto.randomUUID(),
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    return503OnClosing: true,
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
  fastify.decorateRequest("session", undefined);
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  handleErrors(fastify);
  await harden(fastify);
  await describe(fastify);
  const api: Api = { fastify, services, resolveSession: options.resolveSession, calls: [] };
  checkReplies(fastify, config.production);
  for (const domain of options.domains) domain.calls?.(api);
  fastify.get("/api/openapi.json", { schema: { hide: true } }, () => fastify.swagger());
  return { fastify, calls: api.calls };
}

async function harden(fastify: FastifyInstance): Promise<void> {
  await fastify.register(helmet, {
    enableCSPNonces: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", "data:", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: false,
  });
  await fastify.register(compress, { threshold: 1024, encodings: ["br", "gzip"] });
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
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await fastify.register(swaggerUi, { routePrefix: "/api/docs" });
}

/** Outside production every reply is held against the contract; in production it is only written. */
function checkReplies(fastify: FastifyInstance, production: boolean): void {
  fastify.setSerializerCompiler(({ schema }) => (body) => {
    if (!production && isSchema(schema)) {
      const parsed = z.safeParse(schema, body);
      if (!parsed.success)
        throw new Error(`reply is not as the contract says: ${z.prettifyError(parsed.error)}`);
    }
    return JSON.stringify(body);
  });
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
