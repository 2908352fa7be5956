import type { LiveSocket } from "./server.ts";

/** Sockets of one session and of one user in this process: each tab of a browser has one. */
export const socketBounds = { ofSession: 30, ofUser: 60, joins: 10, joinsPerSec: 1 } as const;

/** Open sockets of this process, by session and by user. */
export interface OpenSockets {
  /** Whether this session may open another socket. */
  readonly hasRoom: (tokenHash: Buffer) => boolean;
  /** Counts a socket until it is closed; false when its session or user has too many. */
  readonly add: (socket: LiveSocket) => boolean;
}

export function createOpenSockets(): OpenSockets {
  const counts = new Map<string, number>();
  const change = (key: string, by: number): number => {
    const count = (counts.get(key) ?? 0) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
    return count;
  };
  return {
    hasRoom: (tokenHash) => (counts.get(sessionKey(tokenHash)) ?? 0) < socketBounds.ofSession,
    add(socket) {
      const { tokenHash, session } = socket.data;
      const keys = [sessionKey(tokenHash), userKey(session.scope.userId)];
      const [ofSession = 0, ofUser = 0] = keys.map((key) => change(key, 1));
      socket.once("disconnect", () => {
        for (const key of keys) change(key, -1);
      });
      return ofSession <= socketBounds.ofSession && ofUser <= socketBounds.ofUser;
    },
  };
}

export const sessionKey = (tokenHash: Buffer): string => `session ${tokenHash.toString("base64url")}`;
export const userKey = (userId: number): string => `user ${String(userId)}`;

/** Whether a socket may join once more: a few at once, then one a second. */
export function createJoinBound(nowMs: () => number = () => performance.now()): () => boolean {
  let left: number = socketBounds.joins;
  let lastMs = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(socketBounds.joins, left + ((now - lastMs) / 1_000) * socketBounds.joinsPerSec);
    lastMs = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
