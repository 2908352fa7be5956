import { ByteWriter, toHex } from "../bytes.ts";
import { isReservation, type Conversation, type Responder, type Step } from "../conversation.ts";
import { ProtocolError } from "../errors.ts";

/**
 * Runs a conversation with recorded replies instead of a line: every step must send the recorded request. A
 * reservation gets the requested minimum. Errors: ProtocolError of the conversation; "unexpected" when it
 * sends other bytes than recorded, or more or fewer of them.
 */
export function replay<Result>(
  conversation: Conversation<Result>,
  exchange: readonly (readonly [sent: Uint8Array, received: Uint8Array])[],
): Result {
  const left = [...exchange];
  const result = hold(conversation, (step) => {
    const [sent, received] = left.shift() ?? [];
    if (!sent || !received || toHex(sent) !== toHex(step.send))
      throw new ProtocolError("unexpected", `sends ${toHex(step.send)}, recorded is ${toHex(sent ?? [])}`);
    return received;
  });
  if (left.length > 0)
    throw new ProtocolError("unexpected", `${left.length} recorded exchanges were not requested`);
  return result;
}

/**
 * Runs a conversation with a simulated device instead of a line. Errors: ProtocolError of the conversation;
 * "timeout" when the device is silent. Nothing is retried.
 */
export function converse<Result>(conversation: Conversation<Result>, device: Responder): Result {
  return hold(conversation, (step) =>
    Uint8Array.from(device.receive(step.send).flatMap((part) => [...part])),
  );
}

function hold<Result>(conversation: Conversation<Result>, exchange: (step: Step) => Uint8Array): Result {
  let turn = conversation.next();
  while (!turn.done) {
    const step = turn.value;
    if (isReservation(step)) {
      turn = conversation.next(new ByteWriter(4).u32be(step.atLeast).finish());
      continue;
    }
    let reply: Uint8Array;
    try {
      reply = wholeReply(step, exchange(step));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      turn = conversation.throw(error);
      continue;
    }
    turn = conversation.next(reply);
  }
  return turn.value;
}

function wholeReply(step: Step, received: Uint8Array): Uint8Array {
  if (!step.match) return new Uint8Array(0);
  const match = step.match(received);
  const skip = match.skip ?? 0;
  if (match.state === "frame") return received.subarray(skip, skip + match.length);
  if (step.endsBySilence === true && received.length > skip) return received.subarray(skip);
  throw new ProtocolError("timeout", received.length === 0 ? "no answer" : "the answer is not whole");
}
