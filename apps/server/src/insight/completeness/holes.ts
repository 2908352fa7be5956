import { pollResults, type PollResult } from "@metrum/contract/headend";
import type { HoleReason } from "@metrum/contract/insight";
import type { Slot } from "#metering/messages";
import type { ExchangeFact, Switched } from "./store.ts";

/** A state of the device or its polling since a time, until the next one. */
export interface Switch {
  readonly at: number;
  readonly isOn: boolean;
}

/** An archive that the meter stores and the platform requests. Times in epoch seconds. */
export interface MeterArchive {
  /** The meter no longer has slots before it. */
  readonly keptFrom: number;
  /** Slots before it were requested. */
  readonly askedTo: number;
  readonly newestPoll: ExchangeFact | undefined;
}

/** Stored facts about a device and a message type, all ascending. Times in epoch seconds. */
export interface Facts {
  readonly addedAt: number;
  /** The platform knew nothing of the device before: when it was added, or its first row, if that is earlier. */
  readonly absentTo: number;
  /** Rows whose values failed a check. */
  readonly untrusted: readonly number[];
  /** Receipts of readings in quarantine. */
  readonly quarantined: readonly number[];
  readonly exchanges: readonly ExchangeFact[];
  /** Start of the time whose exchanges were too many to read. */
  readonly unreadFrom: (slot: Slot) => number;
  readonly switches: Readonly<Record<Switched, readonly Switch[]>>;
  readonly archive: MeterArchive | undefined;
  /** Polled over a line; others send unasked. */
  readonly isPolled: boolean;
  readonly logFrom: number;
}

const utcDaySec = 86_400;

const reasonOfResult: Readonly<Record<PollResult, HoleReason>> = {
  ok: "no_values",
  timeout: "no_answer",
  checksum: "unreadable",
  unexpected: "unreadable",
  refused: "refused",
  unsupported: "refused",
  bad_password: "key",
  no_line: "line_down",
  line_busy: "line_busy",
  expired: "fault",
  internal: "fault",
};
const reasons = new Map(
  (Object.keys(pollResults) as PollResult[]).map((key) => [
    pollResults[key].id as number,
    reasonOfResult[key],
  ]),
);

/** The reason of a missing row, from stored facts alone; `unknown` if none of them explains it. */
export function reasonOf(slot: Slot, facts: Facts): HoleReason {
  const { from, to, since } = slot;
  if (hasWithin(facts.untrusted, since, to)) return "rejected";
  if (hasWithin(facts.quarantined, from, to)) return "clock";
  if (to <= facts.absentTo) return "before_added";
  if (facts.archive) return reasonInArchive(slot, facts, facts.archive);
  // Rows of this time were imported: no exchange can have brought them.
  if (to <= facts.addedAt) return "nothing_received";
  return reasonInLog(facts.exchanges, from, to) ?? reasonOfSilence(slot, facts);
}

/** No exchange of this time is known. */
function reasonOfSilence(slot: Slot, facts: Facts): HoleReason {
  const switched = switchedOff(slot, facts);
  if (switched) return switched;
  if (slot.from < facts.logFrom) return "log_expired";
  if (facts.isPolled || slot.to > facts.unreadFrom(slot)) return "unknown";
  return "nothing_received";
}

/** The widest scope that was off; the last two concern only devices that are polled. */
const reasonOfSwitch = [
  ["company", "company_off"],
  ["gateway", "gateway_off"],
  ["device", "switched_off"],
  ["polling", "not_scheduled"],
  ["group", "group_off"],
] as const satisfies readonly (readonly [Switched, HoleReason])[];

function switchedOff(slot: Slot, { switches, isPolled }: Facts): HoleReason | undefined {
  const found = reasonOfSwitch.find(
    ([what]) => (isPolled || (what !== "polling" && what !== "group")) && wasOff(switches[what], slot),
  );
  return found?.[1];
}

/** A slot that the meter may still have: what has kept the platform from requesting it since it was closed. */
function reasonInArchive(
  slot: Slot,
  facts: Facts,
  { keptFrom, askedTo, newestPoll }: MeterArchive,
): HoleReason {
  if (slot.from < askedTo) return "not_stored";
  if (slot.from < keptFrom) return "erased";
  const since = newestPoll && newestPoll.lastAt >= slot.to ? reasons.get(newestPoll.result) : undefined;
  if (since !== undefined && since !== "no_values") return since;
  return switchedOff(slot, facts) ?? "not_requested";
}

/** The most frequent result of the exchanges of a time; of equally frequent ones the latest. */
function reasonInLog(exchanges: readonly ExchangeFact[], from: number, to: number): HoleReason | undefined {
  const counts = new Map<HoleReason, number>();
  let [found, most]: [HoleReason | undefined, number] = [undefined, 0];
  // A row counts failures until the end of its day (UTC).
  const first = firstFrom(exchanges, ({ at }) => at, from - (from % utcDaySec));
  for (let nth = first; nth < exchanges.length; nth++) {
    const exchange = exchanges[nth];
    if (!exchange || exchange.at >= to) break;
    const { lastAt, result, n } = exchange;
    const reason = reasons.get(result);
    if (lastAt < from || reason === undefined) continue;
    const count = (counts.get(reason) ?? 0) + n;
    counts.set(reason, count);
    if (count >= most) [found, most] = [reason, count];
  }
  return found;
}

/** Whether something was off at any time of a slot, as far as recorded. */
function wasOff(switches: readonly Switch[], { from, to }: Slot): boolean {
  return switches.some(({ at, isOn }, nth) => !isOn && at < to && (switches[nth + 1]?.at ?? Infinity) > from);
}

/** Whether one of these times, ascending, is in [from, to). */
function hasWithin(times: readonly number[], from: number, to: number): boolean {
  return (times[firstFrom(times, (time) => time, from)] ?? Infinity) < to;
}

/** Index of the first item whose time is not before `from`; the items are in the order of their times. */
function firstFrom<Item>(items: readonly Item[], timeOf: (item: Item) => number, from: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && timeOf(item) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
