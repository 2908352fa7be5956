import { z } from "zod/mini";

/** Schema message of an argument that is refused because it is not implemented yet. */
export const notSupportedYet = "not_supported_yet";

/** Every argument refused as not implemented, with a refused value. */
export const unsupported = z.registry<{ readonly refused: unknown }>();

interface How<Value> {
  /** A refused value; sent by the tests. */
  readonly refused: Value;
  /** Whether a value requests nothing, so that omitting it would give the same answer. */
  readonly asksNothing?: (value: Value) => boolean;
}

/**
 * An argument that the specification names and this release does not implement. Sending it gives 422
 * with code `not_supported_yet` and the argument's name instead of an answer that ignores it. A wrong type is
 * `wrong_input`.
 */
export function notYet<Schema extends z.ZodMiniType>(type: Schema, how: How<z.output<Schema>>) {
  const { refused, asksNothing = () => false } = how;
  const schema = z.optional(
    type.check(
      z.refine((value) => asksNothing(value), notSupportedYet),
      z.describe("Not supported yet: refused with not_supported_yet"),
    ),
  );
  unsupported.add(schema, { refused });
  return schema;
}

/**
 * The message of an enumeration for a value that the specification names and this release does not implement.
 */
export const notYetAmong =
  (values: readonly string[]) =>
  ({ input }: { readonly input?: unknown }): string | undefined =>
    typeof input === "string" && values.includes(input) ? notSupportedYet : undefined;
