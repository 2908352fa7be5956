import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { schemaResolver } from "./resolver.ts";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1)),
  place: z.object({ city: z.string().check(z.minLength(2)) }),
});
const options = { fields: {}, shouldUseNativeValidation: false };

describe("a form judged by a schema of the contract", () => {
  it("passes on what the schema has made of the values", async () => {
    const judged = await schemaResolver(schema)({ name: " a ", place: { city: "УБ" } }, undefined, options);

    expect(judged).toEqual({ values: { name: "a", place: { city: "УБ" } }, errors: {} });
  });

  it("names the first fault of each field by its path", async () => {
    const { errors } = await schemaResolver(schema)({ name: "", place: { city: "" } }, undefined, options);

    expect(Object.keys(errors)).toEqual(["name", "place"]);
    expect(errors).toMatchObject({ name: { type: "too_small" }, place: { city: { type: "too_small" } } });
  });
});
