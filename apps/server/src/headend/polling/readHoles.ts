import type { HolePeriod } from "@metrum/contract/metering";
import type { Reading } from "@metrum/protocols/core";
import type { Services } from "#core";
import { failureOf, type Failure, type Session } from "#headend/dialogue";
import {
  holesToAsk,
  noteHoles,
  pagesOf,
  stillMissing,
  type ArchiveHoles,
  type HoleDevice,
} from "#headend/tasks";
import type { Slot } from "#metering/messages";

/** Archive requests of one session, and the time after which none is begun: other devices wait for the line. */
const mostPages = 4;
const longestMs = 20_000;

export interface HolesRun {
  readonly taskId: number;
  readonly period: HolePeriod;
  /** How far each archive has been requested, by message type. */
  readonly requestedTo: Readonly<Record<string, number>>;
  /** Stores readings; resolves after COMMIT. */
  readonly keep: (readings: readonly Reading[]) => Promise<void>;
  /** Some rows are no longer missing. */
  readonly onProgress: () => void;
}

/** Outcome of a session: of a failure, what was read before is kept. */
export interface HolesRead extends Failure {
  /** There is more to request, in another session. */
  readonly isUnfinished: boolean;
}

/**
 * Requests missing rows of a device from its archives: only slots that are missing at this moment, each at most once
 * in a task, a few pages in one session. Of what the meter answers, only rows of those slots are stored. Rejects as
 * `failureOf`.
 */
export async function readHoles(services: Services, session: Session, run: HolesRun): Promise<HolesRead> {
  const { database, clock } = services;
  const device = judged(session);
  const endsAtMs = clock.monotonicMs() + longestMs;
  const all = await holesToAsk(database.system, device, run.period, clock.now());
  let pages = 0;
  try {
    for (const holes of all)
      for (const slots of pagesOf(remaining(holes, run))) {
        if (pages === mostPages || clock.monotonicMs() > endsAtMs) return { ...fine, isUnfinished: true };
        pages += 1;
        await readPage(services, { session, run, device }, { ...holes, slots });
      }
    return { ...fine, isUnfinished: false };
  } catch (error) {
    return { ...failureOf(services, session.device, error), isUnfinished: false };
  }
}

const fine: Failure = { result: "ok", message: "" };

const judged = ({ device: { id, modelId, intervalSec, zone, isOn } }: Session): HoleDevice => ({
  id,
  model_id: modelId,
  report_period_update: intervalSec,
  zone,
  isOn,
});

const remaining = (holes: ArchiveHoles, { requestedTo }: HolesRun): ArchiveHoles => ({
  ...holes,
  slots: holes.slots.filter(({ from }) => from >= (requestedTo[String(holes.msgType)] ?? -Infinity)),
});

async function readPage(
  { database, clock }: Services,
  { session, run, device }: { session: Session; run: HolesRun; device: HoleDevice },
  { msgType, archive, slots }: ArchiveHoles,
): Promise<void> {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return;
  const request = { kind: "archive" as const, msgType: archive.msgType, from: first.since, to: last.to };
  const given = await session.talk((driver, address) => driver.poll(request, address));
  const wanted = given.filter(
    ({ msgType: type, at }) => type === archive.msgType && at !== null && isIn(slots, at),
  );
  if (wanted.length > 0) await run.keep(wanted);
  const missing = await stillMissing(database.system, device, { msgType, slots, now: clock.now() });
  await noteHoles(
    database.system,
    { taskId: run.taskId, deviceId: device.id },
    { msgType, to: last.from + 1, filled: slots.length - missing },
  );
  run.onProgress();
}

const isIn = (slots: readonly Slot[], at: number): boolean =>
  slots.some(({ since, to }) => at >= since && at < to);
