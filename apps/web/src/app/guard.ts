import i18next from "i18next";
import { ApiError, isUnreached } from "#lib/call";
import { loadSession, type Loaded } from "#lib/session";
import { endSession, storedToken } from "#lib/token";
import { rememberReturn } from "./address.ts";
import { setLoginNotice } from "./loginNotice.ts";
import { leadTo } from "#lib/screen";

/**
 * Opens the shell, or redirects according to the decision. The answer has the rights for the guards of the
 * modules.
 */
export async function guardSession(href: string): Promise<NonNullable<Loaded["access"]>> {
  const loaded = await loadSession();
  if ("error" in loaded) waitIfUnreached(loaded.error, href);
  // Duties come before the requested screen.
  if (loaded.access?.duty && loaded.verdict !== "apiOnly") {
    rememberReturn(href);
    return leadTo("/duty");
  }
  switch (loaded.verdict) {
    case "allowed":
      if (loaded.access) return loaded.access;
      break;
    case "withoutAccess":
      return leadTo("/withoutAccess");
    case "apiOnly":
      setLoginNotice(i18next.t("common:error.onlyApi"));
      endSession("refused");
      break;
    case "accessFailed":
      // A 401 has already ended the session with a message; the requested screen opens after the next
      // sign-in.
      if (storedToken() === null) rememberReturn(href);
      else {
        setLoginNotice(messageOf(loaded.error) ?? i18next.t("common:error.access"));
        endSession("refused");
      }
      break;
    case "userFailed":
      return leadTo("/auth/logout");
    case "login":
      rememberReturn(href);
      break;
  }
  leadTo("/auth/login");
}

/**
 * No answer, or a server that is not ready, says nothing about the session: it is kept, and the page waits
 * for the connection.
 */
function waitIfUnreached(error: unknown, href: string): void {
  if (!isUnreached(error)) return;
  rememberReturn(href);
  leadTo("/offline");
}

function messageOf(error: unknown): string | null {
  return error instanceof ApiError ? error.msg : null;
}

export { signOut } from "#lib/session";
export { prepareScreen } from "./prepareScreen.ts";
export { screenRoutes } from "./screenRoutes.ts";
