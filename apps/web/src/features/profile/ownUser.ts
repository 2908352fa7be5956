import { users } from "@metrum/contract/access";
import type { ReplyOf } from "@metrum/contract/core";
import { keyOf, queryClient } from "#lib/call";

/** Stores the updated account, which the shell shows too. */
export function keepUser({ user }: Pick<ReplyOf<typeof users.info>, "user">): void {
  queryClient.setQueryData(keyOf(users.info, {}), { user });
}
