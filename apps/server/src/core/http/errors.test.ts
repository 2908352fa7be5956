import fastify from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import { handleErrors } from "./errors.ts";

test("what is logged of a failed request names it, although requests share one logger", async () => {
  const lines: { readonly reqId?: string; readonly msg: string }[] = [];
  const log = pino(
    { level: "warn" },
    { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[0]) },
  );
  const server = fastify({
    loggerInstance: log,
    childLoggerFactory: (logger) => logger,
    genReqId: () => "request-1",
  });
  handleErrors(server as unknown as Parameters<typeof handleErrors>[0]);
  server.get("/odd", () => {
    throw new Error("odd");
  });

  const { statusCode } = await server.inject("/odd");

  expect([statusCode, lines.map(({ reqId, msg }) => [reqId, msg])]).toEqual([
    500,
    [["request-1", "unexpected error"]],
  ]);
});
