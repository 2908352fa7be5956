import { appVersion, site } from "@metrum/contract/core";
import { request } from "#lib/call";

/** Maximum reports per page: an error in a loop adds nothing. */
const mostReports = 10;

const sent = new Map<string, Promise<string | null>>();

/** Reports an error of this app to the server, each once. Returns its id; null when reporting failed. */
export function reportError(error: unknown): Promise<string | null> {
  const { message, stack } = wordsOf(error);
  const key = `${message}\n${stack ?? ""}`;
  const known = sent.get(key);
  if (known !== undefined) return known;
  if (sent.size >= mostReports) return Promise.resolve(null);
  const report = request(site.reportError, {
    body: {
      message: message.slice(0, 1000),
      ...(stack === undefined ? {} : { stack: stack.slice(0, 8000) }),
      url: location.hash.split("?")[0] ?? "",
      user_agent: navigator.userAgent.slice(0, 300),
      app_version: appVersion,
    },
  }).then(
    ({ data }) => data.report_id,
    () => null,
  );
  sent.set(key, report);
  return report;
}

/** Uncaught errors. */
export function watchErrors(): void {
  addEventListener("error", ({ error, message }: ErrorEvent) => void reportError(error ?? message));
  addEventListener("unhandledrejection", ({ reason }: PromiseRejectionEvent) => {
    // A failed call has been reported already; it is not an error of the app.
    if (reason instanceof Error && reason.name === "ApiError") return;
    void reportError(reason);
  });
}

function wordsOf(error: unknown): { readonly message: string; readonly stack: string | undefined } {
  if (!(error instanceof Error)) return { message: String(error) || "unknown", stack: undefined };
  return { message: `${error.name}: ${error.message}`, stack: error.stack };
}
