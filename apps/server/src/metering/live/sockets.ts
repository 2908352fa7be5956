import { allows } from "@metrum/contract";
import { accessChannel, concerns, hashOf, lookUp } from "#access/auth";
import type { Services, Session, Stop } from "#core";
import { companyRoom, deviceRoom } from "./emit.ts";
import type { LiveServer, LiveSocket } from "./server.ts";
import { tiedDevices } from "./store.ts";

/** Even without a notification the session of a socket is checked again after this time. */
const recheckEveryMs = 60_000;
/** The same while notifications cannot be received. */
const recheckDeafMs = 4_000;

/**
 * Admits browsers by their token to the room of their own company, and disconnects them when the token
 * becomes invalid or the right is revoked.
 */
export function acceptSockets(services: Services, live: LiveServer): Stop {
  const { database, bus, log } = services;
  live.use((socket, next) => {
    authenticate(services, socket)
      .then((isKnown) => next(isKnown ? undefined : new Error("not_signed_in")))
      .catch((error: unknown) => {
        log.warn({ err: error }, "a socket could not be authenticated");
        next(new Error("database_away"));
      });
  });
  live.on("connection", (socket) => {
    socket.on("join", (data, answer) => {
      join(services, socket, data)
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
      if (isConcerned(socket.data.session)) recheck(services, socket);
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

async function authenticate(services: Services, socket: LiveSocket): Promise<boolean> {
  const { token } = socket.handshake.auth;
  if (typeof token !== "string") return false;
  const tokenHash = hashOf(token);
  const found = await lookUp(services, tokenHash, { touches: false });
  if (!found || found.session.duty) return false;
  socket.data = { session: found.session, tokenHash };
  return true;
}

/** Only the room of the company that the session works in; false for every other. */
async function join(services: Services, socket: LiveSocket, data: unknown): Promise<boolean> {
  const { session } = socket.data;
  if (companyOf(data) !== session.scope.companyId) return false;
  await socket.join(await roomsOf(services, session));
  return true;
}

async function roomsOf(services: Services, { scope }: Session): Promise<string[]> {
  const rooms: string[] = [];
  if (allows("8:read", scope.access)) rooms.push(companyRoom(scope.companyId, "device_event"));
  if (!allows("4:read", scope.access)) return rooms;
  if (!scope.onlyTiedDevices) return [...rooms, companyRoom(scope.companyId, "device_data")];
  const devices = await services.database.scoped(scope, (db) => tiedDevices(db, scope));
  return [...rooms, ...devices.map(deviceRoom)];
}

/**
 * An ended session closes the connection; changed rights change the rooms, and losing the right closes it
 * too.
 */
function recheck(services: Services, socket: LiveSocket): void {
  const { tokenHash, session: before } = socket.data;
  lookUp(services, tokenHash, { touches: false })
    .then(async (found) => {
      const isOver = !found || found.session.duty || found.session.scope.companyId !== before.scope.companyId;
      if (isOver) return socket.disconnect(true);
      socket.data.session = found.session;
      const had = [...socket.rooms].filter((room) => room !== socket.id);
      if (had.length === 0) return undefined;
      const rooms = new Set(await roomsOf(services, found.session));
      if (had.some((room) => !rooms.has(room))) return socket.disconnect(true);
      return socket.join([...rooms]);
    })
    .catch((error: unknown) => {
      services.log.warn({ err: error }, "a socket could not be checked again");
      socket.disconnect(true);
    });
}

function companyOf(data: unknown): unknown {
  return typeof data === "object" && data !== null && "company_id" in data ? data.company_id : undefined;
}
