import { ProtocolError, type ProtocolErrorKind } from "../errors.ts";

/** Kind and place of the refusal with which something ends; undefined if it does not. Other errors are thrown. */
export function refusalOf(
  act: () => unknown,
): { readonly kind: ProtocolErrorKind; readonly offset: number | undefined } | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return { kind: error.kind, offset: error.offset };
    throw error;
  }
  return undefined;
}
