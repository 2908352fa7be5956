import { fieldFaults } from "@metrum/contract/core";
import Fastify from "fastify";
import { validatorCompiler } from "fastify-type-provider-zod";
import { expect, test } from "vitest";
import { z } from "zod/mini";
import { handleErrors } from "./errors.ts";

const body = z.strictObject({
  name: z.string().check(z.minLength(2), z.maxLength(4)),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(9))),
  share: z.optional(z.number().check(z.gt(0), z.lt(1), z.multipleOf(0.25))),
  ids: z.optional(z.array(z.number()).check(z.minLength(1), z.maxLength(2))),
  kind: z.optional(z.enum(["a", "b"])),
  code: z.optional(z.string().check(z.regex(/^\d+$/))),
  path: z.optional(z.string().check(z.regex(/^\d+$/, "path"))),
  email: z.optional(z.string().check(z.regex(/@/, "fail_email"))),
  inner: z.optional(z.object({ on: z.boolean() })),
});

async function faultsOf(payload: unknown): Promise<Record<string, string[]>> {
  const fastify = Fastify();
  fastify.setValidatorCompiler(validatorCompiler);
  handleErrors(fastify);
  fastify.post("/", { schema: { body } }, () => "taken");
  const answer = await fastify.inject({
    method: "POST",
    url: "/",
    headers: { "content-type": "application/json", "accept-language": "en" },
    payload: JSON.stringify(payload),
  });
  await fastify.close();
  return answer.json<{ attributes: Record<string, string[]> }>().attributes;
}

test.each([
  [{}, { name: ["is needed"] }],
  [[], { body: ["an object is needed"] }],
  [{ name: 5 }, { name: ["a text is needed"] }],
  [{ name: "x" }, { name: ["at least 2 characters"] }],
  [{ name: "xxxxx" }, { name: ["at most 4 characters"] }],
  [
    { name: "xx", count: 0, share: 1 },
    { count: ["at least 1"], share: ["less than 1"] },
  ],
  [
    { name: "xx", count: 10, share: 0 },
    { count: ["at most 9"], share: ["more than 0"] },
  ],
  [
    { name: "xx", count: 1.5, share: 0.3 },
    { count: ["a whole number is needed"], share: ["a multiple of 0.25"] },
  ],
  [{ name: "xx", ids: [] }, { ids: ["at least 1 items"] }],
  [{ name: "xx", ids: [1, 2, 3] }, { ids: ["at most 2 items"] }],
  [{ name: "xx", ids: [1, null] }, { "ids.1": ["a number is needed"] }],
  [{ name: "xx", ids: 1 }, { ids: ["a list is needed"] }],
  [{ name: "xx", kind: "c" }, { kind: ["one of: a, b"] }],
  [
    { name: "xx", code: "x", path: "x" },
    { code: ["a wrong format"], path: [fieldFaults.path.en] },
  ],
  [{ name: "xx", email: "x" }, { email: ["fail_email"] }],
  [{ name: "xx", inner: {} }, { "inner.on": ["is needed"] }],
  [{ name: "xx", inner: { on: 1 } }, { "inner.on": ["true or false is needed"] }],
  [
    { name: "xx", colour: 1, size: 2 },
    { colour: ["there is no such field"], size: ["there is no such field"] },
  ],
])("%j: every wrong field has its name and its reason", async (payload, expected) => {
  expect(await faultsOf(payload)).toEqual(expected);
});
