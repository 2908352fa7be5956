import { ByteWriter } from "../bytes.ts";
import { isReservation, type Conversation, type Responder, type Step } from "../conversation.ts";
import { ProtocolError } from "../errors.ts";

export interface TestLine {
  /** Answers that arrive instead of this one, the n-th. */
  spoil?: (reply: Uint8Array, n: number) => Uint8Array[];
  loseRequest?: (n: number) => boolean;
  /** Receives the first of each range of reserved numbers. */
  reserved?: number[];
}

/** A line between client and meter; retries like the runner. */
export function talk<Result>(dialogue: Conversation<Result>, meter: Responder, line: TestLine = {}): Result {
  let count = 0;
  const next = { first: 1 };
  const once = (step: Step): Uint8Array => {
    count += 1;
    if (line.loseRequest?.(count)) throw new ProtocolError("timeout", "lost on the way");
    const replies = meter.receive(step.send);
    const spoiled = replies.flatMap((each) => line.spoil?.(each, count) ?? [each]);
    if (!step.match) return new Uint8Array();
    const received = Uint8Array.from(spoiled.flatMap((each) => [...each]));
    const match = step.match(received);
    const skip = match.skip ?? 0;
    if (match.state === "frame") return received.subarray(skip, skip + match.length);
    if (step.endsBySilence === true && received.length > skip) return received.subarray(skip);
    throw new ProtocolError("timeout", "no answer");
  };
  const reply = (step: Step): Uint8Array => {
    for (let attempt = 1; ; attempt++) {
      try {
        return once(step);
      } catch (error) {
        if (!(error instanceof ProtocolError) || attempt >= step.tries) throw error;
      }
    }
  };
  let turn = dialogue.next();
  while (!turn.done) {
    const { value } = turn;
    if (isReservation(value)) {
      const first = Math.max(next.first, value.atLeast);
      next.first = first + value.count;
      line.reserved?.push(first);
      turn = dialogue.next(new ByteWriter(4).u32be(first).finish());
      continue;
    }
    let received: Uint8Array;
    try {
      received = reply(value);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      turn = dialogue.throw(error);
      continue;
    }
    turn = dialogue.next(received);
  }
  return turn.value;
}

export const failureOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};
