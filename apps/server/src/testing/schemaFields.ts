import type { Call } from "@metrum/contract";
import { z } from "zod/mini";

/** The subset of JSON Schema that the contract produces. */
interface JsonSchema {
  readonly type?: string | readonly string[];
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
