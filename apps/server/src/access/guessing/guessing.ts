import { networkOf, type Db } from "#core";
import { standingOf, withFailure, type Kind, type Standing } from "./limits.ts";
import { lockFailures, readFailures, removeFailures, saveFailures } from "./store.ts";
import { subject, subjectsOf, type Subject, type Who } from "./subject.ts";

/**
 * Current state of an account and an address, for display and early checks only: other attempts may fail
 * before a later `countFailure`; code that checks a secret uses `beginTry`.
 */
export async function failuresOf(db: Db, who: Who, nowMs: number): Promise<Standing> {
  const subjects = subjectsOf(who);
  return overall(subjects, await readFailures(db, subjects), nowMs);
}

/**
 * Counts a wrong password, or a wrong one-time code, for the account and the address. `db` must be the
 * unscoped handle and not that of a call, which is rolled back by a refusal.
 */
export async function countFailure(
  db: Db,
  who: Who,
  nowMs: number,
  secret: "password" | "code" = "password",
): Promise<void> {
  await db.transaction().execute(async (within) => {
    const subjects = counted(who, secret);
    await add(within, subjects, { failures: await lockFailures(within, subjects), nowMs });
  });
}

/** State of the subjects when an attempt began. */
export interface Try extends Standing {
  /** Whether it counts as a failure until it is taken back. Only then may the secret be checked. */
  readonly isAdmitted: boolean;
}

/**
 * Begins an attempt: in one step reads the state of account and address and, if the attempt may go on, counts
 * it as a failure before the secret is checked, so that concurrent attempts cannot all stay below a
 * threshold. A successful attempt is taken back with `takeBack`, or cleared with all others by
 * `clearFailures`.
 */
export async function beginTry(
  db: Db,
  who: Who,
  {
    nowMs,
    hasCaptcha,
    secret = "password",
  }: { readonly nowMs: number; readonly hasCaptcha: boolean; readonly secret?: "password" | "code" },
): Promise<Try> {
  return admit(db, subjectsOf(who), { nowMs, hasCaptcha, counted: counted(who, secret) });
}

/**
 * In one step reads the state of the subjects and, if the attempt may go on, counts it for those in
 * `counted`.
 */
async function admit(
  db: Db,
  subjects: readonly Subject[],
  {
    nowMs,
    hasCaptcha,
    counted = subjects,
  }: { readonly nowMs: number; readonly hasCaptcha: boolean; readonly counted?: readonly Subject[] },
): Promise<Try> {
  return db.transaction().execute(async (within) => {
    const failures = await lockFailures(within, subjects);
    const standing = overall(subjects, failures, nowMs);
    const isAdmitted = !standing.locked && (hasCaptcha || !standing.captchaNeeded);
    if (isAdmitted) await add(within, counted, { failures, nowMs });
    return { ...standing, isAdmitted };
  });
}

/**
 * Counts a registration for its network and for the whole installation, before any work is done for it. Under
 * load it needs a captcha at once; beyond the limit of either it is refused, and not counted.
 */
export async function beginRegistration(
  db: Db,
  address: string,
  { nowMs, hasCaptcha }: { readonly nowMs: number; readonly hasCaptcha: boolean },
): Promise<Try> {
  const named = [subject("network", networkOf(address)), subject("registrations", "all")];
  const subjects = named.toSorted((a, b) => a.key.compare(b.key));
  // A flood is refused without taking the lock: waiters on the lock shared by all registrations would exhaust
  // the connection pool.
  const standing = overall(subjects, await readFailures(db, subjects), nowMs);
  if (standing.locked || (standing.captchaNeeded && !hasCaptcha)) return { ...standing, isAdmitted: false };
  return admit(db, subjects, { nowMs, hasCaptcha });
}

/** Takes back an attempt counted by `beginTry` at that moment. */
export async function takeBack(
  db: Db,
  who: Who,
  { nowMs, secret = "password" }: { readonly nowMs: number; readonly secret?: "password" | "code" },
): Promise<void> {
  await db.transaction().execute(async (within) => {
    const subjects = counted(who, secret);
    const failures = await lockFailures(within, subjects);
    for (const each of subjects) {
      const failedAt = failures.get(hex(each)) ?? [];
      const index = failedAt.lastIndexOf(nowMs);
      if (index >= 0) await saveFailures(within, each, failedAt.toSpliced(index, 1));
    }
  });
}

/**
 * Clears the failures of an account after a sign-in; only the wrong passwords after a new one was set by
 * letter, because access to the mailbox proves nothing about codes. Failures of addresses stay.
 */
export async function clearFailures(
  db: Db,
  account: string,
  of: readonly Exclude<Kind, "address">[] = ["account", "code"],
): Promise<void> {
  const subjects = of.map((kind) => subject(kind, account));
  await removeFailures(
    db,
    subjects.toSorted((a, b) => a.key.compare(b.key)),
  );
}

/** A wrong code does not count as a wrong password: reaching the code step proves the password. */
function counted(who: Who, secret: "password" | "code"): Subject[] {
  const without: Kind = secret === "password" ? "code" : "account";
  return subjectsOf(who).filter(({ kind }) => kind !== without);
}

async function add(
  db: Db,
  subjects: readonly Subject[],
  { failures, nowMs }: { readonly failures: ReadonlyMap<string, number[]>; readonly nowMs: number },
): Promise<void> {
  for (const each of subjects)
    await saveFailures(db, each, withFailure(each.kind, failures.get(hex(each)) ?? [], nowMs));
}

function overall(
  subjects: readonly Subject[],
  failures: ReadonlyMap<string, number[]>,
  nowMs: number,
): Standing {
  const all = subjects.map((each) => standingOf(each.kind, failures.get(hex(each)) ?? [], nowMs));
  return {
    captchaNeeded: all.some(({ captchaNeeded }) => captchaNeeded),
    locked: all.some(({ locked }) => locked),
  };
}

function hex({ key }: Subject): string {
  return key.toString("hex");
}
