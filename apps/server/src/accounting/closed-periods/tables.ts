import type { AccountingPointId, Branded, CompanyId, UserId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export type PeriodId = Branded<"settlementPeriod">;

/** Exact decimals: read as text. */
type Decimal = ColumnType<string, number | string, never>;
type MaybeDecimal = ColumnType<string | null, number | string | null, never>;

/** Calendar days, both inclusive, that every point takes as days of its own zone. */
export interface SettlementPeriodTable {
  id: Generated<PeriodId>;
  company_id: CompanyId;
  from_day: string;
  to_day: string;
  state: "open" | "closed";
  /** The newest stored version; 0: none. */
  version: Generated<number>;
  closed_at: number | null;
  closed_by: UserId | null;
  reopened_at: number | null;
  reopened_by: UserId | null;
  reopen_reason: string | null;
  /** Points whose present totals differ from the newest version, as counted at `compared_at`. */
  differing: Generated<number>;
  compared_at: number | null;
  /** Set in the transaction of whatever changes a day of the closed period (migration 0104). */
  is_stale: Generated<boolean>;
}

/** A stored version of all totals; never altered. */
export interface PeriodVersionTable {
  period_id: PeriodId;
  company_id: CompanyId;
  version: number;
  kind: "close" | "correction";
  reason: string;
  made_at: number;
  user_id: UserId | null;
  points: number;
  lacking: number;
  estimated: number;
  digest: string;
}

/** Total of a point and register in a version, with what named the point then. */
export interface PeriodTotalTable {
  period_id: PeriodId;
  version: number;
  company_id: CompanyId;
  point_id: AccountingPointId;
  field: string;
  name: string;
  resource_type_id: number;
  timezone: string;
  amount: MaybeDecimal;
  /** Part of it that a gap brings which began in a closed period before. */
  carried: Decimal;
  estimated: Decimal;
  /** Of the main register; null: no share of losses held, or the version is older than migration 0117. */
  loss: MaybeDecimal;
  length_sec: number;
  covered_sec: number;
  start_value: number | null;
  end_value: number | null;
  flags: number;
  status: number | null;
  computed_at: number | null;
}

declare module "#core" {
  interface Tables {
    settlement_period: SettlementPeriodTable;
    period_version: PeriodVersionTable;
    period_total: PeriodTotalTable;
  }
}
