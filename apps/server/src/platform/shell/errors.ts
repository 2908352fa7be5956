import { createHash } from "node:crypto";
import type { ParsedOf } from "@metrum/contract/core";
import type { shell } from "@metrum/contract/platform";
import type { PublicCtx, ScheduledWork } from "#core";
import { dropErrors, noteError } from "./store.ts";

type Report = ParsedOf<typeof shell.reportError>["body"];

const keptSec = 30 * 86_400;
/** Maximum characters stored of each part. */
const bounds = { message: 1_000, stack: 8_000, url: 300, agent: 300 } as const;

/**
 * Stores an error reported by a browser and returns its id. No personal data: addresses, numbers and searches
 * are removed.
 */
export async function keepReport(ctx: PublicCtx, report: Report): Promise<string> {
  const message = withoutPersons(report.message).slice(0, bounds.message);
  const stack = report.stack ? withoutPersons(report.stack).slice(0, bounds.stack) : null;
  const app_version = report.app_version ?? null;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([message, stack, app_version]))
    .digest("hex")
    .slice(0, 12);
  await noteError(ctx.database.system, {
    fingerprint,
    message,
    stack,
    url: report.url ? routeOf(report.url).slice(0, bounds.url) : null,
    user_agent: report.user_agent?.slice(0, bounds.agent) ?? null,
    app_version,
    last_at: new Date(ctx.clock.nowMs()),
  });
  ctx.log.warn({ report: fingerprint, message, app_version }, "the web app reports an error");
  return fingerprint;
}

/** E-mails and long numbers (telephones, meters, taxpayers) are personal data. */
function withoutPersons(text: string): string {
  return text
    .replaceAll("\0", "")
    .replaceAll(/[^\s@"'<>()]{1,64}@[^\s@"'<>()]{1,255}/g, "(address)")
    .replaceAll(/\+?\d{7,}/g, "(number)");
}

/** The screen: the hash route without its search. */
function routeOf(url: string): string {
  const hash = url.includes("#") ? url.slice(url.indexOf("#")) : "";
  return withoutPersons(hash.split("?")[0] ?? "");
}

/** Reports are deleted after a month without a recurrence. */
export const forgetting: ScheduledWork = {
  name: "error reports",
  schedule: { kind: "cron", cron: "30 * * * *", zone: "Etc/UTC" },
  run: ({ database, clock }) => dropErrors(database.system, new Date(clock.nowMs() - keptSec * 1000)),
};
