import { users } from "@metrum/contract/access";
import { allows, type Call, type ReplyOf } from "@metrum/contract/core";
import { keyOf, queryClient } from "#lib/call";
import { rightsOf } from "#lib/session";
import { say } from "#ui/snackbar";

/**
 * Whether the session may make a call. If not, the caller must not send it, and the user sees which right is
 * missing, by the key of its message: rights can be revoked while a screen that offers the action is open.
 */
export function permittedBy(denials: Readonly<Record<string, string>>, usual: string) {
  return (definition: Call): boolean => {
    const access = queryClient.getQueryData<ReplyOf<typeof users.access>>(keyOf(users.access, {}));
    if (access && allows(definition.right, rightsOf(access))) return true;
    void say(denials[definition.id] ?? usual);
    return false;
  };
}
