import { users } from "@metrum/contract/access";
import type { Duty, ReplyOf } from "@metrum/contract/core";
import { keyOf, queryClient } from "#lib/call";
import { loadSession } from "#lib/session";
import { leadTo } from "#lib/screen";

export interface Owed {
  readonly duty: Duty;
  readonly email: string;
}

/**
 * Pending duty of the signed-in user. Without one, or without a session, redirects like the guard of the
 * shell.
 */
export async function guardDuty(): Promise<Owed> {
  const { access } = await loadSession();
  const known: ReplyOf<typeof users.info> | undefined = queryClient.getQueryData(keyOf(users.info, {}));
  if (!access?.duty || !known) return leadTo("/cloud");
  return { duty: access.duty, email: known.user.email };
}

/** The duty has changed: the next load requests it from the server. */
export function askAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ["GET", "user/access"] });
}
