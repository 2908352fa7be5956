import type { Span } from "./bytes.ts";
import { named } from "./spans.ts";

/** Byte that replaces each byte of a secret in the log. */
export const maskByte = 0x2a;

/** This many in a row count as a masked secret, in a frame with a wrong check field. */
const leastMasked = 3;

const covered = new Uint8Array(leastMasked).fill(maskByte);

/** Whether a secret may have been masked in these bytes. */
export const hasMask = (bytes: Uint8Array): boolean =>
  bytes.some((_, at) => covered.every((byte, index) => bytes[at + index] === byte));

/**
 * Whether a wrong check field may be ignored: while explaining a frame with a masked secret. Its last span
 * then records that. Errors: none.
 */
export function isLeftUnchecked(bytes: Uint8Array, trace: Span[] | undefined): boolean {
  const last = trace?.at(-1);
  if (!trace || !last || !hasMask(bytes)) return false;
  trace[trace.length - 1] = { ...last, name: named(last.name, { isUnchecked: true }) };
  return true;
}
