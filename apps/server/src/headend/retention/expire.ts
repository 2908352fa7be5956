import type { RetentionKind } from "@metrum/contract/headend";
import { dropExpired, partitionedTables, partitionsOf, type PartitionedTable, type Services } from "#core";
import { defaultMonths, expiredTo, kinds, monthsOf } from "./policy.ts";
import { deletedAtOnce, deleteExpired, deleteOld, noteExpired, policiesOf, type Kept } from "./store.ts";

type Deps = Pick<Services, "database" | "clock" | "log">;

/** Statements per run; the rest is deleted by the next run. A million rows. */
const mostStatements = 500;

/**
 * Deletes rows that have expired by the policies of the companies. Partitions contain rows of all companies:
 * one is dropped when it has expired for all; until then the rows of companies with a shorter retention are
 * deleted in small batches. Returns the kinds of which something may be deleted.
 */
export async function expireAll(deps: Deps): Promise<ReadonlySet<RetentionKind>> {
  const gone = new Set<RetentionKind>();
  for (const kind of kinds) if (await expireKind(deps, kind)) gone.add(kind);
  return gone;
}

/** Rows of the small logs, kept as long as the audit log whatever a company decides. */
export async function expireSmallLogs({ database, clock }: Deps): Promise<void> {
  const before = expiredTo(defaultMonths.audit, clock.now());
  if (before !== undefined) await deleteOld(database.pool, before);
}

async function expireKind(deps: Deps, kind: RetentionKind): Promise<boolean> {
  const tables = partitionedTables.filter(({ retention }) => retention?.kind === kind);
  if (tables.length === 0) return false;
  const { database, clock } = deps;
  const due = (await policiesOf(database.system, kind)).map((kept) => ({
    ...kept,
    to: expiredTo(monthsOf(kind, kept.months), clock.now()),
  }));
  const longest = leastOf(due.map(({ to }) => to));
  const isDropped = longest !== undefined && (await dropForAll(deps, { kind, tables, due, longest }));
  const done: Due[] = [];
  let left = mostStatements;
  for (const { to, ...kept } of due) {
    // The company with the longest retention keeps its rows until their partition is dropped.
    if (to === undefined || to === longest || to <= kept.expiredTo) continue;
    left = await expireCompany(deps, tables, { ...kept, to }, left);
    if (left === 0) break;
    done.push({ ...kept, to });
  }
  for (const [to, companyIds] of byEnd(done)) await noteExpired(database.system, kind, companyIds, to);
  return isDropped || left < mostStatements;
}

interface Due extends Kept {
  readonly to: number;
}

/** Undefined when one of them is, or there is none: some company keeps everything. */
function leastOf(ends: readonly (number | undefined)[]): number | undefined {
  let least: number | undefined;
  for (const to of ends) {
    if (to === undefined) return undefined;
    least = Math.min(least ?? to, to);
  }
  return least;
}

async function dropForAll(
  deps: Deps,
  of: {
    readonly kind: RetentionKind;
    readonly tables: readonly PartitionedTable[];
    readonly due: readonly Kept[];
    readonly longest: number;
  },
): Promise<boolean> {
  const { kind, tables, due, longest } = of;
  const gone: number[] = [];
  for (const table of tables) {
    const { goneTo } = await dropExpired(deps, table, longest);
    if (goneTo !== undefined) gone.push(goneTo);
  }
  if (gone.length === 0) return false;
  const ids = due.map(({ companyId }) => companyId);
  await noteExpired(deps.database.system, kind, ids, Math.max(...gone));
  return true;
}

/**
 * Deletes rows between the part already deleted and the end; returns how many statements are left, 0 when not
 * all rows could be deleted.
 */
async function expireCompany(
  { database }: Deps,
  tables: readonly PartitionedTable[],
  { companyId, expiredTo: from, to: before }: Due,
  statements: number,
): Promise<number> {
  let left = statements;
  for (const table of tables) {
    const partitions = await partitionsOf(database.pool, table);
    for (const partition of partitions.filter((each) => each.from < before && each.to > from)) {
      const expiring = { table, partition: partition.name, companyId, before };
      for (let deleted = deletedAtOnce; deleted === deletedAtOnce; left--) {
        if (left === 0) return 0;
        deleted = await deleteExpired(database.pool, expiring);
      }
    }
  }
  return left;
}

function byEnd(done: readonly Due[]): Map<number, number[]> {
  const ends = new Map<number, number[]>();
  for (const { to, companyId } of done) ends.set(to, [...(ends.get(to) ?? []), companyId]);
  return ends;
}
