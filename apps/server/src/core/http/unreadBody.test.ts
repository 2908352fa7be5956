import { connect, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fastifyFactory, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeOnUnreadBody } from "./unreadBody.ts";

const mebibyte = 1024 * 1024;
let fastify: FastifyInstance;
let bytesRead: Promise<number>;
beforeEach(async () => {
  fastify = fastifyFactory({ bodyLimit: 64 * mebibyte });
  closeOnUnreadBody(fastify);
  fastify.addContentTypeParser("text/plain", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  const refuse = async (_: FastifyRequest, reply: FastifyReply) => reply.code(429).send("not now");
  const refuseLater = async (request: FastifyRequest, reply: FastifyReply) => {
    await sleep(50);
    return refuse(request, reply);
  };
  fastify.post("/refused", { onRequest: refuse }, () => "");
  fastify.post("/refused-later", { onRequest: refuseLater }, () => "");
  fastify.post("/taken", ({ body }) => String((body as Buffer).length));
  bytesRead = new Promise((resolve) => {
    fastify.server.once("connection", (socket) => socket.once("close", () => resolve(socket.bytesRead)));
  });
  await fastify.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => fastify.close());

/**
 * Sends a body as fast as it is accepted; resolves with the answer received until the connection was closed
 * or `until` elapsed.
 */
function send(
  path: string,
  { bytes, until }: { readonly bytes: number; readonly until?: string },
): Promise<string> {
  return new Promise((resolve) => {
    const { port } = fastify.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
    socket.on("data", (data) => {
      answer += data.toString();
      if (until !== undefined && answer.includes(until)) socket.destroy();
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: ${String(bytes)}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(bytes, "x"));
  });
}

test.each([
  ["at once", "/refused"],
  ["when its first bytes are there", "/refused-later"],
])("a request refused %s gets the answer, and the rest of a long body is not read", async (_, path) => {
  const answer = await send(path, { bytes: 40 * mebibyte });

  expect(answer).toMatch(/^HTTP\/1\.1 429 /);
  expect(answer).toMatch(/connection: close/i);
  expect(answer).toMatch(/not now$/);
  expect(await bytesRead).toBeLessThan(mebibyte);
});

test("a short body is read, and the connection continues", async () => {
  const answer = await send("/refused", { bytes: 100 * 1024, until: "not now" });

  expect(answer).toMatch(/connection: keep-alive/i);
});

test("a long accepted body is read completely, and the connection continues", async () => {
  const answer = await send("/taken", { bytes: 20 * mebibyte, until: String(20 * mebibyte) });

  expect(answer).toMatch(/connection: keep-alive/i);
  expect(await bytesRead).toBeGreaterThan(20 * mebibyte);
});
