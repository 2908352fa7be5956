import { allows, users, type Call, type ReplyOf } from "@metrum/contract";
import { keyOf, queryClient } from "#lib/call";
import { rightsOf } from "#lib/session";
import { say } from "#ui/snackbar";

/** Message shown instead of a call on devices that the rights do not allow, by the id of the call. */
export const denials: Readonly<Record<string, string>> = {
  "device.list": "msg_18",
  "device.get": "msg_19",
  "device.create": "msg_20",
  "device.edit": "msg_21",
  "device.setConnectionParams": "msg_21",
  "device.switch": "msg_22",
  "device.switchBulk": "msg_22",
  "device.toTrash": "msg_23",
  "device.archive": "msg_23",
  "device.restore": "msg_24",
  "device.remove": "msg_25",
  "device.clearTrash": "msg_26",
  "gateway.list": "msg_27",
  "gateway.get": "msg_28",
  "gateway.create": "msg_29",
  "gateway.edit": "msg_30",
  "gateway.toTrash": "msg_31",
  "gateway.archive": "msg_31",
  "gateway.changeMany": "msg_30",
  "gateway.restore": "msg_32",
  "gateway.remove": "msg_33",
  "gateway.replace": "msg_34",
  "gateway.massReplace": "msg_34",
  "gateway.compatible": "msg_34",
  "line.save": "msg_30",
  "line.remove": "msg_30",
  "line.test": "msg_30",
  "baseStation.list": "msg_35",
  "baseStation.get": "msg_35",
  "baseStation.create": "msg_36",
  "baseStation.edit": "msg_37",
  "baseStation.toTrash": "msg_38",
  "baseStation.archive": "msg_38",
  "baseStation.changeMany": "msg_37",
  "baseStation.restore": "msg_39",
  "baseStation.remove": "msg_39",
  "messages.list": "msg_40",
  "device.control": "msg_42",
  "poll.run": "msg_43",
  "messages.dirtyOne": "msg_44",
  "attribute.add": "msg_45",
  "attribute.update": "msg_45",
  "attribute.delete": "msg_45",
  "schedule.save": "msg_46",
  "schedule.saveElectro": "msg_46",
  "schedule.delete": "msg_46",
  "poll.switch": "msg_47",
  "pollGroup.list": "msg_47",
  "pollGroup.get": "msg_47",
  "pollGroup.create": "msg_47",
  "pollGroup.update": "msg_47",
  "pollGroup.switch": "msg_47",
  "pollGroup.replace": "msg_47",
  "pollGroup.delete": "msg_47",
  "task.create": "msg_48",
  "task.change": "msg_21",
  "task.cancel": "msg_48",
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
