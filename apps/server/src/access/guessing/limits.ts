/** Figures of security rules 2.5 and 2.6. */
export const windowMs = 15 * 60_000;

/** Failures of each kind of subject within the window that ask for a captcha, and that lock. */
const limits = {
  account: { captcha: 3, lock: 10, kept: 10 },
  code: { captcha: Infinity, lock: 5, kept: 5 },
  // More than asks for a captcha, so that tries which are taken back leave the others in the row.
  address: { captcha: 10, lock: Infinity, kept: 128 },
  // Registrations: those of a network, and all of the installation, which answers a flood from many networks.
  network: { captcha: 10, lock: 40, kept: 40 },
  registrations: { captcha: 40, lock: 240, kept: 240 },
} as const;

export type Kind = keyof typeof limits;

export interface Standing {
  /** A try needs a captcha, whatever the password. */
  readonly captchaNeeded: boolean;
  /** Nobody signs in to this account now, whatever the password. */
  readonly locked: boolean;
}

/** How one subject stands after its failures (epoch milliseconds, in order). A lock lasts a window from its last failure. */
export function standingOf(kind: Kind, failedAt: readonly number[], nowMs: number): Standing {
  const { captcha, lock } = limits[kind];
  const recent = failedAt.filter((at) => at > nowMs - windowMs);
  const last = failedAt.slice(-lock);
  const [first = 0] = last;
  const newest = last.at(-1) ?? 0;
  const locked = last.length >= lock && newest - first < windowMs && newest > nowMs - windowMs;
  return { captchaNeeded: recent.length >= captcha, locked };
}

/** The failures with one more. What is dropped for it lies outside the window or changes nothing. */
export function withFailure(kind: Kind, failedAt: readonly number[], nowMs: number): number[] {
  return [...failedAt, nowMs].toSorted((a, b) => a - b).slice(-limits[kind].kept);
}
