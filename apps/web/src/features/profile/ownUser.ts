import { users, type ReplyOf } from "@metrum/contract";
import { keyOf, queryClient } from "#lib/call";

/** The account as the server has just answered it: the shell shows it too. */
export function keepUser({ user }: Pick<ReplyOf<typeof users.info>, "user">): void {
  queryClient.setQueryData(keyOf(users.info, {}), { user });
}
