import {
  ProtocolError,
  type Conversation,
  type DeviceAddress,
  type LineDriver,
} from "@metrum/protocols/core";
import { pause, type Clock } from "#core";
import type { Session } from "./session.ts";

/** Pauses before a device that says that it is busy is asked again. */
const pausesMs = [1_000, 3_000] as const;

/**
 * Runs a conversation that only reads; a device that is busy is asked again after a pause, in which others may have the
 * line. Rejects as `Session.talk`.
 */
export async function readPatiently<Result>(
  clock: Clock,
  { talk }: Pick<Session, "talk">,
  begin: (driver: LineDriver, address: DeviceAddress) => Conversation<Result>,
): Promise<Result> {
  for (const pauseMs of pausesMs)
    try {
      return await talk(begin);
    } catch (error) {
      if (!(error instanceof ProtocolError && error.isBusy)) throw error;
      await pause(clock, pauseMs);
    }
  return talk(begin);
}
