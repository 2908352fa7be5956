import type { Span } from "./bytes.ts";
import { named } from "./spans.ts";

/** What stands in the log in the place of each byte of a secret. */
export const maskByte = 0x2a;

/** So many in a row are taken for a secret that was covered, in a frame whose check field does not fit. */
const leastMasked = 3;

const covered = new Uint8Array(leastMasked).fill(maskByte);

/** Whether a secret may have been covered in these bytes. */
export const hasMask = (bytes: Uint8Array): boolean =>
  bytes.some((_, at) => covered.every((byte, index) => bytes[at + index] === byte));

/**
 * Whether a check field that does not fit may be left unchecked: while a frame is explained whose secret was covered. Its last span then
 * says so. Errors: none.
 */
export function isLeftUnchecked(bytes: Uint8Array, trace: Span[] | undefined): boolean {
  const last = trace?.at(-1);
  if (!trace || !last || !hasMask(bytes)) return false;
  trace[trace.length - 1] = { ...last, name: named(last.name, { isUnchecked: true }) };
  return true;
}
