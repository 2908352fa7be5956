import { isFieldName, type FieldName } from "@metrum/vocabulary";
import { wrongField } from "../core/errors.ts";

/** Maximum fields per reading of a push. */
const mostFields = 200;

/** Values by field, and the unknown names. */
export interface NamedValues {
  readonly values: Readonly<Partial<Record<FieldName, number | null>>>;
  readonly unknown: readonly string[];
}

/**
 * Sorts named values into fields and others; null stands for "not kept".
 * Errors: ProtocolError "unexpected" for a value that is no finite number, and beyond 200 of them.
 */
export function namedValues(entries: readonly (readonly [string, unknown])[], path: string): NamedValues {
  if (entries.length > mostFields) throw wrongField(path, "few", { most: mostFields });
  const values: Partial<Record<FieldName, number | null>> = {};
  const unknown: string[] = [];
  for (const [name, value] of entries) {
    if (value !== null && !(typeof value === "number" && Number.isFinite(value)))
      throw wrongField(`${path}.${name}`, "number");
    if (isFieldName(name)) values[name] = value;
    else unknown.push(name);
  }
  return { values, unknown };
}
