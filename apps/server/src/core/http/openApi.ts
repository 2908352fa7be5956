import { problems } from "@metrum/contract/core";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod/mini";

type Transform = typeof jsonSchemaTransform;

/** The answer to a call that is refused, with any status of 400 and more. */
const Refusal = z.object({
  msg: z.string(),
  data: z.object({ msg: z.string() }),
  attributes: z.record(z.string(), z.array(z.string())).check(z.describe("faults by field of the input")),
  code: z.enum(Object.keys(problems)).check(z.describe("what a program decides by")),
});

const idPattern = "^\\d{1,10}$";
const idSchema = { type: "integer", minimum: 1, maximum: 2_147_483_647 } as const;

/**
 * A call in the OpenAPI document: also the answer to a refusal, only those parameters that its path has (its
 * other spellings may have more), and ids as the numbers that they are, though a path is text. Errors: none.
 */
export const describedCall: Transform = (input) => {
  if (input.schema.hide === true) return jsonSchemaTransform(input);
  const answers = typeof input.schema.response === "object" ? input.schema.response : {};
  const response = { ...answers, default: Refusal };
  const described = jsonSchemaTransform({ ...input, schema: { ...input.schema, response } });
  const { params, querystring } = described.schema;
  const inPath = (name: string): boolean => described.url.includes(`:${name}`);
  return {
    ...described,
    schema: {
      ...described.schema,
      ...(params === undefined ? {} : { params: withProperties(params, inPath) }),
      ...(querystring === undefined ? {} : { querystring: withProperties(querystring) }),
    },
  };
};

/** An object schema with the properties that are kept, ids as numbers. */
function withProperties(schema: unknown, isKept: (name: string) => boolean = () => true): object {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return isRecord(schema) ? schema : {};
  const entries = Object.entries(schema["properties"]).filter(([name]) => isKept(name));
  const properties = Object.fromEntries(entries.map(([name, each]) => [name, isId(each) ? idSchema : each]));
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return { ...schema, properties, required: required.filter((name) => String(name) in properties) };
}

const isId = (schema: unknown): boolean => isRecord(schema) && schema["pattern"] === idPattern;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
