/** How long the rows of a table are kept, and the column by which a row belongs to a company. */
export interface Retention {
  /** Kind of data in the retention policy: a name of `retentionKinds` of the contract. */
  readonly kind: "exchanges" | "revisions" | "quarantine" | "tasks" | "audit";
  readonly owner: "company_id" | "device_id";
}

/** A table that is partitioned by a range of its time. */
export interface PartitionedTable {
  readonly table: string;
  /** Column of the key that holds the time, and its unit. */
  readonly column: string;
  readonly unit: "seconds" | "milliseconds" | "timestamp";
  readonly length: "day" | "week" | "month";
  /** Number of partitions that the job creates in advance. */
  readonly ahead: number;
  /**
   * Calendar years before the present one that still have partitions of `length`; older years have one
   * partition each, so that late archives of decades are a few dozen tables and not hundreds.
   */
  readonly fineYears: number;
  /**
   * There is a default partition, TABLE_rest, created by the migration: a row whose time no partition holds
   * is stored there and never refused. For tables written with the clock of the server, where no partition
   * can be created while writing.
   */
  readonly hasRest?: boolean;
  /** Undefined: rows are kept forever. */
  readonly retention?: Retention;
}

const byMonth = { length: "month", ahead: 2, fineYears: 2 } as const;
/**
 * Log rows are written when the event happens: there are no late archives of them, and they expire by month.
 */
const ofEvents = { ...byMonth, fineYears: 20, hasRest: true } as const;

/**
 * All tables partitioned by time. A new one is declared here and created by a migration with `partition by
 * range (COLUMN)` and without partitions; `migrate` and the hourly job create those of the present and the
 * next months.
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
