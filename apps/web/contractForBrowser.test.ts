import { expect, it } from "vitest";
import { forBrowser } from "./contractForBrowser.ts";

const flat = (code: string) => forBrowser(code).replaceAll(/\s+/g, " ").trim();

it("of a call stays what a browser needs to ask; schemas, summaries and refusals are the server's", () => {
  const code = `
    export const things = {
      get: call({
        id: "thing.get",
        path: "thing/:id",
        right: "4:read",
        params: z.object({ id: Id.check(z.describe("of the thing")) }),
        summary: "A thing",
        reply: Thing,
        problems: ["not_found"],
      }),
      summary: publicCall({ id: "thing.summary", perMinute: 20, body: z.object({}), reply: Thing }),
    };`;

  expect(flat(code)).toBe(
    `export const things = { get: call({ id: "thing.get", path: "thing/:id", right: "4:read", }), ` +
      `summary: publicCall({ id: "thing.summary", perMinute: 20, }), };`,
  );
});

it("a schema that stands by itself is kept, and marked so that it goes where nothing imports it", () => {
  const marked = (schema: string) => `const Row = /* @__PURE__ */ (() => (${schema}))();`;

  for (const schema of [
    `z.string().check(z.trim(), z.describe("on its plate"))`,
    `z.object({ ...filter, id: Id })`,
    `z.object({ reason: names(reasons), kind: z.literal(kinds.device) })`,
    `{ page: z.optional(z.int()), reason: names(reasons) }`,
  ])
    expect(flat(`const Row = ${schema};`)).toBe(marked(schema));
});

it("what is no part of a call keeps its properties", () => {
  const code = `export const words = { summary: "kept", reply: 1, body: [2] };`;

  expect(forBrowser(code)).toBe(code);
});
