import { hash, verify } from "@node-rs/argon2";
import { problem } from "@metrum/contract";

/** Argon2id (the library's default), 19 MiB, 2 passes, 1 lane: security rule 2.5. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes at a time in this process, so that sign-in cannot starve the rest; and how many may wait for their turn. */
const atATime = 2;
const mayWait = 100;

/** A hash of nobody's password: an unknown address is checked against it, so that it takes the same time. */
const nobody = hash(crypto.randomUUID(), cost);

let running = 0;
const waiting: (() => void)[] = [];

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/** Whether the password is that of the hash; without a hash never, after the same time. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const against = passwordHash ?? (await nobody);
  const isSame = await inTurn(() => verify(against, password));
  return isSame && passwordHash !== undefined;
}

async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  if (running >= atATime) {
    if (waiting.length >= mayWait) throw problem("too_many_requests");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await run();
  } finally {
    // The turn is handed over, not given back: nobody slips in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
