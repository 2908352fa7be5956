import type { Database, Services } from "#core";
import { active, type ActiveCodec } from "./store.ts";

/** How long another process may still decode with what was active before. This one knows a change at once. */
const trustedMs = 2_000;

interface Known {
  readonly untilMs: number;
  readonly byModel: Promise<ReadonlyMap<number, ActiveCodec>>;
}

const caches = new WeakMap<Database, Map<number, Known>>();

/** The codec that decodes devices of this model in this company; undefined: the company has none, the model's own driver does. */
export async function activeCodec(
  { database, clock }: Services,
  { companyId, modelId }: { readonly companyId: number; readonly modelId: number },
): Promise<ActiveCodec | undefined> {
  const cache = cacheOf(database);
  const nowMs = clock.monotonicMs();
  let known = cache.get(companyId);
  if (!known || known.untilMs < nowMs) {
    const byModel = active(database.system, companyId).then(
      (rows) => new Map(rows.map((row) => [row.modelId, row])),
    );
    byModel.catch(() => cache.delete(companyId));
    cache.set(companyId, (known = { untilMs: nowMs + trustedMs, byModel }));
  }
  return (await known.byModel).get(modelId);
}

export function forgetActive({ database }: Services, companyId: number): void {
  cacheOf(database).delete(companyId);
}

function cacheOf(database: Database): Map<number, Known> {
  let cache = caches.get(database);
  if (!cache) caches.set(database, (cache = new Map<number, Known>()));
  return cache;
}
