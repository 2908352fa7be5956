import { argumentsSchema, type Command } from "@metrum/vocabulary";
import { expect, expectTypeOf, it } from "vitest";
import { readMeterClock } from "../mercury230/reads.ts";
import { inSession, mercurySession } from "../mercury230/session.ts";
import { device, meter } from "../mercury230/testMeter.ts";
import { correctClock } from "../mercury230/writes.ts";
import type { CommandFunction, CommandResult } from "./command.ts";
import type { Conversation, Responder } from "./conversation.ts";
import { ProtocolError } from "./errors.ts";
import { converse } from "./fuzz/replay.ts";

const title = { ru: "Т", en: "T", mn: "Т" };
const correction = {
  key: "test_correction",
  title,
  changesDevice: true,
  actuates: false,
  isRepeatable: false,
  arguments: [
    {
      key: "seconds",
      title,
      kind: "number",
      unit: "second",
      minimum: -240,
      maximum: 240,
      step: 1,
      isRequired: true,
    },
    { key: "is_noted", title, kind: "switch", isRequired: false },
    {
      key: "mode",
      title,
      kind: "choice",
      choices: [
        { value: "once", title },
        { value: 2, title },
      ],
      isRequired: true,
      dependsOn: { key: "is_noted", values: [true] },
    },
  ],
} as const satisfies Command;

/** Only an error after the command was sent is a result of it. */
const correct: CommandFunction<typeof correction> = (of, { seconds }) => {
  const session = mercurySession(of, 1);
  return inSession(session, function* (): Conversation<CommandResult> {
    const { local } = yield* readMeterClock(session);
    try {
      yield* correctClock(session, local + seconds);
      return { state: "done" };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { state: error.kind === "refused" ? "refused" : "unknown", reason: error };
    }
  });
};

/** A meter that answers this many requests and is silent from then on. */
function silentAfter(answers: number, responder: Responder): Responder {
  let left = answers;
  return { receive: (bytes) => (left-- > 0 ? responder.receive(bytes) : []) };
}

it("a function receives the arguments of its command as declared by their fields", () => {
  type Given = Parameters<typeof correct>[1];

  const given: Given = { seconds: 30, is_noted: true, mode: 2 };
  expect(argumentsSchema(correction).safeParse(given).success).toBe(true);
  expectTypeOf<Given["seconds"]>().toEqualTypeOf<number>();
  expectTypeOf<Given["is_noted"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<Given["mode"]>().toEqualTypeOf<"once" | 2 | undefined>();
});

it("a command that changes the device is done, or refused with the reason of the device", () => {
  const responder = meter();

  expect(converse(correct(device, { seconds: 30 }), responder)).toEqual({ state: "done" });
  expect(converse(correct(device, { seconds: 30 }), responder)).toMatchObject({
    state: "refused",
    reason: { kind: "refused", detail: 4 },
  });
});

it("a command without an answer has an unknown outcome, and one that was not sent has failed", () => {
  expect(converse(correct(device, { seconds: 30 }), silentAfter(2, meter()))).toMatchObject({
    state: "unknown",
    reason: { kind: "timeout" },
  });
  expect(() => converse(correct(device, { seconds: 30 }), silentAfter(1, meter()))).toThrow(ProtocolError);
});
