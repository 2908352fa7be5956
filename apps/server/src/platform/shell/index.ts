import type { Domain } from "#core";
import { serveShell } from "./calls.ts";
import { forgetting } from "./errors.ts";

/** Data for the browser before sign-in: options of the site, its design, and error reports. */
export const shell: Domain = { name: "shell", calls: serveShell, scheduled: [forgetting] };
