import { stuckCommands } from "#headend/control";
import { receivedAhead, strayedSlots } from "#metering/device-state";
import { countedBefore, latestAhead } from "#metering/messages";
import { systemClock, type Database } from "#core";
import type { Finding } from "./finding.ts";

/**
 * What waits for a time that does not come, or is ahead of the clock: commands, slots of the poll plan, readings. Needs
 * an up-to-date schema.
 */
export async function times({ pool, system }: Database): Promise<Finding[]> {
  const now = systemClock.now();
  const before = countedBefore(systemClock);
  const ahead = (await latestAhead(pool, before)) + (await receivedAhead(system, before));
  return [
    finding("commands", await stuckCommands(system, now), {
      sound: "none has waited longer than it may",
      seen: "in work or expired for more than five minutes",
      advice:
        "Start a process with the roles worker and broker: it ends them, and reads the states of their devices.",
    }),
    finding("poll plan", await strayedSlots(system, now), {
      sound: "every slot is within its interval",
      seen: "devices with a slot far beyond their interval",
      advice: "Set the clock right, then restart a process with the role worker: it plans them anew.",
    }),
    finding("ahead", ahead, {
      sound: "nothing is ahead of the clock",
      seen: "last readings or receipts ahead of the clock",
      advice:
        "Check the clock of this machine. If it was ahead and is right now, the next readings take their place.",
    }),
  ];
}

function finding(
  about: string,
  count: number,
  { sound, seen, advice }: { readonly sound: string; readonly seen: string; readonly advice: string },
): Finding {
  return count === 0 ? { about, seen: sound } : { about, seen: `${String(count)} ${seen}`, advice };
}
