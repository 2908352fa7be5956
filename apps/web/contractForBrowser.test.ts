import { expect, it } from "vitest";
import { forBrowser } from "./contractForBrowser.ts";

const flat = (code: string) => forBrowser(code).replaceAll(/\s+/g, " ").trim();

it("calls keep only what a browser needs for requests; schemas, summaries and refusals are removed", () => {
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

it("a separate schema is kept, and marked as pure so that it is dropped when unused", () => {
  const marked = (schema: string) => `const Row = /* @__PURE__ */ (() => (${schema}))();`;

  for (const schema of [
    `z.string().check(z.trim(), z.describe("on its plate"))`,
    `z.object({ ...filter, id: Id })`,
    `z.object({ reason: names(reasons), kind: z.literal(kinds.device) })`,
    `{ page: z.optional(z.int()), reason: names(reasons) }`,
  ])
    expect(flat(`const Row = ${schema};`)).toBe(marked(schema));
});

it("other objects keep their properties", () => {
  const code = `export const words = { summary: "kept", reply: 1, body: [2] };`;

  expect(forBrowser(code)).toBe(code);
});
