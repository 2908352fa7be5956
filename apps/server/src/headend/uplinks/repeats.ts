import type { Clock } from "#core";
import type { UplinkOutcome } from "./uplink.ts";

const rememberedMs = 10 * 60_000;
const capacity = 200_000;

/** Recent transmissions of this process; duplicates across processes are absorbed by the store. */
export interface Repeats {
  /**
   * Takes new transmissions. A concurrent repeat gets the result of the first one, never before its COMMIT.
   */
  once(name: string, take: () => Promise<UplinkOutcome>): Promise<UplinkOutcome>;
}

export function rememberRepeats(clock: Clock): Repeats {
  // In order of arrival, so that the oldest is first.
  const known = new Map<string, { readonly at: number; readonly taking: Promise<UplinkOutcome> }>();
  const forget = (now: number): void => {
    for (const [oldest, { at }] of known) {
      if (known.size <= capacity && now - at < rememberedMs) break;
      known.delete(oldest);
    }
  };
  return {
    async once(name, take) {
      const now = clock.monotonicMs();
      forget(now);
      const earlier = known.get(name);
      if (earlier) return isTaken(await earlier.taking) ? repeated : earlier.taking;
      const taking = take();
      known.set(name, { at: now, taking });
      // A rejected one may come again: by then the device may be registered, or the database available.
      taking.then(
        (taken) => !isTaken(taken) && known.delete(name),
        () => known.delete(name),
      );
      return taking;
    },
  };
}

/** An unreadable one stays unreadable; it is in the log. */
const isTaken = ({ result }: UplinkOutcome): boolean => result === "taken" || result === "unread";
const repeated: UplinkOutcome = { result: "repeated", message: "" };
