import { pointRecount } from "#accounting/accounting-points";
import { periodRecount } from "#accounting/periods";
import { pause, type Services } from "#core";
import { deviceRecount, virtualRecount, type Difference, type Recount } from "#metering/messages";

/**
 * Every stored number that is computed of others, and what it is recounted from:
 *
 * - `reading_day`, `device_latest`, the times of `device_state`: from `message`; `quarantine_count`: from the waiting rows of
 *   `reading_quarantine`
 * - derived rows in `message` (types 5, 100, 101): from its readings; rows of virtual devices: from those of their sources
 * - `point_day`, recognised events of `point_event`: from the counters in `message`, ties, ratios and added amounts
 * - `point_month`: from `point_day`
 * - `period_version` (counts, and the digest of amounts, carried parts, estimates and losses): from its own `period_total`,
 *   since what was billed stays; `settlement_period.differing`: from `point_day`
 *
 * Nothing is stored of balances, of totals of open periods, of charts and of completeness: they are computed of these
 * when they are asked for. Not recounted: `message_revision`, `reading_quarantine`, `validation_exception` (records of what
 * was found, not functions of what is stored now), and the counters of `object_node`, which hold no readings and have
 * their own call.
 */
export const recountsOf = (services: Services): readonly Recount[] => [
  deviceRecount(services),
  virtualRecount(services),
  pointRecount(services),
  periodRecount(services),
];

export interface Wanted {
  /** Absent: all companies. */
  readonly companyId?: number | undefined;
  readonly isRepair: boolean;
  readonly recounts: readonly Recount[];
  /** Seconds before each further look at what waits to be computed. */
  readonly pausesSec?: readonly number[];
  readonly onDifference: (difference: Difference) => void;
  readonly onFailure: (of: string, error: unknown) => void;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly of: string;
  readonly done: number;
  /** Units of all recounts, in their order. */
  readonly totals: readonly { readonly of: string; readonly total: number }[];
  readonly rows: number;
}

export interface Outcome {
  readonly rows: number;
  readonly differing: number;
  /** Differing numbers that no worker computes. */
  readonly notMarked: number;
  /** Could not be recounted. */
  readonly failed: number;
  /** Devices, points and periods of which something still waits to be computed. */
  readonly waiting: number;
}

const sideBySide = 2;
const usualPausesSec = [10, 20, 30, 60];

/** A device, point or period that is looked at again, and its differences that were reported. */
interface Postponed {
  readonly recount: Recount;
  readonly id: number;
  readonly since: number;
  readonly reported: Set<string>;
}

interface Run {
  readonly wanted: Wanted;
  readonly counts: { rows: number; differing: number; notMarked: number; failed: number };
}

/**
 * Recounts every stored number. What is marked to be computed, and what changed while it was recounted, is looked at
 * again; only what differs in two looks in the same way is reported.
 */
export async function recountAll(services: Pick<Services, "clock">, wanted: Wanted): Promise<Outcome> {
  const counts = { rows: 0, differing: 0, notMarked: 0, failed: 0 };
  const run: Run = { wanted, counts };
  const totals: { of: string; total: number }[] = [];
  for (const { of, count } of wanted.recounts) totals.push({ of, total: await count(wanted.companyId) });
  let postponed: Postponed[] = [];
  for (const recount of wanted.recounts) {
    let done = 0;
    await eachId(recount, wanted.companyId, async (id) => {
      postponed.push(...(await look(run, { recount, id, reported: new Set() })));
      done += 1;
      wanted.onProgress({ of: recount.of, done, totals, rows: counts.rows });
    });
  }
  for (const sec of wanted.pausesSec ?? usualPausesSec) {
    if (postponed.length === 0) break;
    await pause(services.clock, sec * 1000);
    const again: Postponed[] = [];
    for (const each of postponed) again.push(...(await look(run, each)));
    postponed = again;
  }
  return { ...counts, waiting: postponed.length };
}

/** Some at a time, in the order of their ids. */
async function eachId(
  { idsAfter }: Recount,
  companyId: number | undefined,
  run: (id: number) => Promise<void>,
): Promise<void> {
  let last = 0;
  for (;;) {
    const ids = [...(await idsAfter(last, companyId))];
    last = ids.at(-1) ?? last;
    if (ids.length === 0) return;
    const work = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) await run(id);
    };
    await Promise.all(Array.from({ length: sideBySide }, work));
  }
}

type Looked = Omit<Postponed, "since"> & Partial<Pick<Postponed, "since">>;

/** Reports what is wrong; returns the rest to be looked at later, if there is any. */
async function look({ wanted, counts }: Run, looked: Looked): Promise<Postponed[]> {
  const { recount, id, reported } = looked;
  try {
    const first = await recount.examine(id, looked.since);
    counts.rows += first.rows;
    const open = first.differences.filter((each) => !reported.has(keyOf(each)));
    if (open.length === 0) return [];
    const since = Math.min(...open.map(({ from }) => from));
    if (open.every(({ waits }) => waits)) return [{ recount, id, since, reported }];
    const before = new Set(open.map(keyOf));
    const now = (await recount.examine(id, since)).differences.filter((each) => !reported.has(keyOf(each)));
    const wrong = now.filter((each) => !each.waits && before.has(keyOf(each)));
    await report({ wanted, counts }, looked, wrong);
    return now.length > wrong.length ? [{ recount, id, since, reported }] : [];
  } catch (error) {
    counts.failed += 1;
    wanted.onFailure(`${recount.of}, id ${String(id)}`, error);
    return [];
  }
}

async function report(
  { wanted, counts }: Run,
  { recount, id, reported }: Looked,
  wrong: readonly Difference[],
): Promise<void> {
  for (const each of wrong) {
    reported.add(keyOf(each));
    wanted.onDifference(each);
  }
  counts.differing += wrong.length;
  if (wanted.isRepair && wrong.length > 0) counts.notMarked += (await recount.markDue(id, wrong)).length;
}

const keyOf = ({ kind, id, at, stored, recounted }: Difference): string =>
  [kind, id, at, stored, recounted].join("|");
