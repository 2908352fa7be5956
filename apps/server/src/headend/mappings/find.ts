import type { MqttMapping } from "@metrum/contract";
import type { Database, Services } from "#core";
import { matchTopic } from "./read.ts";
import { mappingsOf } from "./store.ts";

/** A change is in force everywhere after this. */
const trustMs = 5000;
const mostCompanies = 10_000;

interface Known {
  readonly mappings: readonly MqttMapping[];
  readonly untilMs: number;
}

const caches = new WeakMap<Database, Map<number, Known>>();

/** The mapping of a company for a topic below its prefix; undefined when none is active. */
export async function mappingFor(
  { database, clock }: Pick<Services, "database" | "clock">,
  companyId: number,
  topic: string,
): Promise<MqttMapping | undefined> {
  const cache = caches.get(database) ?? new Map<number, Known>();
  caches.set(database, cache);
  let known = cache.get(companyId);
  if (!known || known.untilMs <= clock.monotonicMs()) {
    if (cache.size >= mostCompanies) cache.clear();
    const mappings = await mappingsOf(database.system, companyId);
    known = { mappings, untilMs: clock.monotonicMs() + trustMs };
    cache.set(companyId, known);
  }
  return known.mappings.find(
    ({ is_active, definition }) => is_active && matchTopic(definition.topic, topic) !== undefined,
  );
}

/** This process asks the table again for its next message. */
export function forgetMappings(database: Database, companyId: number): void {
  caches.get(database)?.delete(companyId);
}
