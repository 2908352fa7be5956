import { z } from "zod/mini";
import { LogRow } from "../access/auditLog.ts";
import { call } from "../core/call.ts";
import { Id, listInput, Seconds } from "../core/values.ts";

export const deviceLog = {
  read: call({
    id: "device.log",
    method: "POST",
    path: "device/get_log",
    right: "4:read",
    reach: "branch",
    summary: "Actions of users on a device, newest first; addresses are shown to administrators only",
    body: z.object({
      device_id: Id,
      start_date: z.optional(Seconds),
      stop_date: z.optional(Seconds),
      page: listInput.page,
      per_page: listInput.per_page,
    }),
    reply: z.object({
      log: z.array(LogRow),
      current_page: z.int(),
      last_page: z.int(),
      per_page: z.int(),
      total: z.int(),
    }),
    problems: ["not_found"],
  }),
};
