import type { Services } from "#core";
import { active as readActive, type ActiveCodec } from "./store.ts";

/**
 * How long other processes may still decode with the previous version. This process sees a change at once.
 */
const trustedMs = 2_000;

/**
 * The codec that decodes devices of this model in this company; undefined: there is none, the driver of the
 * model is used.
 */
export async function activeCodec(
  { database, clock, parts }: Services,
  { companyId, modelId }: { readonly companyId: number; readonly modelId: number },
): Promise<ActiveCodec | undefined> {
  const cache = parts.codecs.active;
  const nowMs = clock.monotonicMs();
  let known = cache.get(companyId);
  if (!known || known.untilMs < nowMs) {
    const byModel = readActive(database.system, companyId).then(
      (rows) => new Map(rows.map((row) => [row.modelId, row])),
    );
    byModel.catch(() => cache.delete(companyId));
    cache.set(companyId, (known = { untilMs: nowMs + trustedMs, byModel }));
  }
  return (await known.byModel).get(modelId);
}

export function forgetActive({ parts }: Services, companyId: number): void {
  parts.codecs.active.delete(companyId);
}
