import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { appVersion } from "@metrum/contract";
import type { Config } from "../../config.ts";
import { noncePlaceholder, withNonce } from "./security.ts";

/** What stands in the built page in place of its build. */
const buildPlaceholder = "__BUILD__";

/**
 * Serves the built web app where it exists. Files under `assets/` carry their hash in their name and are kept for ever;
 * the page itself and what has a fixed name is asked for again every time. The page gets a nonce per answer, and the build
 * it belongs to, so that an open page can see at `/version` that a newer one is there (PROD-035).
 */
export async function servePage(fastify: FastifyInstance, config: Config, root: string): Promise<void> {
  const page = join(root, "index.html");
  if (!existsSync(page)) return;
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
  fastify.get("/", { schema: { hide: true } }, (_, reply) => {
    const nonce = withNonce(reply, config);
    return reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-cache")
      .send(html.replaceAll(noncePlaceholder, nonce));
  });
}
