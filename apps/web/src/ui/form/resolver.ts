import type { FieldError, FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod/mini";

/** Lets a schema of the contract judge a form. The code of the first fault of a field is its type; words are the form's. */
export function schemaResolver<Values extends FieldValues>(
  schema: z.ZodMiniType<Values, Values>,
): Resolver<Values> {
  return (values) => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return { values: parsed.data, errors: {} };
    const errors: Record<string, FieldError> = {};
    for (const issue of parsed.error.issues) {
      const path = issue.path.join(".");
      errors[path] ??= { type: issue.code, message: issue.message };
    }
    return { values: {}, errors: errors as never };
  };
}
