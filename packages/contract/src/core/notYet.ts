import { z } from "zod/mini";

/** What the schema of an argument says when the argument is refused because it is not carried out yet. */
export const notSupportedYet = "not_supported_yet";

/** Every argument that is refused as not carried out yet, with a value that is refused. */
export const unsupported = z.registry<{ readonly refused: unknown }>();

interface How<Value> {
  /** A value that is refused; the tests send it. */
  readonly refused: Value;
  /** Whether a value asks for nothing, so that leaving it out would give the same answer. */
  readonly asksNothing?: (value: Value) => boolean;
}

/**
 * An argument that the specification names and this release does not carry out. Whoever gives it gets 422 with
 * code `not_supported_yet` and the argument's name instead of an answer that leaves it out. A wrong type is `wrong_input`.
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

/** The message of an enumeration for a value that the specification names and this release does not carry out. */
export const notYetAmong =
  (values: readonly string[]) =>
  ({ input }: { readonly input?: unknown }): string | undefined =>
    typeof input === "string" && values.includes(input) ? notSupportedYet : undefined;
