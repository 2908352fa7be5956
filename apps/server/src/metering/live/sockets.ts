import { allows } from "@metrum/contract/core";
import { accessChannel, concerns, hashOf, lookUp } from "#access/auth";
import type { Services, Session, Stop } from "#core";
import { createJoinBound, createOpenSockets, sessionKey, userKey, type OpenSockets } from "./bounds.ts";
import { companyRoom, deviceRoom } from "./emit.ts";
import { createGathered, type Gathered } from "./gathered.ts";
import type { LiveServer, LiveSocket } from "./server.ts";
import { tiedDevices } from "./store.ts";

/** Even without a notification the session of a socket is checked again after this time. */
const recheckEveryMs = 60_000;
/** The same while notifications cannot be received. */
const recheckDeafMs = 4_000;

/** What sockets need to read who they are and what they may see. */
interface Reading {
  readonly services: Services;
  /** Sockets of one session or user that ask at the same time share a query. */
  readonly gathered: Gathered;
  readonly open: OpenSockets;
}

/**
 * Admits browsers by their token to the room of their own company, and disconnects them when the token
 * becomes invalid or the right is revoked.
 */
export function acceptSockets(services: Services, live: LiveServer): Stop {
  const { database, bus, log } = services;
  const reading: Reading = { services, gathered: createGathered(), open: createOpenSockets() };
  live.use((socket, next) => {
    authenticate(reading, socket)
      .then((refusal) => next(refusal === undefined ? undefined : new Error(refusal)))
      .catch((error: unknown) => {
        log.warn({ err: error }, "a socket could not be authenticated");
        next(new Error("database_away"));
      });
  });
  live.on("connection", (socket) => {
    // Handshakes of the same moment do not see each other.
    if (!reading.open.add(socket)) return socket.disconnect(true);
    const mayJoin = createJoinBound();
    return socket.on("join", (data, answer) => {
      if (!mayJoin()) return socket.disconnect(true);
      return join(reading, socket, data)
        .then((isJoined) => {
          if (typeof answer === "function") (answer as (result: object) => void)({ joined: isJoined });
        })
        .catch((error: unknown) => {
          log.warn({ err: error }, "a socket could not join");
          socket.disconnect(true);
        });
    });
  });

  const review = (isConcerned: (session: Session) => boolean): void => {
    for (const socket of live.sockets.sockets.values()) {
      if (isConcerned(socket.data.session)) recheck(reading, socket);
    }
  };
  const onChange = (change: string): void => review((session) => concerns(change, session));
  const stops = [database.listener.on(accessChannel, onChange), bus.on("accessChanged", onChange)];
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (database.listener.isAlive() && now - lastMs < recheckEveryMs) return;
    lastMs = now;
    review(() => true);
  }, recheckDeafMs).unref();
  return () => {
    for (const stop of stops) stop();
    clearInterval(timer);
    return Promise.resolve();
  };
}

/** The session of a token, read once for all sockets that ask for it at the same time. */
const found = ({ services, gathered }: Reading, tokenHash: Buffer) =>
  gathered(sessionKey(tokenHash), () => lookUp(services, tokenHash, { touches: false }));

/** Why a socket is refused; undefined: it is admitted. */
async function authenticate(
  reading: Reading,
  socket: LiveSocket,
): Promise<"not_signed_in" | "too_many_requests" | undefined> {
  const { token } = socket.handshake.auth;
  if (typeof token !== "string") return "not_signed_in";
  const tokenHash = hashOf(token);
  if (!reading.open.hasRoom(tokenHash)) return "too_many_requests";
  const known = await found(reading, tokenHash);
  if (!known || known.session.duty) return "not_signed_in";
  socket.data = { session: known.session, tokenHash };
  return undefined;
}

/** Only the room of the company that the session works in; false for every other. */
async function join(reading: Reading, socket: LiveSocket, data: unknown): Promise<boolean> {
  const { session } = socket.data;
  if (companyOf(data) !== session.scope.companyId) return false;
  await socket.join(await roomsOf(reading, session));
  return true;
}

async function roomsOf({ services, gathered }: Reading, { scope }: Session): Promise<string[]> {
  const rooms: string[] = [];
  if (allows("8:read", scope.access)) rooms.push(companyRoom(scope.companyId, "device_event"));
  if (!allows("4:read", scope.access)) return rooms;
  if (!scope.onlyTiedDevices) return [...rooms, companyRoom(scope.companyId, "device_data")];
  const devices = await gathered(`${userKey(scope.userId)} of ${String(scope.companyId)}`, () =>
    services.database.scoped(scope, (db) => tiedDevices(db, scope)),
  );
  return [...rooms, ...devices.map(deviceRoom)];
}

/**
 * An ended session closes the connection; changed rights change the rooms, and losing the right closes it
 * too.
 */
function recheck(reading: Reading, socket: LiveSocket): void {
  const { tokenHash, session: before } = socket.data;
  found(reading, tokenHash)
    .then(async (known) => {
      const isOver = !known || known.session.duty || known.session.scope.companyId !== before.scope.companyId;
      if (isOver) return socket.disconnect(true);
      socket.data.session = known.session;
      const had = [...socket.rooms].filter((room) => room !== socket.id);
      if (had.length === 0) return undefined;
      const rooms = new Set(await roomsOf(reading, known.session));
      if (had.some((room) => !rooms.has(room))) return socket.disconnect(true);
      return socket.join([...rooms]);
    })
    .catch((error: unknown) => {
      reading.services.log.warn({ err: error }, "a socket could not be checked again");
      socket.disconnect(true);
    });
}

function companyOf(data: unknown): unknown {
  return typeof data === "object" && data !== null && "company_id" in data ? data.company_id : undefined;
}
