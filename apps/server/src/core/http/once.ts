import { fieldFault, problem, type Call } from "@metrum/contract";
import type { Ctx } from "./context.ts";
import { claim, keep } from "./onceStore.ts";
import { kept, restored } from "./reply.ts";

const longestKey = 200;

type Handler = (input: unknown, ctx: unknown) => unknown;

/**
 * Makes a call idempotent per `Idempotency-Key` and company: a repeat gets the first answer, concurrent
 * requests wait for it, and a failed request leaves no trace. Throws `wrong_input` for a key that is too long
 * and `key_reused` when the key came with a different request. Without a key every request is executed.
 */
export function once(definition: Call, handler: Handler): Handler {
  return async (input, given) => {
    const ctx = given as Ctx;
    const key = ctx.onceKey;
    if (key === undefined) return handler(input, ctx);
    if (key.length > longestKey)
      throw problem("wrong_input", {
        attributes: { "idempotency-key": [fieldFault("text_long", { most: longestKey })] },
      });
    // Keyed, not plain: the request may contain a password short enough for a brute-force search.
    const asked = ctx.secretBox.mac(JSON.stringify([definition.id, ctx.scope.userId, input]), "once");
    const at = new Date(ctx.clock.nowMs());
    const first = await claim(ctx.db, { companyId: ctx.scope.companyId, key, asked, at });
    if (first === undefined) {
      const result = await handler(input, ctx);
      await keep(ctx.db, { companyId: ctx.scope.companyId, key, answer: kept(result) });
      return result;
    }
    if (!first.asked.equals(asked)) throw problem("key_reused");
    return restored(first.answer);
  };
}
