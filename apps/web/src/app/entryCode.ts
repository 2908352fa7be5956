import { takeEntryCode } from "./entryHash.ts";

/** What the page was opened with. The first import of `main.tsx`: the code leaves the address before anything can see it. */
export const entryCode = takeEntryCode();
