import type { Domain } from "#core";
import { serveShell } from "./calls.ts";
import { sweepReports } from "./errors.ts";

/** What the browser needs before anybody has signed in: what the site offers, its design, and where errors are told. */
export const shell: Domain = { name: "shell", calls: serveShell, worker: sweepReports };
