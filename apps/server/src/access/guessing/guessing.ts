import { networkOf, type Db } from "#core";
import { standingOf, withFailure, type Kind, type Standing } from "./limits.ts";
import { lockFailures, readFailures, removeFailures, saveFailures } from "./store.ts";
import { subject, subjectsOf, type Subject, type Who } from "./subject.ts";

/**
 * How an account and an address stand now. For what is shown or asked only: between this and a later `countFailure` others
 * may have tried; whoever checks a secret uses `beginTry`.
 */
export async function failuresOf(db: Db, who: Who, nowMs: number): Promise<Standing> {
  const subjects = subjectsOf(who);
  return overall(subjects, await readFailures(db, subjects), nowMs);
}

/**
 * Counts a wrong password, or a wrong one-time code, for the account and the address. `db` is the handle of the system and
 * not that of a call: a refusal rolls that one back.
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

/** What a try found when it began. */
export interface Try extends Standing {
  /** Whether it counts as a failure until it is taken back. Only then may the secret be looked at. */
  readonly isAdmitted: boolean;
}

/**
 * Begins a try: in one step looks how account and address stand and, where the try may go on, counts it as a failure before
 * the secret is looked at. So tries at the same time cannot all slip below a threshold. One that was right is taken back
 * with `takeBack`, or forgotten with all others by `clearFailures`.
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

/** In one step looks how the subjects stand and, where that lets the try go on, counts it for those that are counted. */
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
 * Counts a registration for the network it comes from and for the whole installation, before any work is done for it. Under
 * pressure it needs a captcha at once; beyond the bound of either it is not admitted, and not counted.
 */
export async function beginRegistration(
  db: Db,
  address: string,
  { nowMs, hasCaptcha }: { readonly nowMs: number; readonly hasCaptcha: boolean },
): Promise<Try> {
  const named = [subject("network", networkOf(address)), subject("registrations", "all")];
  const subjects = named.toSorted((a, b) => a.key.compare(b.key));
  // A flood is refused without a lock: those who wait for that of all registrations take the connections of everybody else.
  const standing = overall(subjects, await readFailures(db, subjects), nowMs);
  if (standing.locked || (standing.captchaNeeded && !hasCaptcha)) return { ...standing, isAdmitted: false };
  return admit(db, subjects, { nowMs, hasCaptcha });
}

/** Takes back what `beginTry` counted at that moment. */
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
 * Forgets the failures of an account after it has signed in; only the wrong passwords after a new one was set by letter, for
 * a mailbox proves nothing about codes. Those of addresses stay.
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

/** A wrong code does not count as a wrong password: who gives a code knows the password. */
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
