import { describe, expect, test } from "vitest";
import { createFileThread } from "./fileThread.ts";

interface Part {
  readonly isLast: boolean;
}

/** A thread whose files say what to do: 0 is read at once, 1 never, 2 fills the memory, 3 fails. */
const code = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ([act]) => {
    while (act === 1);
    const kept = [];
    while (act === 2) kept.push(Array.from({ length: 1000 }, Math.random));
    if (act === 3) throw new Error("broken");
    parentPort.postMessage({ isLast: true });
  });
  parentPort.postMessage({
    isReady: true,
    thread: process.platform === "linux" ? Number(require("node:fs").readlinkSync("/proc/thread-self").split("/").at(-1)) : undefined,
  });`;

const opened = () =>
  createFileThread<Part>({ program: () => ({ text: code, isCode: true, execArgv: [] }), memoryMb: 32 });
const nothing = (): void => undefined;
const file = (act: number): Uint8Array => Uint8Array.of(act);

describe("a thread for files", () => {
  test("an endless file ends with the time of its size, and the next one is read", async () => {
    const thread = opened();
    const startedMs = performance.now();

    const endless = await thread.read(file(1), 1, nothing);
    const tookMs = performance.now() - startedMs;

    expect([endless, await thread.read(file(0), 1, nothing)]).toEqual(["too_slow", "read"]);
    expect(tookMs).toBeLessThan(65_000);
  }, 120_000);

  test("a file that fills the memory is refused, and one that breaks the thread is a bug of it", async () => {
    const thread = opened();

    expect(await thread.read(file(2), 1, nothing)).toBe("too_large");
    await expect(thread.read(file(3), 1, nothing)).rejects.toThrow("broken");
    expect(await thread.read(file(0), 1, nothing)).toBe("read");
  }, 120_000);

  test("an honest file beside those of a hostile company waits for one of them", async () => {
    const thread = opened();
    const order: string[] = [];
    const read = (name: string, companyId: number, act: number) =>
      thread.read(file(act), companyId, nothing).then(() => order.push(name));

    const hostile = [read("hostile 1", 1, 1), read("hostile 2", 1, 1), read("hostile 3", 1, 0)];
    await expect(read("hostile 4", 1, 0)).rejects.toMatchObject({ code: "too_many_requests" });
    const honest = [read("honest 1", 2, 0), read("honest 2", 2, 0)];
    await Promise.all([...hostile, ...honest]);

    expect(order).toEqual(["hostile 1", "honest 1", "hostile 2", "honest 2", "hostile 3"]);
  }, 120_000);
});
