import { ApiError, reportUnless } from "#lib/call";
import { checkServer, connection } from "#lib/connection";
import { reportError } from "#lib/report";

/** With a worker the files of the app are there without a connection. */
const isKept = () => "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;

/**
 * A part of the app that is loaded when an action of the user needs it; null if that fails, which is shown
 * unless the action shows it itself. A browser remembers a failed module until the page is reloaded. So none
 * is requested without a connection, and the action works again with it; and a file that is missing although
 * the server answers, because a new build has replaced it, needs a reload.
 */
export function onDemand<Part>(load: () => Promise<Part>, { isQuiet = false } = {}) {
  let part: Part | undefined;
  return async (): Promise<Part | null> => {
    const isRequested = part !== undefined || connection.lostAt() === null || isKept();
    try {
      if (isRequested) return (part ??= await load());
    } catch (error) {
      if (await checkServer()) {
        void reportError(error);
        reportUnless(isQuiet, new ApiError({ status: 0, code: "part_missing", msg: null }));
        return null;
      }
    }
    reportUnless(isQuiet, new ApiError({ status: 0, code: "offline", msg: null }));
    return null;
  };
}
