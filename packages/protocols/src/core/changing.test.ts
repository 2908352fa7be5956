import { describe, expect, it } from "vitest";
import {
  changeInSession,
  changing,
  changingInTurn,
  isSetTo,
  isUnmoved,
  otherThanSet,
  type Change,
} from "./changing.ts";
import type { CommandResult } from "./command.ts";
import type { Conversation } from "./conversation.ts";
import { ProtocolError, protocolErrorKinds } from "./errors.ts";
import { converse } from "./fuzz/replay.ts";

const silent = { receive: () => [] };
const run = <Result>(dialogue: Conversation<Result>): Result => converse(dialogue, silent);

// oxlint-disable-next-line require-yield -- a dialogue that needs no answer
function* giving<Result>(result: Result): Conversation<Result> {
  return result;
}
// oxlint-disable-next-line require-yield -- a dialogue that needs no answer
function* failing(error: Error): Conversation<never> {
  throw error;
}
const bug = new Error("a bug");
const timeout = new ProtocolError("timeout", "no answer");
const refusal = new ProtocolError("refused", "no", { detail: 2 });

describe("a change", () => {
  it.each(protocolErrorKinds)("that ends with %s is refused only by the code of the device", (kind) => {
    const bare = new ProtocolError(kind, "x");
    const own = new ProtocolError(kind, "x", { detail: 0 });
    const declines = ["refused", "unsupported", "bad_password"].includes(kind);

    expect(run(changing(failing(bare)))).toEqual({ state: "unknown", reason: bare });
    expect(run(changing(failing(own)))).toEqual({ state: declines ? "refused" : "unknown", reason: own });
  });

  it("is done without an error, and a bug is none of its results", () => {
    expect(run(changing(giving(5)))).toEqual({ state: "done" });
    expect(() => run(changing(failing(bug)))).toThrow(bug);
  });

  it("in parts is done when all are, and stops at the first that is not", () => {
    expect(run(changingInTurn([giving(1), giving(2)]))).toEqual({ state: "done" });
    expect(run(changingInTurn([failing(refusal), failing(bug)]))).toEqual({
      state: "refused",
      reason: refusal,
    });
    expect(run(changingInTurn([giving(1), failing(refusal), failing(bug)]))).toEqual({
      state: "refused",
      reason: refusal,
      partly: {},
    });
  });
});

describe("a change that is read back", () => {
  const done: CommandResult = { state: "done" };
  const refused: CommandResult = { state: "refused", reason: refusal };
  const unknown: CommandResult = { state: "unknown", reason: timeout };
  const other = otherThanSet("the clock");
  const change = (made: Change<string>, errorOfSecond?: Error) => {
    const sessions: string[] = [];
    const result = run(
      changeInSession<string>(
        (work) => {
          if (sessions.length === 1 && errorOfSecond) return failing(errorOfSecond);
          sessions.push(`session ${String(sessions.length + 1)}`);
          return work(sessions.at(-1) ?? "");
        },
        () => giving(made),
      ),
    );
    return [result, sessions.length];
  };

  it.each<[string, Change<string>, CommandResult, number]>([
    ["nothing to read", { sent: done }, done, 1],
    [
      "what was wanted",
      { sent: done, read: (session) => giving({ power: session === "session 1" ? 1 : 0 }) },
      { state: "done", read: { power: 1 } },
      1,
    ],
    ["something else", { sent: done, read: () => giving(other) }, { state: "refused", reason: other }, 1],
    ["no answer", { sent: done, read: () => failing(timeout) }, { state: "unknown", reason: timeout }, 1],
    ["a refusal of the whole", { sent: refused, read: () => failing(bug) }, refused, 1],
    ["no answer and nothing to read", { sent: unknown }, unknown, 1],
    [
      "no answer, then what was wanted",
      { sent: unknown, read: (session) => giving({ power: session === "session 2" ? 1 : 0 }) },
      { state: "done", read: { power: 1 } },
      2,
    ],
    ["no answer, then something else", { sent: unknown, read: () => giving(other) }, unknown, 2],
    ["no answer twice", { sent: unknown, read: () => failing(refusal) }, unknown, 2],
    [
      "a refusal of a part, and what is there now",
      {
        sent: { ...refused, partly: {} },
        read: () => giving(other),
        found: () => giving({ last_set_limit: 5 }),
      },
      { ...refused, partly: { last_set_limit: 5 } },
      1,
    ],
    [
      "a refusal of a part, and no way to see the rest",
      { sent: { ...refused, partly: {} }, read: () => giving(other) },
      { ...refused, partly: {} },
      1,
    ],
    [
      "a refusal of a part, and no answer",
      { sent: { ...refused, partly: {} }, read: () => failing(timeout) },
      { ...refused, state: "unknown", partly: {} },
      1,
    ],
    [
      "a refusal of a part, and yet what was wanted",
      { sent: { ...refused, partly: {} }, read: () => giving({ power: 1 as const }) },
      { state: "done", read: { power: 1 } },
      1,
    ],
    [
      "no answer, something else, and what could be found",
      { sent: unknown, read: () => giving(other), found: () => failing(bug) },
      unknown,
      2,
    ],
  ])("with %s", (_, made, result, sessions) => {
    expect(change(made)).toEqual([result, sessions]);
  });

  it("in a second session that does not begin is as unknown as before; a bug is told", () => {
    const made: Change<string> = { sent: unknown, read: () => giving({}) };

    expect(change(made, timeout)[0]).toBe(unknown);
    expect(() => change(made, bug)).toThrow(bug);
    expect(() => change({ sent: done, read: () => failing(bug) })).toThrow(bug);
  });
});

describe("CTRL-106 whether a clock was moved", () => {
  it.each([
    [20, 0, true],
    [20, 20, false],
    [20, 17, false],
    [20, 3, true],
    [20, 4, false],
    [20, -3, true],
    [20, -4, false],
    [-20, 1, true],
    [7, 0, true],
    [7, 3, true],
    [6, 3, false],
    // Within the resolution of three readings in whole seconds the acknowledgement counts.
    [3, 0, false],
    [4, 2, false],
  ])("by %i s: it went on by %i s more than the exchanges took: not moved %s", (seconds, moved, wanted) => {
    expect(isUnmoved({ first: 100, second: 101, after: 103 + moved }, seconds)).toBe(wanted);
  });

  it.each([4, 6, -5])("by %i s is not known when the line may have hidden it", (seconds) => {
    const moved = seconds > 0 ? seconds - 4 : seconds + 4;
    expect(() => isUnmoved({ first: 100, second: 101, after: 103 + moved }, seconds)).toThrow(
      "the clock of the device is not what was set",
    );
  });

  it.each([
    [996, false],
    [997, true],
    [1000, true],
    [1120, true],
    [1121, false],
  ])("a clock that shows %i was set to 1000 a moment ago: %s", (shown, isSet) => {
    expect(isSetTo(shown, 1000)).toBe(isSet);
  });
});
