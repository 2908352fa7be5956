import { EventEmitter } from "node:events";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createJoinBound, createOpenSockets, socketBounds } from "./bounds.ts";
import type { LiveSocket } from "./server.ts";

test("a socket joins as often as a plain counter of its seconds allows", () => {
  const { joins, joinsPerSec } = socketBounds;
  const waitsMs = fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constantFrom(125, 875, 1000, 1125, 9_875, 10_000, 60_000) },
  );
  fc.assert(
    fc.property(fc.array(waitsMs, { maxLength: 60 }), (steps) => {
      let nowMs = 0;
      const mayJoin = createJoinBound(() => nowMs);
      let credit = joins * 1000;
      for (const waitMs of steps) {
        nowMs += waitMs;
        credit = Math.min(joins * 1000, credit + waitMs * joinsPerSec);
        const isAllowed = credit >= 1000;
        if (isAllowed) credit -= 1000;

        expect(mayJoin()).toBe(isAllowed);
      }
    }),
    { numRuns: 300 },
  );
});

/** A socket of a session and its user, as far as it is counted, and what closes it. */
function socketOf(session: number, userId: number) {
  const closing = new EventEmitter();
  const data = { tokenHash: Buffer.from([session]), session: { scope: { userId } } };
  const socket = Object.assign(closing, { data }) as unknown as LiveSocket;
  return { session, socket, close: () => closing.emit("disconnect") };
}

test("sessions and users have as many sockets as a plain counter of the open ones allows", () => {
  // Sessions 0 to 2 are of one user, session 3 of another.
  const step = fc.record({
    session: fc.constantFrom(0, 1, 2, 3),
    count: fc.constantFrom(1, 2, socketBounds.ofSession - 1, socketBounds.ofSession),
    opens: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const sockets = createOpenSockets();
      const open: ReturnType<typeof socketOf>[] = [];
      const countOf = (sessions: readonly number[]): number =>
        open.filter(({ session }) => sessions.includes(session)).length;
      for (const { session, count, opens } of steps)
        for (let each = 0; each < count; each += 1) {
          const ofUser = session === 3 ? [3] : [0, 1, 2];
          if (!opens) {
            const at = open.findIndex((one) => one.session === session);
            for (const { close } of at < 0 ? [] : open.splice(at, 1)) close();
            continue;
          }
          const opened = socketOf(session, session === 3 ? 8 : 7);
          const fits = countOf([session]) < socketBounds.ofSession && countOf(ofUser) < socketBounds.ofUser;

          expect(sockets.hasRoom(Buffer.from([session]))).toBe(countOf([session]) < socketBounds.ofSession);
          expect(sockets.add(opened.socket)).toBe(fits);
          // One that does not fit is closed at once.
          if (fits) open.push(opened);
          else opened.close();
        }
    }),
    { numRuns: 100 },
  );
});
