import { ByteWriter } from "../bytes.ts";
import { isReservation, type Conversation, type Responder, type Step } from "../conversation.ts";
import type { DeviceAddress, LineDriver } from "../driver.ts";
import { ProtocolError } from "../errors.ts";
import type { FuzzTarget } from "./fuzz.ts";

export interface SessionPlan {
  readonly name: string;
  readonly poll: () => Conversation<unknown>;
  /** A fresh meter that answers this poll. */
  readonly meter: () => Responder;
  /** Repairs checksums, so that mutated bytes get past them; bytes too short for one are left alone. */
  readonly seal: (answer: Uint8Array) => Uint8Array;
  /** Further seeds: answers that a meter could give in place of the simulated one. */
  readonly other?: (answer: Uint8Array) => readonly Uint8Array[];
}

/** No poll of a simulated meter takes this many exchanges: a longer one does not end. */
const mostSteps = 2000;

/**
 * The client's dialogue with a mutated answer. The first byte of a seed gives the index of the replaced
 * answer: the meter gives those before and after it. In half of the inputs broken checksums are kept.
 */
export function sessionTarget(plan: SessionPlan): FuzzTarget {
  const answers = answersOf(plan);
  return {
    name: plan.name,
    isDialogue: true,
    seeds: answers
      .slice(0, 256)
      .flatMap((answer, at) =>
        [answer, ...(plan.other?.(answer) ?? [])].map((each) => Uint8Array.of(at, ...each)),
      ),
    decode(bytes) {
      const [which = 0, ...rest] = bytes;
      const changed = Uint8Array.from(rest);
      const given = (changed.at(-1) ?? 0) % 2 === 0 ? plan.seal(changed) : changed;
      return hold(plan, (answer, at) => (at === which % answers.length ? given : answer));
    },
  };
}

/** Answers of the simulated meter up to the end of the poll, even if it ends with a refusal. */
function answersOf(plan: SessionPlan): Uint8Array[] {
  const answers: Uint8Array[] = [];
  try {
    hold(plan, (answer) => {
      answers.push(answer);
      return answer;
    });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  return answers;
}

/** Errors: ProtocolError of the poll; Error when it does not end. */
function hold(plan: SessionPlan, change: (answer: Uint8Array, at: number) => Uint8Array): unknown {
  const meter = plan.meter();
  const dialogue = plan.poll();
  let turn = dialogue.next();
  for (let steps = 0; !turn.done; steps++) {
    if (steps > mostSteps) throw new Error("the poll does not end");
    const step = turn.value;
    if (isReservation(step)) {
      turn = dialogue.next(new ByteWriter(4).u32be(step.atLeast).finish());
      continue;
    }
    const answer = Uint8Array.from(meter.receive(step.send).flatMap((part) => [...part]));
    const reply = replyTo(step, change(answer, steps));
    turn = reply instanceof ProtocolError ? dialogue.throw(reply) : dialogue.next(reply);
  }
  return turn.value;
}

/** The complete reply in the received bytes, or why there is none. */
function replyTo(step: Step, received: Uint8Array): Uint8Array | ProtocolError {
  if (!step.match) return new Uint8Array(0);
  try {
    const match = step.match(received);
    const skip = match.skip ?? 0;
    if (match.state === "frame") return received.subarray(skip, skip + match.length);
    if (step.endsBySilence === true && received.length > skip) return received.subarray(skip);
    return new ProtocolError("timeout", "the answer is not whole");
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
}

/** A fresh simulated meter: each value is the length of its name, and past values follow the time. */
export const seedMeter = (driver: LineDriver, device: DeviceAddress, now: number) => (): Responder =>
  driver.respond(
    device,
    (field) => field.length,
    () => now,
    (at) => () => at / 3600,
  );

/** Reads the identity of a device, without a password and with its own. */
export function* identification(driver: LineDriver, device: DeviceAddress): Conversation<unknown> {
  const facts: unknown[] = [];
  for (const as of ["open", "own"] as const)
    if (driver.identify) facts.push(yield* driver.identify(device, as));
  return facts;
}
