import { expect, it } from "vitest";
import { stepOf, type Conversation } from "./conversation.ts";

const send = Uint8Array.of(1);

function* dialogue(): Conversation<number> {
  yield { counter: "key", atLeast: 0, count: 1 };
  yield { label: "send_password", send, match: undefined, firstByteMs: 1, interByteMs: 1, tries: 1 };
  return 1;
}

it("a step of a dialogue is a request that is sent, not a reservation or a result", () => {
  const turns = dialogue();
  expect(() => stepOf(turns.next())).toThrow("sends nothing");
  expect(stepOf(turns.next(Uint8Array.of(0, 0, 0, 1))).send).toBe(send);
  expect(() => stepOf(turns.next(Uint8Array.of(2)))).toThrow("sends nothing");
});
