import { setTimeout as sleep } from "node:timers/promises";
import { fieldFault, problem, type Call } from "@metrum/contract/core";
import type { Turns } from "../database/turns.ts";
import { claim, keep, type Claim } from "./onceStore.ts";
import { kept, restored } from "./reply.ts";
import { FileCall, SignedInCall } from "./running.ts";

const longestKey = 200;
/** Requests with one key of a company: one at a time, and so many wait in this process without a connection. */
export const keyTurns = { atOnce: 1, waiting: 200, waitMs: 10_000 } as const;
/** How long a request waits for another process that executes its key, and the pause between two attempts. */
const elsewhere = { waitMs: 4_000, pauseMs: 100 } as const;

type Handler = (input: unknown, ctx: unknown) => unknown;

/**
 * Requests of a company with one `Idempotency-Key` take turns before they use a connection; a request without a
 * key is executed at once. Throws `wrong_input` for a key that is too long, and `busy`.
 */
export function inTurnOfKey(turns: Turns, handler: Handler): Handler {
  return (input, given) => {
    // A file is read by many runs of its handler.
    const isOrder = given instanceof SignedInCall && !(given instanceof FileCall);
    if (!isOrder || given.onceKey === undefined) return handler(input, given);
    return afterTurn({ turns, handler }, input, given);
  };
}

async function afterTurn(
  { turns, handler }: { readonly turns: Turns; readonly handler: Handler },
  input: unknown,
  running: SignedInCall,
): Promise<unknown> {
  const { onceKey = "", scope } = running;
  if (onceKey.length > longestKey)
    throw problem("wrong_input", {
      attributes: { "idempotency-key": [fieldFault("text_long", { most: longestKey })] },
    });
  running.whenEnded(await turns.take(`${String(scope.companyId)} ${onceKey}`));
  return handler(input, running);
}

/**
 * Makes a call idempotent per `Idempotency-Key` and company: a repeat gets the first answer, concurrent
 * requests wait for it, and a failed request leaves no trace. Throws `key_reused` when the key came with a
 * different request. Without a key every request is executed.
 */
export function once(definition: Call, handler: Handler): Handler {
  return async (input, given) => {
    const running = given as SignedInCall;
    const { onceKey: key, scope, clock } = running;
    if (key === undefined) return handler(input, running);
    // Keyed, not plain: the request may contain a password short enough for a brute-force search.
    const asked = running.secretBox.mac(JSON.stringify([definition.id, scope.userId, input]), "once");
    const at = new Date(clock.nowMs());
    const first = await claimed(running, { companyId: scope.companyId, key, asked, at });
    if (first === "ours") {
      const result = await handler(input, running);
      await keep(running.db, { companyId: scope.companyId, key, answer: kept(result) });
      return result;
    }
    if (!first.asked.equals(asked)) throw problem("key_reused");
    return restored(first.answer);
  };
}

/** Gives the connection back while another process executes the key. Problem: busy. */
async function claimed(running: SignedInCall, wanted: Parameters<typeof claim>[1]) {
  const until = performance.now() + elsewhere.waitMs;
  let outcome: Claim;
  while ((outcome = await claim(running.db, wanted)) === "elsewhere") {
    await running.unit.giveBack();
    if (performance.now() > until) throw problem("busy");
    await sleep(elsewhere.pauseMs * (0.5 + Math.random()));
  }
  return outcome;
}
