import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Config } from "#config";

/** Placeholder of the nonce in the built page. */
export const noncePlaceholder = "__CSP_NONCE__";

/**
 * The content security policy (security rule 6). Style tags of the UI kit carry the nonce; nothing else is
 * inline.
 */
export function contentSecurityPolicy(
  config: Pick<Config, "mapTilesUrl" | "socketUrl">,
  nonce?: string,
): string {
  const tiles = originOf(config.mapTilesUrl);
  const socket = originOf(config.socketUrl);
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ""}`,
    `img-src 'self' data: blob:${tiles}`,
    `connect-src 'self'${socket}${socket.replace(/ http/, " ws")}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join("; ");
}

/** Sets the policy of one page with a fresh nonce; returns the nonce. */
export function withNonce(reply: FastifyReply, config: Config): string {
  const nonce = randomBytes(16).toString("base64");
  reply.header("content-security-policy", contentSecurityPolicy(config, nonce));
  return nonce;
}

/** Abilities of a browser that no page needs; the clipboard and full screen stay. Chromium warns of unknown names. */
const permissionsPolicy = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "encrypted-media",
  "gyroscope",
  "hid",
  "idle-detection",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
]
  .map((ability) => `${ability}=()`)
  .join(", ");

/** Headers of every answer, computed once because every request needs them; some are for pages only. */
export function secureHeaders(fastify: FastifyInstance, config: Config): void {
  const ofAnswers = {
    "content-security-policy": contentSecurityPolicy(config),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(config.publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
  const ofPages = {
    ...ofAnswers,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": permissionsPolicy,
  };
  fastify.addHook("onRequest", (request, reply, done) => {
    const isData = request.url.startsWith("/api/") && !request.url.startsWith("/api/docs");
    reply.headers(isData ? ofAnswers : ofPages);
    reply.header("x-request-id", request.id);
    done();
  });
}

/**
 * Other origins may call the API only when configured; with credentials, because site_properties is requested
 * with cookies.
 */
export function crossOrigin(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  fastify.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    reply.header("vary", "origin");
    if (origin === undefined || !origins.includes(origin)) {
      done();
      return;
    }
    reply.headers({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-request-id, content-disposition, retry-after, etag",
    });
    if (request.method !== "OPTIONS") {
      done();
      return;
    }
    void reply
      .code(204)
      .headers({
        "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, accept-language, idempotency-key, if-none-match",
        "access-control-max-age": "600",
      })
      .send();
  });
}

function originOf(url: string | undefined): string {
  if (!url) return "";
  try {
    // Tile URLs contain {z}/{x}/{y} after the host: the policy needs only the origin.
    return ` ${new URL(url.replaceAll(/[{}]/g, "")).origin}`;
  } catch {
    return "";
  }
}
