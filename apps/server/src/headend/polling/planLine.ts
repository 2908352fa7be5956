import type { PlanLine } from "@metrum/contract/headend";

/** A device as the plan of its line sees it. */
export interface LineDevice {
  readonly id: number;
  /** Part of the plan; others only share the line. */
  readonly isOwn: boolean;
  /** When its request is due: now or earlier if it waits already; undefined: it is not polled. */
  readonly dueAt: number | undefined;
  /** Its request waits for the line. */
  readonly isWaiting: boolean;
  /** It, its group or its gateway is switched off, and no request is waiting for it. */
  readonly isOff: boolean;
  readonly isSilent: boolean;
  readonly intervalSec: number;
  /** Measured time of an exchange; undefined: neither it nor a similar device was ever polled. */
  readonly exchangeSec: number | undefined;
}

/** Why no device of a line can be polled now; a line in use by a transparent port is free at `until`. */
export type Block =
  | { readonly reason: "lent"; readonly until: number }
  | { readonly reason: "not_connected" | "no_port" | "no_address"; readonly until: undefined };

export interface LineFacts {
  readonly now: number;
  /** Least seconds between the beginnings of two polls of the line. */
  readonly pauseSec: number;
  readonly devices: readonly LineDevice[];
  /** Requests to unknown devices of the line that come before these, and the time of one. */
  readonly ahead: { readonly count: number; readonly eachSec: number };
  /** The exchange that runs: whether with a device of the plan, since when, and how long it usually takes. */
  readonly running:
    | { readonly isOwn: boolean; readonly startedAt: number; readonly usualSec: number }
    | undefined;
  readonly block: Block | undefined;
}

type Planned = Omit<PlanLine, "line" | "gateway" | "running">;

/**
 * The round of a line: each of its devices is polled once, one after another in the order in which they are
 * due, after the running exchange and the requests ahead.
 * - A silent device costs what its failed exchanges took, which is the time limit with all retries.
 * - A line that cannot be opened asks nobody: it has no end, and delays no other.
 * - A device that is switched off, or whose group or gateway is, is not asked and takes no time.
 * - A lent line begins when it is due back.
 * - Polls begin at least the pause of the line apart.
 * - A device without any measured time makes the end unknown.
 */
export function planLine(facts: LineFacts): Planned {
  const own = facts.devices.filter(({ isOwn }) => isOwn);
  const left = own.filter(({ dueAt }) => dueAt !== undefined);
  const measured = left.flatMap(({ exchangeSec }) => exchangeSec ?? []);
  const round = runRound(facts);
  return {
    device_count: own.length,
    left_count: left.length,
    waiting_count: left.filter(({ isWaiting }) => isWaiting).length,
    off_count: own.filter(({ isOff }) => isOff).length,
    silent_count: own.filter(({ isSilent }) => isSilent).length,
    ahead_count: facts.ahead.count + round.before,
    exchange_sec: measured.length === 0 ? null : median(measured),
    ...stateOf(facts, { own, left, round, isKnown: measured.length === left.length }),
  };
}

interface Progress {
  readonly own: readonly LineDevice[];
  /** Those still to be polled in this round. */
  readonly left: readonly LineDevice[];
  readonly round: ReturnType<typeof runRound>;
  /** The time of each is known. */
  readonly isKnown: boolean;
}

type State = Pick<PlanLine, "state" | "reason" | "starts_at" | "ends_at" | "load">;

const unknown = { starts_at: null, ends_at: null, load: null };

function stateOf(facts: LineFacts, progress: Progress): State {
  const { running, block } = facts;
  const { own, left, round } = progress;
  if (running?.isOwn && left.length === 0)
    return { ...unknown, ends_at: Math.ceil(round.endsAt), state: "running", reason: null };
  if (left.length === 0)
    return {
      ...unknown,
      state: "stopped",
      reason: own.some(({ isOff }) => isOff) ? "switched_off" : "nothing_due",
    };
  if (block && block.until === undefined) return { ...unknown, state: "stopped", reason: block.reason };
  return roundState(facts, progress);
}

/** Of a working line: until when it is busy, or what it waits for. */
function roundState(
  { now, devices, running, block, pauseSec }: LineFacts,
  { left, round, isKnown }: Progress,
): State {
  const waits = left.some(({ isWaiting, dueAt = 0 }) => isWaiting || dueAt <= now);
  const waitsFor = waits ? "queue" : "schedule";
  const reason = block?.reason ?? (running?.isOwn ? null : waitsFor);
  const state = running?.isOwn ? "running" : waits ? "waiting" : "planned";
  if (!isKnown) return { ...unknown, state, reason: "not_measured" };
  return {
    state,
    reason,
    starts_at: Math.round(round.startsAt),
    ends_at: Math.ceil(round.endsAt),
    load: loadOf(devices, pauseSec),
  };
}

/**
 * Polls one device after another; none before it is due, and none while the line has another use. Devices of
 * other plans take their turn, and the round ends with the last device of this one.
 */
function runRound({ now, pauseSec, devices, ahead, running, block }: LineFacts) {
  const round = devices
    .filter(({ dueAt }) => dueAt !== undefined)
    .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || a.id - b.id);
  const free = Math.max(now, block?.until ?? 0, running ? running.startedAt + running.usualSec : 0);
  let at = free + ahead.count * ahead.eachSec;
  let startsAt: number | undefined;
  let endsAt = at;
  let before = 0;
  for (const { dueAt = now, exchangeSec = 0, isOwn } of round) {
    at = Math.max(at, dueAt);
    if (isOwn) startsAt ??= at;
    else if (startsAt === undefined && dueAt <= now) before += 1;
    if (isOwn) endsAt = at + exchangeSec;
    at += Math.max(exchangeSec, pauseSec);
  }
  return { startsAt: startsAt ?? at, endsAt, before };
}

/** Share of time in which the line is busy when each device is polled at its own interval. */
function loadOf(devices: readonly LineDevice[], pauseSec: number): number {
  return devices
    .filter(({ dueAt }) => dueAt !== undefined)
    .reduce(
      (load, { exchangeSec = 0, intervalSec }) => load + Math.max(exchangeSec, pauseSec) / intervalSec,
      0,
    );
}

/** The middle value. Errors: Error for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no value has no median");
  return middle;
}
