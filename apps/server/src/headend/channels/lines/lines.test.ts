import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "#core";
import { LineLost, type Channel } from "../channel.ts";
import {
  createLines,
  dialInLine,
  isHeldWhileOpen,
  LineElsewhere,
  tcpLine,
  type LineTarget,
} from "./lines.ts";
import { sendingMs, serialTarget } from "../serial/serialTarget.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A converter that counts its clients. */
async function aConverter(): Promise<{ target: LineTarget; calls: () => number }> {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.on("error", () => undefined);
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    target: { key: tcpLine("127.0.0.1", port), tcp: { host: "127.0.0.1", port } },
    calls: () => calls,
  };
}

const ours = { claim: () => Promise.resolve(true), release: () => Promise.resolve() };

test("POLL-019: a line has one user at a time; different lines are used concurrently", async () => {
  const [first, second] = [await aConverter(), await aConverter()];
  const lines = createLines({ clock: systemClock, ...ours });
  const talking = new Map<string, number>();
  let most = 0;
  let together = 0;
  const talk = (target: LineTarget) =>
    lines.use(target, async () => {
      const here = (talking.get(target.key) ?? 0) + 1;
      talking.set(target.key, here);
      most = Math.max(most, here);
      together = Math.max(together, [...talking.values()].filter((count) => count > 0).length);
      await new Promise((resolve) => setTimeout(resolve, 10));
      talking.set(target.key, here - 1);
    });

  await Promise.all([...Array(5).keys()].flatMap(() => [talk(first.target), talk(second.target)]));

  expect(most).toBe(1);
  expect(together).toBe(2);
  expect([first.calls(), second.calls()]).toEqual([1, 1]);
  await lines.closeAll();
});

test("a connection is kept between polls", async () => {
  const { target, calls } = await aConverter();
  const lines = createLines({ clock: systemClock, ...ours, idleMs: 60_000 });

  await lines.use(target, () => Promise.resolve());
  await lines.use(target, () => Promise.resolve());

  expect(calls()).toBe(1);
  await lines.closeAll();
});

test("an idle connection is closed, and opened again for the next poll", async () => {
  const { target, calls } = await aConverter();
  const released: string[] = [];
  const lines = createLines({
    clock: systemClock,
    claim: ours.claim,
    release: (key) => {
      released.push(key);
      return Promise.resolve();
    },
    idleMs: 1,
  });

  await lines.use(target, () => Promise.resolve());
  await vi.waitFor(() => expect(released).toEqual([target.key]), { timeout: 20_000 });
  await lines.use(target, () => Promise.resolve());

  expect(calls()).toBe(2);
  await lines.closeAll();
});

test("a line held by another process is not opened, and one without an answer is lost", async () => {
  const { target, calls } = await aConverter();
  const elsewhere = createLines({
    clock: systemClock,
    claim: () => Promise.resolve(false),
    release: ours.release,
  });
  const lines = createLines({ clock: systemClock, ...ours });

  await expect(elsewhere.use(target, () => Promise.resolve())).rejects.toBeInstanceOf(LineElsewhere);
  await expect(
    lines.use({ key: "tcp:nobody", tcp: { host: "127.0.0.1", port: 1 } }, () => Promise.resolve()),
  ).rejects.toBeInstanceOf(LineLost);
  await expect(lines.use({ key: "modem:1", tcp: undefined }, () => Promise.resolve())).rejects.toBeInstanceOf(
    LineLost,
  );

  expect(calls()).toBe(0);
});

describe("a serial line", () => {
  const settings = {
    path: "/dev/ttyX",
    baud_rate: 9600,
    data_bits: 8,
    parity: "none",
    stop_bits: 1,
  } as const;
  const target = { key: "serial:/dev/ttyX", tcp: undefined, serial: settings };
  const fast = { ...target, serial: { ...settings, baud_rate: 19_200 } };

  /** A port that is open until it is closed. */
  const aChannel = (): Channel => {
    const closed = new Set<() => void>();
    let isOpen = true;
    return {
      write: () => Promise.resolve(),
      listen: () => undefined,
      onClose: (callback) => {
        closed.add(callback);
        return () => closed.delete(callback);
      },
      close() {
        isOpen = false;
        for (const callback of closed) callback();
      },
      get isOpen() {
        return isOpen;
      },
      roundTripMs: 0,
      gapMs: 0,
      echoes: false,
    };
  };

  test("stays open and exclusive between polls, and is reopened for a meter with other settings", async () => {
    const opened: number[] = [];
    const released: string[] = [];
    const lines = createLines({
      clock: systemClock,
      claim: ours.claim,
      release: (key) => Promise.resolve(void released.push(key)),
      openSerial: ({ baud_rate }) => {
        opened.push(baud_rate);
        return Promise.resolve(aChannel());
      },
    });

    for (const each of [target, target, fast, fast, target]) await lines.use(each, () => Promise.resolve());

    expect(opened).toEqual([9600, 19_200, 9600]);
    expect(released).toEqual([]);
    await lines.closeAll();
  });

  test("that cannot be opened is retried after pauses that double up to a minute", async () => {
    let nowMs = 0;
    const triedAt: number[] = [];
    const lines = createLines({
      clock: { ...systemClock, monotonicMs: () => nowMs },
      ...ours,
      openSerial: () => {
        triedAt.push(nowMs / 1000);
        return Promise.reject(new LineLost("no adapter"));
      },
    });

    for (; nowMs < 220_000; nowMs += 1000)
      await expect(lines.use(target, () => Promise.resolve())).rejects.toBeInstanceOf(LineLost);

    expect(triedAt).toEqual([0, 5, 15, 35, 75, 135, 195]);
  });

  test("of a process without serial ports is lost, and the error names their setting", async () => {
    const lines = createLines({ clock: systemClock, ...ours });

    await expect(lines.use(target, () => Promise.resolve())).rejects.toThrow("METRUM_SERIAL_PORTS");
  });
});

test.each([
  [{}, "serial.path"],
  [{ path: "/dev/ttyX", baud_rate: 0 }, "serial.baud_rate"],
  [{ path: "/dev/ttyX", parity: "mark" }, "serial.parity"],
  [{ path: "/dev/ttyX", data_bits: 9 }, "serial.data_bits"],
])("a serial port that cannot be used is refused by its field: %j", (row, field) => {
  expect(serialTarget(row)).toContain(field);
});

test("the time on the wire is that of the bits", () => {
  const even = serialTarget({ path: "/dev/ttyX", baud_rate: 2400, parity: "even" });

  expect(typeof even === "string" ? even : sendingMs(240, even)).toBe(1100);
});

test.each([
  [dialInLine(7), true],
  [tcpLine("10.0.0.5", 5000), true],
  ["serial:/dev/ttyUSB0", false],
  ["lns:3", false],
])("line %s is held only while it is connected: %s", (key, isHeld) => {
  expect(isHeldWhileOpen(key)).toBe(isHeld);
});
