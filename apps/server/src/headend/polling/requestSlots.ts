import { ProtocolError, type KeptArchive, type LineDriver, type Reading } from "@metrum/protocols/core";
import type { AskedDevice } from "#headend/exchanges";
import { periodSecOf, toleranceSecOf } from "./slots.ts";
import type { GroupReading } from "./store.ts";

/** Slots requested at once; two days of half-hours. */
export const pageSlots = 96;

export interface ArchiveRun {
  readonly device: AskedDevice;
  readonly driver: LineDriver;
  /** What the group of the device reads. */
  readonly group: GroupReading;
  /** Runs the dialogue over the line of the device; rejects as `Lines.use` and with ProtocolError. */
  readonly ask: (request: Parameters<LineDriver["poll"]>[0]) => Promise<Reading[]>;
  /** Stores readings; resolves after COMMIT. */
  readonly keep: (readings: readonly Reading[]) => Promise<void>;
}

/**
 * Requests slots of an archive, oldest first, and stores what the meter answers for them. Returns the times of these
 * readings, or the failure of the device; rejects with errors of the line.
 */
export async function requestSlots(
  { ask, keep }: Pick<ArchiveRun, "ask" | "keep">,
  archive: KeptArchive,
  of: { readonly first: number; readonly last: number; readonly now: number },
): Promise<number[] | ProtocolError> {
  const { from, to } = spanOf(archive, of);
  const given = await ask({ kind: "archive", msgType: archive.msgType, from, to }).catch(failureOf);
  if (given instanceof ProtocolError) return given;
  const wanted = given.filter(
    ({ msgType, at }) => msgType === archive.msgType && at !== null && at >= from && at < to,
  );
  if (wanted.length > 0) await keep(wanted);
  return wanted.flatMap(({ at }) => at ?? []).sort((a, b) => a - b);
}

/** A failure of the device or the dialogue is an outcome of this archive; a lost line is not. */
function failureOf(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  throw error;
}

/**
 * Range of a request: the slots with their tolerance, and for journals also the preceding hour, which was
 * incomplete the last time.
 */
function spanOf({ period }: KeptArchive, of: { first: number; last: number; now: number }) {
  const tolerance = toleranceSecOf(period);
  const [before, behind] =
    period === "events" ? [periodSecOf(period), periodSecOf(period)] : [tolerance, tolerance + 1];
  return { from: of.first - before, to: Math.min(of.last + behind, of.now) };
}
