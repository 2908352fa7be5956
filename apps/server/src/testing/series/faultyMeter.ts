import type { QuarantineReason } from "@metrum/contract/metering";
import { fields, sources, statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { isTrusted, type Incoming } from "#metering/messages";

/** A reading for ingest, of one unreliable meter. */
export interface FaultyReading extends Pick<
  Incoming,
  "deviceId" | "ts" | "receivedAt" | "source" | "status"
> {
  readonly msgType: 1;
  readonly values: Readonly<Partial<Record<FieldName, number>>>;
}

/** A faulty reading, with the reason if its time stamp is implausible. */
export interface Sent {
  readonly reading: FaultyReading;
  readonly wrongClock: QuarantineReason | undefined;
}

/** Equal seeds give equal readings. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const slotSec = 600;
const daySec = 86_400;
const year2000 = Date.UTC(2000, 0, 1) / 1000;
const lateSec = 2 * 3600 + 900;
/** Maximum lead of a clock. */
const aheadSec = 600;
/** How many rows back, and how far, the value before a suspect one is searched. */
const mostBefore = 20;
const beforeSec = 62 * 86_400;
const names = ["battery", "in1", "tariff0", "tariff1", "temperature"] as const satisfies readonly FieldName[];

/**
 * A meter that counts correctly and reports badly: out of order, repeatedly, in parts, with counters that
 * decrease, roll over or were reset, with manual, corrected or rejected readings, and with a clock that is
 * years behind or hours ahead.
 */
export function* faultyReadingsOf(
  deviceId: DeviceId,
  start: number,
  random: (below: number) => number,
): Generator<Sent, never> {
  const sent: FaultyReading[] = [];
  let [slot, count] = [0, capacity - 10 + random(20)];
  for (;;) {
    const before = sent[random(sent.length + 1)];
    if (before && random(4) === 0) {
      yield { reading: repeated(before, random), wrongClock: undefined };
      continue;
    }
    slot += 1 + random(3);
    // Occasionally the counter is reset, or a value is misread.
    count = random(40) === 0 ? random(5) : (count + random(6)) % capacity;
    const shown = random(25) === 0 ? Math.max(0, count - 1 - random(50)) : count;
    const ts = start + (random(6) === 0 ? Math.max(0, slot - random(30)) : slot) * slotSec;
    const reading: FaultyReading = {
      deviceId,
      msgType: 1,
      ts,
      receivedAt: ts + (random(8) === 0 ? lateSec + 60 : random(20) === 0 ? -aheadSec : 1),
      source: random(2) === 0 ? "polled" : "pushed",
      values: some(
        { tariff0: shown, tariff1: shown, in1: slot, battery: 3 + random(2), temperature: random(30) },
        random,
      ),
    };
    if (random(30) === 0) {
      yield withWrongClock(reading, random);
      continue;
    }
    sent.push(reading);
    yield { reading, wrongClock: undefined };
  }
}

/** The clock of the meter was set to another year, has stopped, or is hours ahead. */
function withWrongClock(reading: FaultyReading, random: (below: number) => number): Sent {
  const { receivedAt, source } = reading;
  const oldest = receivedAt - (source === "pushed" ? 366 : 62) * daySec;
  const clocks: readonly (readonly [QuarantineReason, number])[] = [
    ["before_2000", year2000 - 1 - random(1_000_000)],
    ["too_old", year2000 + random(1_000_000)],
    ["too_old", oldest - 1 - random(1_000_000)],
    ["clock_ahead", receivedAt + aheadSec + 1 + random(22 * 3600)],
  ];
  const [wrongClock, ts] = clocks[random(clocks.length)] ?? ["before_2000", 0];
  return { reading: { ...reading, ts }, wrongClock };
}

/** The same slot again: unchanged, with another value, with other fields, or with an explicit status. */
function repeated(reading: FaultyReading, random: (below: number) => number): FaultyReading {
  const receivedAt = reading.receivedAt + 1 + random(9_000);
  const moved = Object.fromEntries(
    Object.entries(reading.values).map(([name, value]) => [name, Math.max(0, value + random(7) - 3)]),
  );
  const kind = random(7);
  if (kind === 0) return { ...reading, receivedAt };
  if (kind === 1) return { ...reading, receivedAt, values: { ...moved, battery: 5 } };
  if (kind === 2) return { ...reading, receivedAt, source: "manual", values: some(moved, random) };
  if (kind === 3)
    return { ...reading, receivedAt, source: "imported", status: "corrected", values: some(moved, random) };
  if (kind === 4) return { ...reading, receivedAt, status: "rejected", values: moved };
  if (kind === 5) return { ...reading, receivedAt, status: "estimated", values: moved };
  return { ...reading, receivedAt, values: moved };
}

function some(
  values: Readonly<Partial<Record<FieldName, number>>>,
  random: (below: number) => number,
): FaultyReading["values"] {
  const all = Object.entries(values);
  const kept = random(3) === 0 ? all.filter(() => random(2) === 0) : all;
  return Object.fromEntries(kept.length > 0 ? kept : all.slice(0, 1));
}

interface At {
  readonly ts: number;
  readonly value: number;
  readonly status?: number;
}

interface Known extends At {
  readonly status: number;
}

const loadSec = 40 * daySec;

/** Capacity of the counters of these meters, and the hours at full load that it is enough for. */
export const capacity = 10_000;
export const holdsHours = 434;
/** Units a second. */
const fullLoad = capacity / holdsHours / 3600;

/** Growth a second over a series of values. */
function mean(run: readonly At[]): number | undefined {
  const [first, last] = [run[0], run.at(-1)];
  return first && last && last.ts > first.ts ? (last.value - first.value) / (last.ts - first.ts) : undefined;
}

/** The same, if it is known of a day. */
const usual = (run: readonly At[]): number | undefined =>
  (run.at(-1)?.ts ?? 0) - (run[0]?.ts ?? 0) >= daySec ? mean(run) : undefined;

/**
 * More than an overloaded meter counts; or more than it does at a quarter of its full load, and more than five times
 * what is usual: in a day, as an hour may have all that a day has. A meter of whole numbers may show one more.
 */
function isTooMuch([before, now]: readonly [At, At], load: number | undefined): boolean {
  const [by, sec] = [now.value - before.value, now.ts - before.ts];
  if (by > 1.25 * fullLoad * Math.max(sec, 3600) + 1.1) return true;
  const daily = Math.max(sec, daySec);
  return load !== undefined && by > (fullLoad / 4) * daily + 0.1 && by > 5 * load * daily + 1.1;
}

/** Of forty days, of their last half, of the last half of these and so on, eleven times: the first value; and the last. */
function lookedAt(values: readonly At[], until: number): At[] {
  const spans = Array.from({ length: 12 }, (_, n) => until - Math.round(loadSec / 2 ** n));
  const firsts = spans.map((since, n) =>
    values.find(({ ts }) => ts >= since && ts < (spans[n + 1] ?? Infinity)),
  );
  const all = [...firsts, values.at(-1)].flatMap((each) => each ?? []);
  return all.filter((each, at) => each.ts !== all[at - 1]?.ts);
}

/** An accepted value. */
export interface Accepted {
  readonly value: number;
  readonly status: number;
  readonly source: number;
  readonly receivedAt: number;
}

type Values = Map<FieldName, Accepted>;

/** Computes the expected state of one meter's readings, from the rules alone, independent of the store. */
export class Oracle {
  readonly rows = new Map<number, Values>();
  /** Times of the rows, ascending. */
  readonly #times: number[] = [];
  /** Rows that are not stored, with the reason. */
  readonly quarantined: { readonly ts: number; readonly reason: QuarantineReason }[] = [];

  /** Applies the readings in the order of their acknowledgement. */
  take({ reading, wrongClock }: Sent): void {
    if (wrongClock) {
      this.quarantined.push({ ts: reading.ts, reason: wrongClock });
      return;
    }
    const row = this.rows.get(reading.ts);
    const judged = this.judged(reading, row);
    if (!row) {
      this.rows.set(reading.ts, judged);
      this.#times.splice(this.#firstFrom(reading.ts), 0, reading.ts);
      return;
    }
    for (const [name, next] of judged) {
      const standing = row.get(name);
      if (!standing) row.set(name, next);
      else if (takesPlace(standing, next, reading)) row.set(name, next);
    }
  }

  private judged(reading: FaultyReading, row: Values | undefined): Values {
    const isDecided = reading.status !== undefined || reading.source === "manual";
    const isLate =
      (reading.source === "polled" || reading.source === "pushed") &&
      reading.receivedAt - reading.ts > lateSec;
    const own = reading.status ?? (reading.source === "manual" ? "manual" : isLate ? "late" : "measured");
    const judged: Values = new Map();
    for (const name of names) {
      const value = reading.values[name];
      if (value === undefined) continue;
      const isSuspect =
        !isDecided && fields[name].kind === "counter" && this.isDoubted({ name, value, ts: reading.ts }, row);
      const status = statuses[isSuspect ? "suspect" : own].id;
      judged.set(name, { value, status, source: sources[reading.source], receivedAt: reading.receivedAt });
    }
    return judged;
  }

  private isDoubted(
    { name, value, ts }: { name: FieldName; value: number; ts: number },
    row: Values | undefined,
  ): boolean {
    const standing = row?.get(name);
    const now = { ts, value };
    if (!standing) {
      const latest = this.latest(name);
      return latest !== undefined && latest.ts < ts && !this.canFollow(name, latest, now);
    }
    if (value === standing.value) return false;
    const before = this.before(name, ts);
    return before === undefined ? !isTrusted(standing.status) : !this.canFollow(name, before, now);
  }

  /**
   * What follows a trusted value must be counted on from it. After a doubted value, the one or the other may have been
   * the odd one: nothing is known of the load of a meter that has just begun.
   */
  private canFollow(name: FieldName, before: Known, now: At): boolean {
    if (isTrusted(before.status)) return !this.isUnknown(name, [before, now]);
    const isHigher = now.value >= before.value;
    if (isHigher ? !isTooMuch([before, now], undefined) : !this.isUnknown(name, [before, now])) return true;
    const trusted = this.trusted(name, before.ts).at(-1);
    return trusted !== undefined && !this.isUnknown(name, [trusted, now]);
  }

  /** What was counted between two values is not known. */
  isUnknown(name: FieldName, [before, now]: readonly [At, At]): boolean {
    if (now.value < before.value) return this.hasFallen(name, [before, now]);
    if (now.status === statuses.manual.id || now.status === statuses.corrected.id) return false;
    return isTooMuch([before, now], usual(this.run(name, before.ts)));
  }

  /** A decrease is a rollover near the ends of the counter if its growth fits the load of the forty days before. */
  private hasFallen(name: FieldName, [before, now]: readonly [At, At]): boolean {
    if (before.value <= capacity * 0.9 || before.value > capacity || now.value >= capacity * 0.1) return true;
    const load = mean(this.run(name, before.ts));
    if (load === undefined) return true;
    const [by, sec] = [capacity - before.value + now.value, Math.max(3600, now.ts - before.ts)];
    return by > load * sec * 5 + 1.1 || by > fullLoad * sec * 1.25 + 1.1;
  }

  /** The values that are looked at since the last fall, or the last growth that was too much. */
  private run(name: FieldName, until: number): readonly At[] {
    let run: At[] = [];
    for (const each of lookedAt(this.trusted(name, until), until)) {
      const last = run.at(-1);
      const isBroken = last && (each.value < last.value || isTooMuch([last, each], usual(run)));
      run = isBroken ? [each] : [...run, each];
    }
    const [first, second] = run;
    const rest = run.slice(1);
    return first && second && isTooMuch([first, second], usual(rest)) ? rest : run;
  }

  /** Trusted values of the forty days up to an instant. */
  private trusted(name: FieldName, until: number): At[] {
    const times = this.#times.slice(this.#firstFrom(until - loadSec), this.#firstFrom(until + 1));
    return times.flatMap((ts) => {
      const value = this.rows.get(ts)?.get(name);
      return value && isTrusted(value.status) ? [{ ts, value: value.value }] : [];
    });
  }

  private before(name: FieldName, ts: number): Known | undefined {
    const end = this.#firstFrom(ts);
    const earlier = this.#times.slice(Math.max(0, end - mostBefore), end).filter((at) => at > ts - beforeSec);
    for (const at of earlier.toReversed()) {
      const value = this.rows.get(at)?.get(name);
      if (value && value.status !== statuses.rejected.id)
        return { ts: at, value: value.value, status: value.status };
    }
    return undefined;
  }

  /** The newest value of a field that is not rejected. */
  latest(name: FieldName): (Accepted & { readonly ts: number }) | undefined {
    for (let at = this.#times.length - 1; at >= 0; at--) {
      const ts = this.#times[at] ?? 0;
      const value = this.rows.get(ts)?.get(name);
      if (value && value.status !== statuses.rejected.id) return { ...value, ts };
    }
    return undefined;
  }

  /** Index of the first row that is not before this time. */
  #firstFrom(ts: number): number {
    const at = this.#times.findLastIndex((each) => each < ts);
    return at + 1;
  }
}

const rankOf = (id: number): number => Object.values(statuses).find((status) => status.id === id)?.rank ?? 0;

/** The sources of measured values, that which counts first. */
const order: readonly number[] = [sources.polled, sources.pushed, sources.imported];

function isSecond(standing: Accepted, next: Accepted): boolean {
  const isMeasured = ({ status }: Accepted): boolean =>
    status === statuses.measured.id || status === statuses.late.id;
  const [own, other] = [order.indexOf(standing.source), order.indexOf(next.source)];
  return isMeasured(standing) && isMeasured(next) && own >= 0 && other > own;
}

function takesPlace(standing: Accepted, next: Accepted, reading: FaultyReading): boolean {
  const [before, now] = [rankOf(standing.status), rankOf(next.status)];
  if (next.value !== standing.value) return now >= before && !isSecond(standing, next);
  const isDecided = reading.status !== undefined || reading.source === "manual";
  return now > before && (isDecided || isTrusted(standing.status));
}
