import { hash, verify } from "@node-rs/argon2";
import { problem } from "@metrum/contract/core";

/** Argon2id (the library's default), 19 MiB, 2 passes, 1 lane: security rule 2.5. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Concurrent hashes in this process, so that sign-in cannot starve the rest. */
const atATime = 2;

/**
 * Purpose of a hash. A registration waits until no other password is hashed and no other registration runs,
 * and keeps its turn until it is stored and three times as long again, at most a second: a flood of them
 * takes a quarter of a core and one connection of the database.
 */
type Lane = "own" | "registration";
const rest = { times: 3, mostMs: 1_000 };
const mayWait = { own: 100, registration: 20 } as const satisfies Record<Lane, number>;

/** A dummy hash, checked for an unknown address so that it takes the same time. */
const dummyHash = hash(crypto.randomUUID(), cost);

const running: Record<Lane, number> = { own: 0, registration: 0 };
const waiting: Record<Lane, (() => void)[]> = { own: [], registration: [] };

/** Problem: too_many_requests when the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return inTurn("own", () => hash(password, cost));
}

/**
 * Hashes the password of a registration and stores with the hash what registers. Problem: too_many_requests
 * when the queue of registrations is full.
 */
export function registerInTurn(
  password: string,
  store: (passwordHash: string) => Promise<void>,
): Promise<void> {
  return inTurn("registration", async () => store(await hash(password, cost)));
}

/** Whether the password matches the hash; false without a hash, after the same time. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const against = passwordHash ?? (await dummyHash);
  const isSame = await inTurn("own", () => verify(against, password));
  return isSame && passwordHash !== undefined;
}

async function inTurn<Result>(lane: Lane, run: () => Promise<Result>): Promise<Result> {
  if (mayBegin(lane)) running[lane] += 1;
  else {
    if (waiting[lane].length >= mayWait[lane]) throw problem("too_many_requests");
    // The slot is passed on before the waiter resumes, so that no newcomer overtakes it.
    await new Promise<void>((resolve) => waiting[lane].push(resolve));
  }
  const startedMs = performance.now();
  try {
    return await run();
  } finally {
    if (lane === "own") passOn(lane);
    else {
      const tookMs = performance.now() - startedMs;
      setTimeout(passOn, Math.min(rest.times * tookMs, rest.mostMs), lane).unref();
    }
  }
}

/** Frees a slot for those that wait. */
function passOn(lane: Lane): void {
  running[lane] -= 1;
  for (const next of ["own", "registration"] as const) {
    if (waiting[next].length === 0 || !mayBegin(next)) continue;
    running[next] += 1;
    waiting[next].shift()?.();
  }
}

function mayBegin(lane: Lane): boolean {
  if (lane === "own") return running.own < atATime;
  return running.own + running.registration === 0 && waiting.own.length === 0;
}
