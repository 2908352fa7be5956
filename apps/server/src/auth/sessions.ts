import type { ResolveSession, Services, Session } from "#core";
import { sessionOf } from "./session.ts";
import { findSession, hashOf, touch } from "./store.ts";

/** Where every process hears what has changed; triggers of the database speak on it. */
export const accessChannel = "metrum_access";

/** For so long a session is believed without asking the database, while its changes are heard. */
const trustMs = 5_000;
/** `last_seen_at` is written no more often than this. */
const touchEveryMs = 60_000;
/** Sessions that are remembered at most. */
const capacity = 20_000;

const shapeOfToken = /^[\w-]{43}$/;

interface Entry {
  readonly session: Promise<Session | undefined>;
  readonly until: number;
}

/**
 * Finds sessions by their token, from a cache that is believed for at most 5 s and not at all while changes cannot be
 * heard. A change that concerns a session throws it out at once.
 */
export function createSessions(services: Services): ResolveSession {
  const { database, bus, clock } = services;
  const cache = new Map<string, Entry>();
  const known = new Map<string, Session>();
  let changes = 0;

  const forget = (change: string): void => {
    changes += 1;
    for (const [key, session] of known) {
      if (!concerns(change, session)) continue;
      known.delete(key);
      cache.delete(key);
    }
  };
  database.listener.on(accessChannel, forget);
  bus.on("accessChanged", forget);

  return (token) => {
    if (!shapeOfToken.test(token)) return Promise.resolve(undefined);
    const hash = hashOf(token);
    const key = hash.toString("base64");
    const nowMs = clock.monotonicMs();
    const entry = cache.get(key);
    if (entry && entry.until > nowMs && database.listener.isAlive()) return entry.session;
    const before = changes;
    const session = lookUp(services, hash).then((found) => {
      // What was read while something changed is good for this request and not to be remembered; nor is what ends soon.
      const isLasting = found && changes === before && found.endsAt - clock.now() > trustMs / 1000;
      if (isLasting) known.set(key, found.session);
      else cache.delete(key);
      return found?.session;
    });
    session.catch(() => cache.delete(key));
    if (cache.size >= capacity) {
      cache.clear();
      known.clear();
    }
    cache.set(key, { session, until: nowMs + trustMs });
    return session;
  };
}

export interface FoundSession {
  readonly session: Session;
  /** When it dies of old age if nothing else happens, epoch seconds. */
  readonly endsAt: number;
}

/** Asks the database, and notes that the session is in use unless told not to. */
export async function lookUp(
  services: Services,
  tokenHash: Buffer,
  { touches = true } = {},
): Promise<FoundSession | undefined> {
  const { database, clock, config } = services;
  const now = clock.now();
  const row = await findSession(database.system, tokenHash, now);
  if (!row) return undefined;
  if (touches && clock.nowMs() - row.last_seen_at.getTime() >= touchEveryMs)
    await touch(database.system, row.id, new Date(clock.nowMs()));
  const ends = [row.company_expires_at ?? Infinity, row.home_expires_at ?? Infinity];
  return {
    session: sessionOf(row, config, now),
    endsAt: Math.min(row.expires_at.getTime() / 1000, ...ends),
  };
}

/** Whether a change ("user:7", "company:5", "session:3") is about this session. */
export function concerns(change: string, session: Session): boolean {
  const [kind, text] = change.split(":");
  const id = Number(text);
  if (kind === "user") return session.scope.userId === id;
  if (kind === "session") return session.id === id;
  return session.homeCompanyId === id || session.scope.companyPath.split(".").includes(String(id));
}
