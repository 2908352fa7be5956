import { z } from "zod/mini";
import type { Services } from "#core";
import { LineElsewhere } from "#headend/channels";
import { lineJob, openSession, type OpenLines, type Session } from "#headend/dialogue";
import { askedTargets, lineOf, logExchanges, type AskedDevice } from "#headend/exchanges";
import { noteStatus } from "#metering/device-state";
import { carryOut, readAfter } from "./carryOut.ts";
import { delayFollow, endFollow, keepPlanned, replan, replanDevices } from "../commandStore.ts";
import type { OpenCommand } from "../openStore.ts";
import { settle } from "./settle.ts";
import { take } from "./take.ts";
import { nextTurn, type Turn } from "./turns.ts";

/** Name of the line job that sends the commands of a device. */
export const commandKind = "command";

/**
 * Sends the queued commands of devices, on all their lines at once and on each line one device after another,
 * and reads states after unknown outcomes.
 */
export const commandJob = lineJob<{ readonly deviceIds: readonly number[] }>({
  name: commandKind,
  payload: z.object({ deviceIds: z.array(z.int()) }),
  run: runLines,
});

/** Devices of a line in work: while one has the line, the outcome of another is stored. */
const atOnce = 2;
/** The commands of waiting devices are marked so often that they still have this job. */
const keepMs = 20_000;

async function runLines(
  services: Services,
  at: OpenLines,
  { deviceIds }: { readonly deviceIds: readonly number[] },
): Promise<void> {
  const { database, clock, log } = services;
  const waiting = new Set(deviceIds);
  const keep = setInterval(() => {
    keepPlanned(database.system, [...waiting], clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, "waiting commands could not be marked"),
    );
  }, keepMs);
  try {
    const lines = byLine(await askedTargets(database.system, deviceIds));
    const ends = await Promise.allSettled(
      lines.map(async (ids) => {
        const next = ids.values();
        const walk = async (): Promise<void> => {
          for (const id of next) {
            if (at.isEnding()) return;
            await runCommands(services, at, id);
            waiting.delete(id);
          }
        };
        await Promise.all(Array.from({ length: atOnce }, walk));
      }),
    );
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  } finally {
    clearInterval(keep);
    if (waiting.size > 0) await replanDevices(database.system, [...waiting]);
  }
}

/** The devices of each line, in the order of their ids; those without a line have one of their own. */
function byLine(devices: readonly AskedDevice[]): number[][] {
  const lines = new Map<string, number[]>();
  for (const device of devices.toSorted((one, other) => one.id - other.id)) {
    const key = lineOf(device)?.key ?? `device ${String(device.id)}`;
    lines.set(key, [...(lines.get(key) ?? []), device.id]);
  }
  return [...lines.values()];
}

/** Commands of one device that a job sends, so that other devices of the line get their turn. */
const mostInTurn = 10;

/** The state after an unknown outcome is read before another command can change it. */
async function runCommands(services: Services, at: OpenLines, deviceId: number): Promise<void> {
  const follow = async (turn: Turn | undefined): Promise<Turn | undefined> => {
    if (!turn?.device || !turn.follow || at.isEnding()) return turn;
    await followUp(services, at, { command: turn.follow, device: turn.device });
    return { ...turn, follow: undefined };
  };
  let turn = await follow(await nextTurn(services, deviceId));
  for (let count = 0; count < mostInTurn && !at.isEnding() && turn?.device && turn.command; count++) {
    const isNext = await runCommand(services, at, { command: turn.command, device: turn.device });
    turn = await nextTurn(services, deviceId);
    if (!isNext) break;
    turn = await follow(turn);
  }
  await follow(turn);
}

interface Asked {
  readonly command: OpenCommand;
  readonly device: AskedDevice;
}

/** Time limit of a dialogue. */
const longestMs = 120_000;

/** Opens a session that sends nothing after a time: a dialogue may be long before it sends the command itself. */
function open(services: Services, { lines }: OpenLines, { command, device }: Asked, untilSec: number) {
  const target = lineOf(device);
  return openSession(services, device, {
    kind: "request",
    taskId: command.taskId,
    line: target?.key ?? "",
    use: target && ((run) => lines.use(target, run)),
    sessionMs: Math.min(longestMs, Math.max(0, untilSec * 1000 - services.clock.nowMs())),
  });
}

/** Whether the next command of the device may follow. */
async function runCommand(services: Services, at: OpenLines, { command, device }: Asked): Promise<boolean> {
  const session = open(services, at, { command, device }, command.expiresAt);
  if (device.isPutAway || !session.isOpen) {
    const failure = session.isOpen
      ? ({ result: "no_line", message: "", says: "put_away" } as const)
      : session.failure;
    // A device without a line may get one before the command expires.
    if (failure.result === "no_line" && !device.isPutAway) return false;
    await settle(services, command, {
      ...failure,
      state: "failed",
      startedMs: null,
      exchange: session.exchange(failure),
    });
    return true;
  }
  const unbroken: { end?: () => void } = {};
  const takeNow = async (): Promise<boolean> => {
    if (at.isEnding()) return false;
    unbroken.end = at.beginUnbroken();
    return take(services, command, at.processId());
  };
  try {
    const outcome = await carryOut(services, session, command, takeNow);
    if (outcome.state === "left") {
      await replan(services.database.system, command.id, services.clock.now());
      return false;
    }
    const attempted = { ...command, attempts: command.attempts + 1 };
    await settle(services, attempted, { ...outcome, exchange: session.exchange(outcome) });
    return outcome.state !== "again";
  } finally {
    unbroken.end?.();
  }
}

const mostFollowed = 3;
const followPauseSec = 30;

async function followUp(services: Services, at: OpenLines, { command, device }: Asked): Promise<void> {
  const { database, clock } = services;
  const session = open(services, at, { command, device }, Infinity);
  const { read, failure } = session.isOpen ? await tried(services, session, command) : {};
  await database.system.transaction().execute(async (db) => {
    if (read) await noteStatus(db, device.id, read, clock.now());
    if (session.isOpen && (read ?? failure))
      await logExchanges(db, [session.exchange(failure ?? { result: "ok", message: "" })]);
    if (!read && failure && command.followTries + 1 < mostFollowed)
      await delayFollow(db, command.id, clock.now() + followPauseSec);
    else await endFollow(db, command.id, read);
  });
}

/** Another process may hold the line: the plan finds it. */
async function tried(services: Services, session: Session, command: OpenCommand) {
  try {
    return await readAfter(services, session, command);
  } catch (error) {
    if (!(error instanceof LineElsewhere)) throw error;
    return { failure: { result: "no_line", message: error.message } as const };
  }
}
