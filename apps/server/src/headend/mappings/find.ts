import type { MqttMapping } from "@metrum/contract/headend";
import type { Services } from "#core";
import { matchTopic } from "./read.ts";
import { mappingsOf } from "./store.ts";

/** A change takes effect everywhere within this time. */
const trustMs = 5000;
const mostCompanies = 10_000;

interface Known {
  readonly mappings: readonly MqttMapping[];
  readonly untilMs: number;
}

/** Mappings cached by this process, by company. */
type KnownMappings = Map<number, Known>;

export const createKnownMappings = (): KnownMappings => new Map();

declare module "#core" {
  interface Parts {
    readonly knownMappings: KnownMappings;
  }
}

/** The mapping of a company for a topic below its prefix; undefined when none is active. */
export async function mappingFor(
  { database, clock, parts }: Pick<Services, "database" | "clock" | "parts">,
  companyId: number,
  topic: string,
): Promise<MqttMapping | undefined> {
  const cache = parts.knownMappings;
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

/** Drops the cache: this process reads the table again for its next message. */
export function forgetMappings({ parts }: Pick<Services, "parts">, companyId: number): void {
  parts.knownMappings.delete(companyId);
}
