import { useForm, type DefaultValues, type FieldValues } from "react-hook-form";
import type { z } from "zod/mini";
import { schemaResolver } from "./resolver.ts";

/**
 * A form whose rules are a schema of the contract. Judged when a field is left, then while it is mended; the button stays
 * enabled and the first fault gets the focus.
 */
export function useSchemaForm<Values extends FieldValues>(
  schema: z.ZodMiniType<Values, Values>,
  defaultValues: DefaultValues<Values>,
) {
  return useForm<Values>({
    resolver: schemaResolver(schema),
    defaultValues,
    mode: "onBlur",
    reValidateMode: "onChange",
    shouldFocusError: true,
  });
}
