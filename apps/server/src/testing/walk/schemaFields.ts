import type { Call } from "@metrum/contract/core";
import { z } from "zod/mini";

/** The subset of JSON Schema that the contract produces. */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly description?: string;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

const parts = ["params", "query", "body"] as const;

/** Stands for every element of a list in the path of a field. */
export const anyItem = "[]";

/** One field of the input of a call: its path and schema. The path begins with params, query or body. */
export interface Field {
  readonly path: readonly string[];
  readonly schemas: readonly JsonSchema[];
}

/** Every field of a call's input, objects and lists included, at any depth; read from its schemas. */
export function fieldsOf(call: Call): Field[] {
  const found = new Map<string, { path: readonly string[]; schemas: JsonSchema[] }>();
  const visit = (path: readonly string[], schema: JsonSchema): void => {
    const key = path.join(".");
    const field = found.get(key) ?? { path, schemas: [] };
    field.schemas.push(schema);
    found.set(key, field);
    for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      visit(path, option);
    for (const [name, property] of Object.entries(schema.properties ?? {})) visit([...path, name], property);
    if (schema.items) visit([...path, anyItem], schema.items);
  };
  for (const part of parts) {
    const schema = call[part];
    if (schema) visit([part], z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema);
  }
  return [...found.values()];
}

/** Arguments refused with any value, because they are not implemented yet. */
export function refusedFieldsOf(call: Call): ReadonlySet<string> {
  const isRefused = ({ schemas }: Field) =>
    schemas.some(({ description }) => description?.startsWith("Not supported yet"));
  const fields = fieldsOf(call);
  const refused = fields.filter(isRefused).map(({ path }) => path.join("."));
  return new Set(
    fields
      .map(({ path }) => path.join("."))
      .filter((each) => refused.some((path) => each === path || each.startsWith(`${path}.`))),
  );
}

/** Name of a field, of the list for the elements of a list. */
export function nameOf({ path }: Field): string {
  return path.findLast((part) => part !== anyItem) ?? "";
}

/** Whether a field names a record: by its name, or by the schema of `Id` and `IdText`. */
export function isIdField(field: Field): boolean {
  const isLeaf = field.schemas.every((schema) => !schema.properties && !schema.items);
  if (!isLeaf || field.path.length < 2) return false;
  return /(^|_)ids?$|[a-z]Ids?$/.test(nameOf(field)) || field.schemas.some(hasIdShape);
}

function hasIdShape({ pattern, maximum, exclusiveMinimum }: JsonSchema): boolean {
  return pattern === "^\\d{1,10}$" || (maximum === 2_147_483_647 && exclusiveMinimum === 0);
}

/** The input with another value for a field; missing parents are created. */
export function withField(input: unknown, path: readonly string[], value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (part === anyItem) {
    const list: unknown[] = Array.isArray(input) ? [...(input as unknown[])] : [];
    return [...list.slice(0, -1), withField(list.at(-1), rest, value)];
  }
  const fields = typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  return { ...fields, [part]: withField((fields as Record<string, unknown>)[part], rest, value) };
}

/** The input, and the same without each field of its body, which often means everything. */
export function withoutEach(input: object): object[] {
  const body = "body" in input && typeof input.body === "object" ? { ...input.body } : {};
  return [
    input,
    ...Object.keys(body).map((name) => ({
      ...input,
      body: Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)),
    })),
  ];
}

/** The input with each value of each field that offers a few: the ways in which a list is sorted, filtered and counted. */
export function withEachChoice(call: Call, input: object): object[] {
  return fieldsOf(call).flatMap(({ path, schemas }) => {
    const choices = schemas.flatMap(({ enum: values = [], type }) =>
      type === "boolean" ? [true, false] : values,
    );
    const isChosen = path.length < 5 && choices.length > 1 && !path.includes("file");
    return isChosen ? choices.map((value) => withField(input, path, value) as object) : [];
  });
}

/** Paths of all fields of a row that are no objects, from the reply of the call. */
export function rowFieldsOf(call: Call): string[] {
  interface Json {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly items?: Json;
    readonly anyOf?: readonly Json[];
  }
  // Of several forms of an answer the one that has the rows.
  const propertyOf = ({ properties, anyOf = [] }: Json, name: string): Json | undefined =>
    properties?.[name] ?? anyOf.flatMap((each) => each.properties?.[name] ?? [])[0];
  const row = [...(call.rows ?? "").split("."), "items"].reduce<Json>(
    (schema, name) => (name === "items" ? schema.items : propertyOf(schema, name)) ?? {},
    z.toJSONSchema(call.reply, { unrepresentable: "any" }) as Json,
  );
  const leaves = (schema: Json, path: string): string[] => {
    const options = schema.anyOf ?? [schema];
    const below = options.flatMap(({ properties }) => Object.entries(properties ?? {}));
    return below.length === 0
      ? [path]
      : below.flatMap(([name, each]) => leaves(each, path === "" ? name : `${path}.${name}`));
  };
  return leaves(row, "");
}
