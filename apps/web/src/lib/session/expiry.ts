import type { AccessRecord, Company } from "@metrum/contract/access";

/** From this number of remaining whole days on, the dialog after signing in warns (SHELL-018). */
const dialogDays = 5;
/** Below these numbers the indicator informs and warns. */
const indicatorDays = 5;
const warningDays = 2;

export interface Expiry {
  /** Remaining whole days, rounded down; negative after the expiry, null without one. */
  readonly daysLeft: number | null;
  readonly hasDialog: boolean;
  /** Colour of the indicator; null: none. */
  readonly indicator: "info" | "warning" | null;
}

/** Notice about the expiry of the licence, in the cloud of the company. */
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
