import type { Clock } from "#core";
import type { UplinkOutcome } from "./uplink.ts";

const rememberedMs = 10 * 60_000;
const capacity = 200_000;

/** Transmissions that were taken lately, by this process: what another one takes twice is absorbed by the store. */
export interface Repeats {
  /** Takes what has not been taken. A repeat that comes meanwhile is answered with the first one, never before its COMMIT. */
  once(name: string, take: () => Promise<UplinkOutcome>): Promise<UplinkOutcome>;
}

export function rememberRepeats(clock: Clock): Repeats {
  // In the order of coming, so that the oldest stands first.
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
      // What was not taken may come again: the device may be known, or the database back, by then.
      taking.then(
        (taken) => !isTaken(taken) && known.delete(name),
        () => known.delete(name),
      );
      return taking;
    },
  };
}

/** What could not be read once cannot be read again either; it stands in the log. */
const isTaken = ({ result }: UplinkOutcome): boolean => result === "taken" || result === "unread";
const repeated: UplinkOutcome = { result: "repeated", message: "" };
