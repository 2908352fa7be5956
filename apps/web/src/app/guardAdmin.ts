import { ApiError } from "#lib/call";
import { loadSession } from "#lib/session";
import { storedToken } from "#lib/token";
import { rememberReturn } from "./address.ts";
import { leadTo } from "#lib/screen";

/**
 * Requires a session for the platform administration page. An invalid token leads to the no-access page
 * a user with a pending duty is redirected to it. Rights are checked by the admin calls.
 */
export async function guardAdmin(href: string): Promise<boolean> {
  if (storedToken() === null) return false;
  const loaded = await loadSession();
  if ("error" in loaded) {
    rememberReturn(href);
    const isUnreached = loaded.error instanceof ApiError && loaded.error.status === 0;
    return leadTo(isUnreached ? "/offline" : "/withoutAccess");
  }
  if (loaded.access?.duty) {
    rememberReturn(href);
    return leadTo("/duty");
  }
  return true;
}
