import { beforeEach, describe, expect, it } from "vitest";
import { createSnackQueue } from "./queue.ts";

/** A manually advanced clock. */
function aClock() {
  let now = 0;
  const waiting = new Map<number, { at: number; run: () => void }>();
  let next = 0;
  return {
    timer: {
      now: () => now,
      after: (ms: number, run: () => void) => {
        const id = next++;
        waiting.set(id, { at: now + ms, run });
        return () => {
          waiting.delete(id);
        };
      },
    },
    pass: (ms: number) => {
      now += ms;
      for (const [id, each] of [...waiting]) {
        if (each.at > now) continue;
        waiting.delete(id);
        each.run();
      }
    },
  };
}

let clock = aClock();
let queue = createSnackQueue(clock.timer);
const texts = () => queue.get().map((each) => each.text);

beforeEach(() => {
  clock = aClock();
  queue = createSnackQueue(clock.timer);
});

describe("snackbars", () => {
  it("SNACK-002: stay for 5 s and can be closed earlier", () => {
    queue.show({ text: "a" });
    const b = queue.show({ text: "b", kind: "error" });

    queue.close(b);
    expect(texts()).toEqual(["a"]);
    clock.pass(4999);
    expect(texts()).toEqual(["a"]);
    clock.pass(1);
    expect(texts()).toEqual([]);
  });

  it("stay for 8 s if they can be undone", () => {
    queue.show({ text: "moved", kind: "undo", action: { title: "Undo", run: () => undefined } });

    clock.pass(7999);
    expect(texts()).toEqual(["moved"]);
    clock.pass(1);
    expect(texts()).toEqual([]);
  });

  it("pause while the pointer or the focus is on them, then continue with the remaining time", () => {
    queue.show({ text: "a" });
    clock.pass(4000);

    queue.pause();
    clock.pass(60_000);
    expect(texts()).toEqual(["a"]);

    queue.resume();
    clock.pass(999);
    expect(texts()).toEqual(["a"]);
    clock.pass(1);
    expect(texts()).toEqual([]);
  });

  it("are paused too if they arrive during a pause", () => {
    queue.pause();
    queue.show({ text: "a" });
    clock.pass(60_000);
    expect(texts()).toEqual(["a"]);

    queue.resume();
    clock.pass(5000);
    expect(texts()).toEqual([]);
  });

  it("show a repeated message once, and restart its time", () => {
    queue.show({ text: "offline", kind: "error" });
    clock.pass(3000);
    queue.show({ text: "offline", kind: "error" });

    expect(texts()).toEqual(["offline"]);
    clock.pass(4999);
    expect(texts()).toEqual(["offline"]);
  });

  it("are four at most, the oldest is removed", () => {
    for (const text of ["a", "b", "c", "d", "e"]) queue.show({ text });

    expect(texts()).toEqual(["b", "c", "d", "e"]);
  });
});
