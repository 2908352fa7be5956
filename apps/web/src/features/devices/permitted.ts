import { allows, users, type Call, type ReplyOf } from "@metrum/contract";
import { keyOf, queryClient } from "#lib/call";
import { rightsOf } from "#lib/session";
import { say } from "#ui/snackbar";

/** Message shown instead of a call on devices that the rights do not allow, by the id of the call. */
export const denials: Readonly<Record<string, string>> = {
  "device.list": "msg_18",
  "device.get": "msg_19",
  "device.switch": "msg_22",
  "device.switchBulk": "msg_22",
  "messages.list": "msg_40",
  "device.control": "msg_42",
  "poll.run": "msg_43",
  "messages.dirtyOne": "msg_44",
  "poll.switch": "msg_47",
  "task.create": "msg_48",
  "device.tieUser": "msg_49",
  "device.tiesUser": "msg_49",
};

/**
 * Whether the session may make the call. If not, the caller must not send it, and the user sees which right
 * is missing: rights can be revoked while a screen that offers the action is open.
 */
export function isPermitted(definition: Call): boolean {
  const access = queryClient.getQueryData<ReplyOf<typeof users.access>>(keyOf(users.access, {}));
  if (access && allows(definition.right, rightsOf(access))) return true;
  void say(denials[definition.id] ?? "msg_21");
  return false;
}
