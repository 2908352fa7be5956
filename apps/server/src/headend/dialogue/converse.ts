import {
  ByteWriter,
  isReservation,
  ProtocolError,
  type Conversation,
  type Reservation,
  type Step,
} from "@metrum/protocols/core";
import type { Clock } from "#core";
import { LineLost, type Channel } from "#headend/channels";
import type { Exchange } from "#headend/exchanges";
import { openInbox, type Inbox } from "./inbox.ts";

export interface Talk {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly exchange: Exchange;
  /** Time limit of the whole dialogue, whatever its steps permit. */
  readonly sessionMs?: number;
  /**
   * Persists and returns the first of frame counters that must never repeat; a conversation that needs them
   * fails without it.
   */
  readonly reserve?: (reservation: Reservation) => Promise<number>;
  /** Called before the bytes of each attempt are written. */
  readonly onWrite?: () => void;
}

const defaultSessionMs = 120_000;
/** A bad answer may still be arriving; the next request waits for this much silence at most. */
const maxDrainMs = 1000;

/**
 * Runs a conversation over a channel: sends, waits, retries, records every attempt. A changed baud rate is
 * reset afterwards. Rejects with the ProtocolError that the conversation does not handle itself, or with
 * `LineLost` when the line breaks.
 */
export async function converse<Result>(conversation: Conversation<Result>, talk: Talk): Promise<Result> {
  const endsAtMs = talk.clock.monotonicMs() + (talk.sessionMs ?? defaultSessionMs);
  const inbox = openInbox(talk.channel, talk.clock);
  try {
    let turn = conversation.next();
    while (!turn.done) {
      let reply: Uint8Array;
      try {
        const { value } = turn;
        reply = isReservation(value)
          ? await reserve(value, talk)
          : await askUntilAnswered(value, { ...talk, inbox, endsAtMs });
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        turn = conversation.throw(error);
        continue;
      }
      turn = conversation.next(reply);
    }
    return turn.value;
  } finally {
    inbox.close();
    // A port that cannot be reset is closed, and reopened with its initial baud rate.
    await talk.channel.speed?.change(talk.channel.speed.startBaud).catch(() => undefined);
  }
}

async function reserve(reservation: Reservation, talk: Talk): Promise<Uint8Array> {
  if (!talk.reserve) throw new Error(`no store for the counter "${reservation.counter}"`);
  return new ByteWriter(4).u32be(await talk.reserve(reservation)).finish();
}

interface Turn extends Talk {
  readonly inbox: Inbox;
  readonly endsAtMs: number;
}

async function askUntilAnswered(step: Step, turn: Turn): Promise<Uint8Array> {
  const { clock, exchange, endsAtMs } = turn;
  let failure = tooLong();
  for (let attempt = 1; attempt <= step.tries; attempt++) {
    if (clock.monotonicMs() >= endsAtMs) break;
    const note = exchange.begin(step, attempt);
    try {
      const reply = await ask(step, turn, note.answered);
      note.end(turn.inbox.seen());
      return reply;
    } catch (error) {
      note.end(turn.inbox.seen(), error);
      if (!(error instanceof ProtocolError)) throw error;
      failure = error;
      await turn.inbox.drain(Math.min(step.interByteMs + turn.channel.gapMs, maxDrainMs));
    }
  }
  throw failure;
}

const tooLong = (): ProtocolError => new ProtocolError("timeout", "the dialogue takes too long");

/** One attempt. Bytes received before the request are not its answer and are discarded. */
async function ask(
  step: Step,
  { channel, clock, inbox, endsAtMs, onWrite }: Turn,
  onAnswer: () => void,
): Promise<Uint8Array> {
  await prepareLine(step, { channel, clock, inbox });
  if (clock.monotonicMs() >= endsAtMs) throw tooLong();
  inbox.flush(channel.echoes ? step.send : undefined);
  onWrite?.();
  await channel.write(step.send);
  await leaveAtSpeed(step, { channel, clock, inbox });
  if (!step.match) return new Uint8Array(0);
  const firstByteAtMs = clock.monotonicMs() + step.firstByteMs + channel.roundTripMs;
  for (;;) {
    const isBegun = inbox.bytes().length > 0;
    const limitMs = isBegun ? inbox.lastByteMs() + step.interByteMs + channel.gapMs : firstByteAtMs;
    const event = await inbox.next(Math.min(limitMs, endsAtMs));
    if (event === "closed") throw new LineLost("the line broke while waiting for an answer");
    if (event === "silence") return atSilence(step, inbox.bytes());
    if (inbox.bytes().length === 0) continue;
    onAnswer();
    const match = step.match(inbox.bytes());
    if (match.skip) inbox.drop(match.skip);
    if (match.state === "frame") return inbox.bytes().slice(0, match.length);
  }
}

type Line = Pick<Turn, "channel" | "clock" | "inbox">;

/** Sets the baud rate and waits for the silence that a step requires on a local serial line. */
async function prepareLine(
  { atStartSpeed, reactionMs = 0 }: Step,
  { channel: { speed }, clock, inbox }: Line,
): Promise<void> {
  if (!speed) return;
  if (atStartSpeed === true) await speed.change(speed.startBaud);
  const waitMs = Math.min(inbox.lastByteMs() + reactionMs - clock.monotonicMs(), reactionMs);
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
}

/**
 * Sets the baud rate of the answer. The change discards received bytes, so an echo must have arrived before.
 */
async function leaveAtSpeed(
  { send, speedAfter }: Step,
  { channel: { speed, echoes, gapMs }, clock, inbox }: Line,
): Promise<void> {
  if (!speed || speedAfter === undefined) return;
  const untilMs = clock.monotonicMs() + gapMs;
  let event = echoes ? "bytes" : "silence";
  while (event === "bytes" && inbox.seen().length < send.length) event = await inbox.next(untilMs);
  await speed.change(speedAfter);
}

function atSilence(step: Step, received: Uint8Array): Uint8Array {
  if (received.length === 0) throw new ProtocolError("timeout", "no answer");
  if (step.endsBySilence === true) return received.slice();
  throw new ProtocolError("timeout", "the answer is not whole", { offset: received.length });
}
