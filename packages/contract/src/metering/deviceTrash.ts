import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, Nothing } from "../core/values.ts";

const right = "4:delete|4:access_all";
const ids = z.array(Id).check(z.minLength(1), z.maxLength(10_000));
/** Refusals of restoring a device: it counts again, and its identifier must still be free. */
const returning = ["not_found", "identifier_taken", "device_limit_reached", "licence_expired"] as const;

/** Trash, archive and permanent removal of metering devices. */
export const deviceTrash = {
  add: call({
    id: "device.toTrash",
    method: "DELETE",
    path: "device/metering_device/remove_in_trash/:id",
    right,
    reach: "branch",
    summary: "Moves a device to the trash: it is neither polled nor listed, its readings stay",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "device_is_source", "demo_refused"],
  }),
  restore: call({
    id: "device.restore",
    method: "DELETE",
    path: "device/metering_device/restore_from_trash/:id",
    right,
    reach: "branch",
    summary: "Restores a device from the trash",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: [...returning, "demo_refused"],
  }),
  remove: call({
    id: "device.remove",
    method: "DELETE",
    path: "device/metering_device/remove_from_trash/:id",
    right,
    reach: "branch",
    summary: "Removes a device in the trash for good, with its readings and logs",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "device_not_in_trash", "demo_refused", "point_history"],
  }),
  clear: call({
    id: "device.clearTrash",
    method: "DELETE",
    path: "device/metering_device/clear_trash",
    right,
    reach: "branch",
    summary: "Removes all devices in the trash for good, but those that accounting points rest on",
    reply: Nothing,
    problems: ["demo_refused"],
  }),
  move: call({
    id: "device.trash",
    isOwn: true,
    method: "PUT",
    path: "device/metering_device/trash",
    right,
    reach: "branch",
    summary: "Moves several devices to the trash or restores them, all or none",
    body: z.object({ ids, is_deleted: z.boolean() }),
    reply: Nothing,
    problems: [...returning, "device_is_source", "demo_refused"],
  }),
  archive: call({
    id: "device.archive",
    isOwn: true,
    method: "PUT",
    path: "device/metering_device/archive",
    right,
    reach: "branch",
    summary:
      "Archives devices or restores them, all or none: an archived device stays readable, is not polled and does not count",
    body: z.object({ ids, is_archived: z.boolean() }),
    reply: Nothing,
    problems: ["not_found", "device_in_trash", "device_limit_reached", "licence_expired", "demo_refused"],
  }),
};
