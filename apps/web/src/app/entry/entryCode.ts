import { takeEntryCode } from "./entryHash.ts";

/**
 * Entry code with which the page was opened. Must be the first import of `main.tsx`: it removes the code from
 * the address before other code can read it.
 */
export const entryCode = takeEntryCode();
