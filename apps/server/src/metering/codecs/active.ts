import type { Services } from "#core";
import { active as readActive, type ActiveCodec } from "./store.ts";

/** How long another process may still decode with what was active before. This one knows a change at once. */
const trustedMs = 2_000;

/** The codec that decodes devices of this model in this company; undefined: the company has none, the model's own driver does. */
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
