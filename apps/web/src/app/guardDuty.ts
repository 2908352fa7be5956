import { users, type Duty, type ReplyOf } from "@metrum/contract";
import { keyOf, queryClient } from "#lib/call";
import { loadSession } from "#lib/session";
import { leadTo } from "#lib/screen";

export interface Owed {
  readonly duty: Duty;
  readonly email: string;
}

/** What the signed-in user has to do first. Who owes nothing, or has no session, goes where the shell's guard sends him. */
export async function guardDuty(): Promise<Owed> {
  const { access } = await loadSession();
  const known: ReplyOf<typeof users.info> | undefined = queryClient.getQueryData(keyOf(users.info, {}));
  if (!access?.duty || !known) return leadTo("/cloud");
  return { duty: access.duty, email: known.user.email };
}

/** What is owed has changed: the next load asks the server. */
export function askAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ["GET", "user/access"] });
}
