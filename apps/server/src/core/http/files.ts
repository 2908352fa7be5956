import multipart from "@fastify/multipart";
import { problem } from "@metrum/contract/core";
import type { FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "./serve.ts";
import { createUploadLimiter } from "./uploadLimiter.ts";

/** Files of a form by the names of their parts. */
export type Files = ReadonlyMap<string, Buffer>;

export const noFiles: ReadonlyMap<string, Buffer> = new Map();

declare module "fastify" {
  interface FastifyRequest {
    uploads: Files | undefined;
  }
}

export interface FileBounds {
  /**
   * Maximum bytes of one file. A longer one is read up to one byte more, so that its call can refuse it by
   * name.
   */
  readonly fileBytes: number;
  readonly files: number;
  /** Bytes of a company in a minute, large files one at a time; unlimited without. */
  readonly bytesPerMinute?: number;
}

/**
 * Serves calls that accept multipart forms as well as JSON: text parts become the body, files `ctx.files`.
 * Only these calls read such forms, and only after the gate.
 */
export async function withFiles(api: Api, bounds: FileBounds, serveCalls: (api: Api) => void): Promise<void> {
  await api.fastify.register(async (fastify) => {
    await fastify.register(multipart, {
      throwFileSizeLimit: false,
      limits: {
        fileSize: bounds.fileBytes + 1,
        files: bounds.files,
        fields: 50,
        fieldSize: 10_000,
        parts: 60,
      },
    });
    const limiter = bounds.bytesPerMinute && createUploadLimiter(api.services.clock, bounds.bytesPerMinute);
    fastify.addHook("preValidation", async (request, reply) => {
      if (!request.isMultipart()) return;
      const reading = () =>
        Promise.race([readParts(request, bounds), interrupted(request)]).catch(refuseUnreadable);
      if (!limiter) return reading();
      const upload = { companyId: companyOf(request), bytes: bytesOfBody(request, bounds) };
      const waitSec = limiter.begin(upload);
      if (waitSec > 0) {
        reply.header("retry-after", String(waitSec));
        throw problem("too_many_requests");
      }
      return reading().finally(() => limiter.end(upload));
    });
    serveCalls({ ...api, fastify });
  });
}

/** Rejects when the sender goes away: a part that had just begun would stay open in the parser. */
function interrupted({ raw }: FastifyRequest): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      if (!raw.complete) reject(problem("unreadable_body"));
    };
    if (raw.destroyed) end();
    else raw.once("close", end);
  });
}

function companyOf({ session }: FastifyRequest): number {
  if (!session) throw new Error("a call with uploads needs a session");
  return session.scope.companyId;
}

/** A body of unknown length counts as the longest one. */
const bytesOfBody = ({ headers }: FastifyRequest, { fileBytes, files }: FileBounds): number =>
  Number(headers["content-length"] ?? fileBytes * files);

/** The parser marks an oversized form by its status; every other error means a malformed form. */
function refuseUnreadable(error: unknown): never {
  throw error instanceof Error && "statusCode" in error ? error : problem("unreadable_body");
}

async function readParts(request: FastifyRequest, { fileBytes }: FileBounds): Promise<void> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const uploads = new Map<string, Buffer>();
  for await (const part of request.parts()) {
    if (part.type === "file")
      uploads.set(part.fieldname, await bytesOf(part.file, mostOf(request, fileBytes)));
    else fields[part.fieldname] = part.value;
  }
  request.body = { ...fields };
  request.uploads = uploads;
}

/** Maximum size of a file of this request: the request's length, and at most one byte over the limit. */
const mostOf = ({ headers }: FastifyRequest, fileBytes: number): number =>
  Math.min(Number(headers["content-length"] ?? fileBytes), fileBytes) + 1;

/**
 * After its start a file is read at this rate. Three of 19 MiB at full speed occupied the process for 1.4 s,
 * and all calls waited.
 */
const promptBytes = 1024 * 1024;
const bytesPerMs = (10 * 1024 * 1024) / 1000;

/**
 * Reads a stream into one preallocated buffer: concatenating 19 MiB at the end would block the event loop for
 * 50 ms.
 */
async function bytesOf(stream: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(most);
  const startedMs = performance.now();
  let at = 0;
  for await (const chunk of stream) {
    at += chunk.copy(bytes, at);
    const aheadMs = (at - promptBytes) / bytesPerMs - (performance.now() - startedMs);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  return bytes.subarray(0, at);
}
