import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { appVersion, problem } from "@metrum/contract/core";
import type { Config } from "#config";
import { sendProblem } from "./errors.ts";
import { noncePlaceholder, withNonce } from "./security.ts";

/** Placeholder of the build id in the built page. */
const buildPlaceholder = "__BUILD__";

/**
 * Serves the built web app if it exists. Files under `assets/` carry a hash in their name and are cached for
 * ever; the page itself and files with a fixed name are revalidated every time. The page gets a nonce per
 * answer and its build id, so that an open page can see at `/version` that a newer build is deployed
 * (PROD-035). For an unknown path a browser gets the same page with status 404, and the app shows the error;
 * other clients get the refusal of the API.
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
    cacheControl: false,
    // The build has precompressed worthwhile files.
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

/** A browser navigates to this address; the API answers JSON to every client. */
function isForReading({ method, url, headers }: FastifyRequest): boolean {
  return method === "GET" && !url.startsWith("/api/") && (headers.accept ?? "").includes("text/html");
}
