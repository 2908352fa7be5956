import type { PeriodState } from "@metrum/contract/accounting";
import type { PeriodRow } from "./readStore.ts";

/** State on the wire. */
export function stateOf(
  row: Pick<PeriodRow, "state" | "reopened_at"> | undefined,
  isOverNow: boolean,
): PeriodState {
  if (row?.state === "closed") return "closed";
  if (row && row.reopened_at !== null) return "reopened";
  return isOverNow ? "open" : "running";
}
