/** Values of security rules 2.5 and 2.6. */
export const windowMs = 15 * 60_000;

/** Failures of each kind of subject within the window that require a captcha, and that lock. */
const limits = {
  account: { captcha: 3, lock: 10, kept: 10 },
  code: { captcha: Infinity, lock: 5, kept: 5 },
  // More than the captcha threshold, so that attempts taken back keep the others in the row.
  address: { captcha: 10, lock: Infinity, kept: 128 },
  // Registrations: of a network, and of the whole installation, against a flood from many networks.
  network: { captcha: 10, lock: 40, kept: 40 },
  registrations: { captcha: 40, lock: 240, kept: 240 },
} as const;

export type Kind = keyof typeof limits;

export interface Standing {
  /** An attempt needs a captcha, whatever the password. */
  readonly captchaNeeded: boolean;
  /** Sign-in to this account is locked, whatever the password. */
  readonly locked: boolean;
}

/** A failure so far ahead is one of a clock that was set back since: it would lock for as long as that was wrong. */
const isPossible = (at: number, nowMs: number): boolean => at <= nowMs + windowMs;

/**
 * State of one subject after its failures (epoch milliseconds, ascending). A lock lasts one window from its
 * last failure.
 */
export function standingOf(kind: Kind, failedAt: readonly number[], nowMs: number): Standing {
  const { captcha, lock } = limits[kind];
  const possible = failedAt.filter((at) => isPossible(at, nowMs));
  const recent = possible.filter((at) => at > nowMs - windowMs);
  const last = possible.slice(-lock);
  const [first = 0] = last;
  const newest = last.at(-1) ?? 0;
  const locked = last.length >= lock && newest - first < windowMs && newest > nowMs - windowMs;
  return { captchaNeeded: recent.length >= captcha, locked };
}

/** The failures plus a new one. Dropped entries are outside the window or have no effect. */
export function withFailure(kind: Kind, failedAt: readonly number[], nowMs: number): number[] {
  const possible = failedAt.filter((at) => isPossible(at, nowMs));
  return [...possible, nowMs].toSorted((a, b) => a - b).slice(-limits[kind].kept);
}
