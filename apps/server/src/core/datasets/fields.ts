import { z } from "zod/mini";

export type Schema = z.core.$ZodType;
/** Stands for every element of a list in the path of a field. */
export const anyItem = "[]";
/** Any item, or one by its position. */
const isItem = /^(\[\]|\d+)$/;

/** Whether a path ends at a declared value: a text, a number, yes or no, or a list. */
export function isField(row: readonly Schema[], path: readonly string[]): boolean {
  return schemasAt(row, path).some((schema) => !(schema instanceof z.ZodMiniObject));
}

/** Declared schemas at a path, through optional and nullable ones and alternatives. */
export function schemasAt(schemas: readonly Schema[], path: readonly string[]): Schema[] {
  return path
    .reduce<Schema[]>(
      (found, name) => found.flatMap((schema) => plain(schema).flatMap((each) => below(each, name))),
      [...schemas],
    )
    .flatMap(plain);
}

/** Paths of the values of a row, in the order of their declaration; not those of lists and of free objects. */
export function valuePaths(schemas: readonly Schema[], above = ""): string[] {
  const objects = schemas.flatMap(plain).filter((schema) => schema instanceof z.ZodMiniObject);
  const paths = objects.flatMap(({ shape }) =>
    Object.entries(shape as Record<string, Schema>).flatMap(([name, schema]) => {
      const options = plain(schema);
      const path = above + name;
      if (options.some((each) => each instanceof z.ZodMiniObject)) return valuePaths(options, `${path}.`);
      return options.some(isList) ? [] : [path];
    }),
  );
  return [...new Set(paths)];
}

const isList = (schema: Schema): boolean =>
  schema instanceof z.ZodMiniArray || schema instanceof z.ZodMiniRecord || schema instanceof z.ZodMiniTuple;

/** The value of a row at a path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function below(schema: Schema, name: string): Schema[] {
  if (schema instanceof z.ZodMiniArray) return isItem.test(name) ? [schema.def.element] : [];
  if (!(schema instanceof z.ZodMiniObject)) return [];
  const { catchall, shape } = schema.def;
  if (!Object.hasOwn(shape, name)) return catchall === undefined ? [] : [catchall];
  const found: unknown = (shape as Record<string, unknown>)[name];
  return [found as Schema];
}

function plain(schema: Schema): Schema[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return plain(schema.def.innerType);
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.flatMap(plain);
  return [schema];
}
