import fastifyFactory, { type FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { handleErrors, refuseWhileAway } from "./errors.ts";

const failing = (code: string | undefined, message = "lost") => Object.assign(new Error(message), { code });

test.each([
  ["the disk is full", failing("53100")],
  ["there are no connections left", failing("53300")],
  ["the server is shutting down", failing("57P01")],
  ["the server is starting", failing("57P03")],
  ["the connection was lost", failing("08006")],
  ["nobody answers any more", failing("ETIMEDOUT")],
  ["a query was given up", failing(undefined, "Query read timeout")],
])("while %s the answer is 503 with Retry-After, and the log says it once", async (_, error) => {
  const lines: string[] = [];
  const loggerInstance = createLog("warn", { write: (line) => void lines.push(line) });
  const fastify = fastifyFactory({ loggerInstance }) as unknown as FastifyInstance;
  handleErrors(fastify);
  fastify.get("/rows", () => Promise.reject(error));

  const answers = [];
  for (let times = 0; times < 50; times++) answers.push(await fastify.inject("/rows"));
  await fastify.close();

  expect(
    new Set(answers.map(({ statusCode, headers }) => `${statusCode} ${String(headers["retry-after"])}`)),
  ).toEqual(new Set(["503 5"]));
  expect(lines).toHaveLength(1);
});

test.each([
  ["PostgreSQL", failing("53100")],
  ["this process", failing("ENOSPC")],
  ["PostgreSQL, within another error", new Error("not stored", { cause: failing("53100") })],
])("PROD-039 a disk that is full for %s is named in the answer", async (_, error) => {
  const fastify = fastifyFactory() as unknown as FastifyInstance;
  handleErrors(fastify);
  fastify.get("/rows", () => Promise.reject(error));

  const answer = await fastify.inject("/rows");

  expect(answer.statusCode).toBe(503);
  expect(answer.headers["retry-after"]).toBe("5");
  expect(answer.json()).toMatchObject({
    code: "storage_full",
    msg: expect.stringMatching(/disk|диск/i) as string,
  });
  await fastify.close();
});

test("PROD-039 while a database without space is away, calls name the space", async () => {
  const fastify = fastifyFactory() as unknown as FastifyInstance;
  let isFull = true;
  handleErrors(fastify);
  refuseWhileAway(fastify, { isAway: () => true, isFull: () => isFull });
  fastify.get("/api/rows", () => ({}));
  const codeOf = async (): Promise<unknown> =>
    (await fastify.inject("/api/rows")).json<{ code: string }>().code;

  expect(await codeOf()).toBe("storage_full");
  isFull = false;
  expect(await codeOf()).toBe("database_away");
  await fastify.close();
});

test("an error of a statement does not count as an unavailable database", async () => {
  const fastify = fastifyFactory();
  handleErrors(fastify);
  fastify.get("/rows", () => Promise.reject(failing("42703", "column does not exist")));

  expect((await fastify.inject("/rows")).statusCode).toBe(500);
  await fastify.close();
});
