/** How long the rows of a table are kept, and by which column a row is found to be of a company. */
export interface Retention {
  /** What the policy of a company says of: a name of `retentionKinds` of the contract. */
  readonly kind: "exchanges" | "revisions" | "quarantine" | "tasks" | "audit";
  readonly owner: "company_id" | "device_id";
}

/** A table that is partitioned by a range of its time. */
export interface PartitionedTable {
  readonly table: string;
  /** Column of the key that holds the time, and what it counts. */
  readonly column: string;
  readonly unit: "seconds" | "milliseconds" | "timestamp";
  readonly length: "day" | "week" | "month";
  /** Partitions that the job makes before their time. */
  readonly ahead: number;
  /**
   * Calendar years before the present one that still have partitions of `length`; what is older shares one a year, so that late
   * archives of decades are a few dozen tables and not hundreds.
   */
  readonly fineYears: number;
  /**
   * There is a default partition, TABLE_rest, made by the migration: a row whose time no partition holds is stored there and never
   * refused. For tables that are written with the clock of the server, where nobody can make a partition on the way.
   */
  readonly hasRest?: boolean;
  /** Undefined: rows are kept for good. */
  readonly retention?: Retention;
}

const byMonth = { length: "month", ahead: 2, fineYears: 2 } as const;
/** Rows that tell what happened come when it happens: there is no late archive of them, and they go by the month. */
const ofEvents = { ...byMonth, fineYears: 20, hasRest: true } as const;

/**
 * Every table that is partitioned by time. A new one is declared here and made by a migration with `partition by range (COLUMN)`
 * and without partitions; `migrate` and the hourly job make those of the present and of the next months.
 */
export const partitionedTables: readonly PartitionedTable[] = [
  { ...byMonth, table: "message", column: "ts", unit: "seconds" },
  { ...byMonth, table: "journal_event", column: "ts", unit: "seconds" },
  {
    ...byMonth,
    table: "message_revision",
    column: "replaced_at",
    unit: "milliseconds",
    retention: { kind: "revisions", owner: "device_id" },
  },
  {
    ...ofEvents,
    table: "poll_log",
    column: "started_ms",
    unit: "milliseconds",
    retention: { kind: "exchanges", owner: "device_id" },
  },
  {
    ...ofEvents,
    table: "device_task",
    column: "created_at",
    unit: "seconds",
    retention: { kind: "tasks", owner: "company_id" },
  },
  {
    ...ofEvents,
    table: "device_task_item",
    column: "created_at",
    unit: "seconds",
    retention: { kind: "tasks", owner: "company_id" },
  },
  {
    ...ofEvents,
    table: "audit",
    column: "at",
    unit: "timestamp",
    retention: { kind: "audit", owner: "company_id" },
  },
  {
    ...ofEvents,
    table: "reading_quarantine",
    column: "received_at",
    unit: "seconds",
    retention: { kind: "quarantine", owner: "device_id" },
  },
  {
    ...ofEvents,
    table: "uplink_aside",
    column: "received_at",
    unit: "seconds",
    retention: { kind: "quarantine", owner: "company_id" },
  },
];

export function partitionedTable(name: string): PartitionedTable {
  const found = partitionedTables.find(({ table }) => table === name);
  if (!found) throw new Error(`${name} is not declared as a partitioned table`);
  return found;
}
