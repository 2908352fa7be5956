import { z } from "zod/mini";
import { LineElsewhere } from "#headend/channels";
import { lineJob, type DeviceJob } from "#headend/dialogue";
import { pollDevice } from "./poll.ts";
import { pollKind, reroute } from "./pollQueue.ts";

/** Polls a device; forwarded when another process has claimed its line. */
export const pollJob = lineJob<DeviceJob>({
  name: pollKind,
  payload: z.object({
    deviceId: z.int(),
    taskId: z.optional(z.int()),
    asksHoles: z.optional(z.boolean()),
  }),
  async run(services, { lines }, request) {
    try {
      await pollDevice(services, lines, request);
    } catch (error) {
      if (!(error instanceof LineElsewhere)) throw error;
      await reroute(services, request);
    }
  },
});
