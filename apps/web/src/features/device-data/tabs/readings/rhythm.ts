import type { TabKey } from "@metrum/vocabulary";
import { kindOf } from "../registry.ts";

/** Requested data, which determines how often rows are due. */
export interface Asked {
  readonly tab: TabKey;
  readonly msgType: number;
  readonly profile: 30 | 60;
}

const day = 86_400;
const archiveSteps: Readonly<Record<number, number>> = {
  100: 3600,
  101: day,
  102: 7 * day,
  // A month has no fixed length: one and a half of the longest is still less than two.
  103: 31 * day,
  104: 92 * day,
  105: 184 * day,
  106: 366 * day,
};

/**
 * Expected seconds between two rows: of the profile, of the archive, else the polling interval of the device.
 */
export function stepOf(asked: Asked, device: { readonly report_period_update: number }): number {
  const { tab, msgType, profile } = asked;
  return kindOf(tab).intervalSec?.(profile) ?? archiveSteps[msgType] ?? device.report_period_update;
}
