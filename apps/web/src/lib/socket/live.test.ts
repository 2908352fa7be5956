import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onSocketEvent, startLive } from "./live.ts";

interface Server {
  readonly opened: unknown[];
  readonly joined: unknown[];
  readonly handlers: Map<string, (given: unknown) => void>;
  connects: number;
  answer: unknown;
}
const server: Server = vi.hoisted(() => ({
  opened: [],
  joined: [],
  handlers: new Map(),
  connects: 0,
  answer: null,
}));

vi.mock("socket.io-client", () => ({
  io: (...given: unknown[]) => {
    server.opened.push(given);
    return {
      active: false,
      on: (name: string, handler: (given: unknown) => void) => server.handlers.set(name, handler),
      emit: (_name: string, room: unknown, done: (answer: unknown) => void) => {
        server.joined.push(room);
        done(server.answer);
      },
      connect: () => {
        server.connects += 1;
      },
      disconnect: () => undefined,
    };
  },
}));

const options = { url: "https://live.example", token: "token", companyId: 3 };
const happens = (name: string, given?: unknown) => server.handlers.get(name)?.(given);
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  server.opened.length = 0;
  server.joined.length = 0;
  server.connects = 0;
  server.answer = { joined: true };
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

it("NOTIF-010 NOTIF-014: the address of the installation is opened with the token after 2 seconds, not earlier", async () => {
  stop = startLive(options);
  await vi.advanceTimersByTimeAsync(1999);
  expect(server.opened).toEqual([]);

  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(server.opened).toHaveLength(1));

  expect(server.opened).toEqual([
    ["https://live.example", expect.objectContaining({ auth: { token: "token" } })],
  ]);
});

it("NOTIF-011: after every loss the room of the company is joined again, and missed data are requested", async () => {
  let gaps = 0;
  const forget = onSocketEvent("joined", () => (gaps += 1));
  stop = startLive(options);
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(server.opened).toHaveLength(1));

  happens("connect");
  happens("disconnect", "transport close");
  happens("connect");
  forget();

  expect(server.joined).toEqual([{ company_id: 3 }, { company_id: 3 }]);
  expect(gaps).toBe(2);
});

it("a refused room counts as none: no missed data are requested", async () => {
  let gaps = 0;
  const forget = onSocketEvent("joined", () => (gaps += 1));
  stop = startLive(options);
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(server.opened).toHaveLength(1));

  for (server.answer of [{ joined: false }, null, "yes"]) happens("connect");
  forget();

  expect([server.joined.length, gaps]).toEqual([3, 0]);
});

it("NOTIF-017: a lost connection is retried with growing pauses, by the library after a loss and by the app after a disconnect; then the room is joined and missed data are requested", async () => {
  let gaps = 0;
  const forget = onSocketEvent("joined", () => (gaps += 1));
  stop = startLive(options);
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(server.opened).toHaveLength(1));

  for (const [tries, pauseMs] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    happens("disconnect", "io server disconnect");
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(server.connects).toBe(tries);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.connects).toBe(tries + 1);
  }
  happens("connect");
  forget();

  expect(server.opened).toEqual([
    [
      "https://live.example",
      expect.objectContaining({ reconnectionDelay: 1000, reconnectionDelayMax: 30_000 }),
    ],
  ]);
  expect([server.joined, gaps]).toEqual([[{ company_id: 3 }], 1]);
});
