import multipart from "@fastify/multipart";
import { problem } from "@metrum/contract";
import type { FastifyRequest } from "fastify";
import type { Api } from "./serve.ts";

/** Files of a form by the names of their parts. */
export type Files = ReadonlyMap<string, Buffer>;

export const noFiles: ReadonlyMap<string, Buffer> = new Map();

declare module "fastify" {
  interface FastifyRequest {
    uploads: Files | undefined;
  }
}

export interface FileBounds {
  /** Bytes of one file. A longer one arrives with one byte more, so that its call can refuse it by name. */
  readonly fileBytes: number;
  readonly files: number;
}

/**
 * Serves calls that take a form of several parts beside JSON: its texts become the body, its files `ctx.files`. Only these
 * calls read such forms, and only after the gate.
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
    fastify.addHook("preValidation", async (request) => {
      if (request.isMultipart()) await readParts(request, bounds).catch(refuseUnreadable);
    });
    serveCalls({ ...api, fastify });
  });
}

/** The parser tells what is too large by its status; anything else that it says is about a form that is none. */
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

/** Bytes that a file of this request can have: no more than the request, and one more than is allowed. */
const mostOf = ({ headers }: FastifyRequest, fileBytes: number): number =>
  Math.min(Number(headers["content-length"] ?? fileBytes), fileBytes) + 1;

/**
 * The bytes of a stream in one piece of memory, which each chunk is put into as it comes: putting 19 MiB together at the end stands still
 * for 50 ms.
 */
async function bytesOf(stream: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(most);
  let at = 0;
  for await (const chunk of stream) at += chunk.copy(bytes, at);
  return bytes.subarray(0, at);
}
