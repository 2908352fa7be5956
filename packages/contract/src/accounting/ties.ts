import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, Nothing } from "../core/values.ts";
import { User } from "../access/users.ts";

/**
 * Users tied to a device: a user who is tied to devices and has no access_all on 4 sees only those. Read
 * rights on three modules suffice to change it, as specified; the log names the user.
 */
export const ties = {
  set: call({
    id: "device.tieUser",
    method: "POST",
    path: "device/tie_user",
    right: "4:read&1:read&6:read",
    reach: "branch",
    summary: "Ties exactly these users to a device; an id of another company refuses the whole list",
    body: z.object({ device_id: Id, user_ids: z.array(Id).check(z.maxLength(10_000)) }),
    reply: Nothing,
    problems: ["not_found", "right_not_held", "demo_refused", "token_refused"],
  }),
  get: call({
    id: "device.tiesUser",
    method: "POST",
    path: "device/get_ties_user",
    right: "4:read&1:read&6:read",
    reach: "branch",
    summary: "Users a device is tied to",
    body: z.object({ device_id: Id }),
    reply: z.object({ users: z.array(User) }),
    problems: ["not_found"],
  }),
};
