import type { AccessRecord, Company } from "@metrum/contract";

/** At this many whole days left, and below it, the dialog after signing in warns (SHELL-018). */
const dialogDays = 5;
/** Below so many the indicator informs, below so many it warns. */
const indicatorDays = 5;
const warningDays = 2;

export interface Expiry {
  /** Whole days left, rounded down; negative once it is over, null without an end. */
  readonly daysLeft: number | null;
  readonly hasDialog: boolean;
  /** Colour of the indicator; null: there is none. */
  readonly indicator: "info" | "warning" | null;
}

/** What is said about the end of the licence, in the cloud of the company. */
export function expiryOf(
  { license_days_left: daysLeft }: Pick<AccessRecord, "license_days_left">,
  { is_demo }: Pick<Company, "is_demo">,
): Expiry {
  return {
    daysLeft,
    hasDialog: daysLeft !== null && daysLeft <= dialogDays,
    indicator: indicatorOf(daysLeft, is_demo),
  };
}

function indicatorOf(daysLeft: number | null, isDemo: boolean): Expiry["indicator"] {
  if (daysLeft !== null && daysLeft < warningDays) return "warning";
  return isDemo || (daysLeft !== null && daysLeft < indicatorDays) ? "info" : null;
}
