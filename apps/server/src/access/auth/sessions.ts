import { isDatabaseAway, type ResolveSession, type Services, type Session } from "#core";
import { licenceDaysLeft } from "#access/licence";
import { sessionOf } from "./session.ts";
import { findSession } from "./sessionQueryStore.ts";
import { hashOf, touch } from "./sessionStore.ts";

/** Channel on which triggers of the database announce changes to every process. */
export const accessChannel = "metrum_access";

/** How long a cached session is used without a database query while change notifications arrive. */
const trustMs = 5_000;
/** Minimum interval between two updates of `last_seen_at`. */
const touchEveryMs = 60_000;
/** Maximum number of cached sessions. */
const capacity = 20_000;

const shapeOfToken = /^[\w-]{43}$/;

interface Entry {
  readonly session: Session;
  readonly until: number;
}

/**
 * Finds sessions by their token, with a cache that is used for at most 5 s and not at all while notifications
 * cannot be received. A change that concerns a session evicts it at once. Tokens are kept in memory only.
 */
export function createSessions(services: Services): ResolveSession {
  const { database, bus, clock } = services;
  const { listener } = database;
  const cache = new Map<string, Entry>();
  const asking = new Map<string, Promise<Session | undefined>>();
  let changes = 0;

  const forget = (change: string): void => {
    changes += 1;
    // A read in progress may predate the change: the next request reads again.
    asking.clear();
    for (const [token, { session }] of cache) if (concerns(change, session)) cache.delete(token);
  };
  listener.on(accessChannel, forget);
  bus.on("accessChanged", forget);

  const ask = async (token: string): Promise<Session | undefined> => {
    const before = changes;
    const until = clock.monotonicMs() + trustMs;
    const found = await lookUp(services, hashOf(token));
    // Sessions about to expire are not cached, nor is a read during which something changed.
    if (found && changes === before && found.endsAt - clock.now() > trustMs / 1000) {
      if (cache.size >= capacity) cache.clear();
      cache.set(token, { session: found.session, until });
    }
    return found?.session;
  };

  return (token) => {
    const entry = cache.get(token);
    if (entry && entry.until > clock.monotonicMs() && listener.isAlive()) return entry.session;
    if (!shapeOfToken.test(token)) return undefined;
    cache.delete(token);
    const known = asking.get(token);
    if (known) return known;
    const lookup = ask(token).finally(() => {
      if (asking.get(token) === lookup) asking.delete(token);
    });
    asking.set(token, lookup);
    return lookup;
  };
}

export interface FoundSession {
  readonly session: Session;
  /** When the cache entry expires, epoch seconds. */
  readonly endsAt: number;
}

/**
 * Reads the session from the database and records that it is in use, unless configured otherwise; nothing waits for
 * that.
 */
export async function lookUp(
  services: Services,
  tokenHash: Buffer,
  { touches = true } = {},
): Promise<FoundSession | undefined> {
  const { database, clock, config, log } = services;
  const now = clock.now();
  const row = await findSession(database.system, tokenHash, now);
  if (!row) return undefined;
  if (touches && clock.nowMs() - row.last_seen_at.getTime() >= touchEveryMs)
    touch(database.system, row.id, new Date(clock.nowMs())).catch((error: unknown) => {
      // If nothing can be written, with the disk full, the use is recorded the next time.
      if (!isDatabaseAway(error)) log.error({ err: error }, "the use of a session is not recorded");
    });
  const ends = [row.company_expires_at, row.home_expires_at, row.impersonator_expires_at];
  return {
    session: sessionOf(row, config, { nowSec: now, licenceDaysLeft: await licenceDaysLeft(services) }),
    endsAt: Math.min(row.expires_at.getTime() / 1000, ...ends.map((end) => end ?? Infinity)),
  };
}

/** Whether a change ("user:7", "company:5", "session:3") concerns this session. */
export function concerns(change: string, session: Session): boolean {
  const [kind, text] = change.split(":");
  const id = Number(text);
  if (kind === "user") return session.scope.userId === id || session.impersonatorId === id;
  if (kind === "session") return session.id === id;
  return session.homeCompanyId === id || session.scope.companyPath.split(".").includes(String(id));
}
