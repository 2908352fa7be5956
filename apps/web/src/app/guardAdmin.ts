import { ApiError } from "#lib/call";
import { loadSession } from "#lib/session";
import { storedToken } from "#lib/token";
import { rememberReturn } from "./address.ts";
import { leadTo } from "#lib/screen";

/**
 * Whether somebody is signed in, for the page of the platform. A token that is refused leads to the no-access page; who owes a
 * password or a second factor pays first. Who may see what is for the admin calls to say.
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
