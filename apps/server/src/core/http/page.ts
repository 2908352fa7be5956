import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { appVersion, problem } from "@metrum/contract";
import type { Config } from "#config";
import { sendProblem } from "./errors.ts";
import { noncePlaceholder, withNonce } from "./security.ts";

/** What stands in the built page in place of its build. */
const buildPlaceholder = "__BUILD__";

/**
 * Serves the built web app where it exists. Files under `assets/` carry their hash in their name and are kept for ever;
 * the page itself and what has a fixed name is asked for again every time. The page gets a nonce per answer, and the build
 * it belongs to, so that an open page can see at `/version` that a newer one is there (PROD-035). Where nothing is served
 * a browser gets the same page with status 404, and the app says so; everybody else gets the refusal of the API.
 */
export async function servePage(fastify: FastifyInstance, config: Config, root: string): Promise<void> {
  const page = join(root, "index.html");
  if (!existsSync(page)) {
    fastify.setNotFoundHandler((request, reply) => sendProblem(problem("not_found"), request, reply));
    return;
  }
  const source = readFileSync(page, "utf8");
  const build = createHash("sha256").update(source).digest("hex").slice(0, 12);
  const html = source.replaceAll(buildPlaceholder, build);
  await fastify.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    cacheControl: false,
    // The build has packed what is worth it.
    preCompressed: true,
    schemaHide: true,
    setHeaders(reply, path) {
      const isHashed = path.startsWith(join(root, "assets"));
      reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  fastify.get("/version", { schema: { hide: true } }, (_, reply) =>
    reply.header("cache-control", "no-store").send({ version: appVersion, build }),
  );
  const sendPage = (reply: FastifyReply) =>
    reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-cache")
      .send(html.replaceAll(noncePlaceholder, withNonce(reply, config)));
  fastify.get("/", { schema: { hide: true } }, (_, reply) => sendPage(reply));
  fastify.setNotFoundHandler((request, reply) =>
    isForReading(request) ? sendPage(reply.code(404)) : sendProblem(problem("not_found"), request, reply),
  );
}

/** Somebody has typed or followed this address in a browser; the API speaks JSON whoever asks. */
function isForReading({ method, url, headers }: FastifyRequest): boolean {
  return method === "GET" && !url.startsWith("/api/") && (headers.accept ?? "").includes("text/html");
}
