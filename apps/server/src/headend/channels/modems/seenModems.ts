import type { Clock } from "#core";
import type { ModemMetadata } from "./modemMetadata.ts";
import type { ModemSession } from "./modemSession.ts";

const maxUnknownListed = 1000;

/** An identified connection as reported to other processes. Times are epoch seconds. */
export interface SeenModem extends ModemMetadata {
  readonly identity: string;
  readonly state: NonNullable<ModemSession["known"]>;
  readonly gatewayId: number | null;
  readonly address: string;
  readonly connectedAt: number;
  readonly lastAt: number;
}

/** Unknown identities, newest connection first, up to the limit. */
export function unknownNames(sessions: ReadonlySet<ModemSession>): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const { id, known } of [...sessions].reverse()) {
    if (known !== "unknown") continue;
    const count = names.get(id);
    if (count !== undefined || names.size < maxUnknownListed) names.set(id, (count ?? 0) + 1);
  }
  return names;
}

/** All identified connections; of unknown ones those that `unknownNames` lists. */
export function seenModems(sessions: ReadonlySet<ModemSession>, clock: Clock): SeenModem[] {
  const listed = unknownNames(sessions);
  const [now, nowMs] = [clock.now(), clock.monotonicMs()];
  return [...sessions].flatMap((session): SeenModem[] => {
    const { id, known, gatewayId, address, startedAt, heardMs, facts } = session;
    if (known === undefined || (known === "unknown" && !listed.has(id))) return [];
    const lastAt = now - Math.round((nowMs - heardMs) / 1000);
    return [{ ...facts, identity: id, state: known, gatewayId, address, connectedAt: startedAt, lastAt }];
  });
}
