import { ProtocolError, toHex, type Conversation, type Match, type Step } from "@metrum/protocols/core";
import { describe, expect, it } from "vitest";
import { systemClock } from "#core";
import { LineLost, type Channel } from "#headend/channels";
import { converse } from "./converse.ts";
import { recordExchange } from "#headend/exchanges";

type Emit = (bytes: readonly number[], afterMs?: number) => void;

/** A line on which `answer` returns the reply to the n-th request. */
function aChannel(answer: (sent: Uint8Array, n: number, emit: Emit) => void, echoes = false) {
  let listener: Parameters<Channel["listen"]>[0];
  let isOpen = true;
  let sent = 0;
  const closed = new Set<() => void>();
  const channel: Channel = {
    get isOpen() {
      return isOpen;
    },
    roundTripMs: 0,
    gapMs: 0,
    echoes,
    listen: (next) => (listener = next),
    onClose: (callback) => {
      closed.add(callback);
      return () => closed.delete(callback);
    },
    close() {
      isOpen = false;
      for (const callback of closed) callback();
    },
    write(bytes) {
      sent += 1;
      const n = sent;
      answer(bytes, n, (reply, afterMs = 0) =>
        setTimeout(() => void listener?.(Uint8Array.from(reply)), afterMs),
      );
      return Promise.resolve();
    },
  };
  return channel;
}

/** Frames of this test: AA, number of the request, length, that many bytes, sum of all. */
const frame = (n: number, ...data: number[]): number[] => {
  const head = [0xaa, n, data.length, ...data];
  return [...head, head.reduce((sum, byte) => sum + byte, 0) & 0xff];
};

function matchFrame(n: number) {
  return (received: Uint8Array): Match => {
    const [start, number, length = 0] = received;
    if (received.length < 3) return { state: "more" };
    if (start !== 0xaa) throw new ProtocolError("unexpected", "no frame");
    const size = length + 4;
    if (received.length < size) return { state: "more" };
    // A late answer to an earlier request is skipped.
    if (number !== n)
      return received.length > size
        ? { ...matchFrame(n)(received.subarray(size)), skip: size }
        : { state: "more", skip: size };
    const sum = received.subarray(0, size - 1).reduce((total, byte) => total + byte, 0) & 0xff;
    if (sum !== received[size - 1]) throw new ProtocolError("checksum", "wrong sum");
    return { state: "frame", length: size };
  };
}

const step = (n: number, more: Partial<Step> = {}): Step => ({
  label: { code: "read_telegram", n },
  send: Uint8Array.from([0x55, n]),
  match: matchFrame(n),
  firstByteMs: 60,
  interByteMs: 30,
  tries: 3,
  ...more,
});

function* asking(...steps: Step[]): Conversation<string[]> {
  const replies: string[] = [];
  for (const each of steps) replies.push(toHex(yield each));
  return replies;
}

function hold<Result>(conversation: Conversation<Result>, channel: Channel) {
  const exchange = recordExchange(systemClock);
  return { exchange, result: converse(conversation, { channel, clock: systemClock, exchange }) };
}

describe("a conversation over a channel", () => {
  it("returns each complete answer, also one in pieces or followed by noise", async () => {
    const channel = aChannel((_, n, emit) => {
      const bytes = frame(n, 1, 2, 3);
      emit(bytes.slice(0, 2));
      emit(bytes.slice(2, 5), 10);
      emit([...bytes.slice(5), 0xee, 0xee], 20);
    });

    const { result, exchange } = hold(asking(step(1), step(2)), channel);

    expect(await result).toEqual([toHex(frame(1, 1, 2, 3)), toHex(frame(2, 1, 2, 3))]);
    expect(exchange.retries()).toBe(0);
    expect(exchange.steps()[0]).toMatchObject({
      label: { code: "read_telegram", n: 1 },
      try: 1,
      sent: "5501",
    });
  });

  it("drops the echo of an endpoint marked as echoing, and mistakes nothing for an echo on others", async () => {
    const echoing = aChannel((sent, n, emit) => {
      emit([...sent.subarray(0, 1)]);
      emit([...sent.subarray(1), ...frame(n, 7)], 5);
    }, true);
    const silent = aChannel((_, n, emit) => emit(frame(n, 7)), true);

    expect(await hold(asking(step(1)), echoing).result).toEqual([toHex(frame(1, 7))]);
    expect(await hold(asking(step(1)), silent).result).toEqual([toHex(frame(1, 7))]);
  });

  it("retries after a wrong checksum and throws the last error when every try has failed", async () => {
    const spoiled = (n: number) => [...frame(n, 9).slice(0, -1), 0];
    const onceWrong = aChannel((_, n, emit) => emit(n === 1 ? spoiled(1) : frame(1, 9)));
    const alwaysWrong = aChannel((_, __, emit) => emit(spoiled(1)));

    const second = hold(asking(step(1)), onceWrong);
    expect(await second.result).toEqual([toHex(frame(1, 9))]);
    expect(second.exchange.steps().map(({ error }) => error?.kind)).toEqual(["checksum", undefined]);

    const never = hold(asking(step(1)), alwaysWrong);
    await expect(never.result).rejects.toMatchObject({ name: "ProtocolError", kind: "checksum" });
    expect(never.exchange.steps()).toHaveLength(3);
  });

  it("does not repeat a step that allows one try only", async () => {
    const channel = aChannel(() => undefined);

    const { result, exchange } = hold(asking(step(1, { tries: 1 })), channel);

    await expect(result).rejects.toMatchObject({ kind: "timeout" });
    expect(exchange.steps()).toHaveLength(1);
  });

  it("never mistakes a late answer for that of the next request", async () => {
    const channel = aChannel((_, n, emit) => {
      if (n === 1) emit(frame(1, 1), 75);
      else if (n === 2) emit(frame(1, 2), 5);
      // The late answer to attempt 1 is still on the line when request 2 has been sent.
      else emit([...frame(1, 1), ...frame(2, 5)], 5);
    });

    const { result } = hold(asking(step(1, { tries: 2 }), step(2)), channel);

    const [, second] = await result;
    expect(second).toBe(toHex(frame(2, 5)));
  });

  it("ends a frame by silence where the protocol has no length", async () => {
    const channel = aChannel((_, __, emit) => {
      emit([1, 2]);
      emit([3], 15);
    });

    const { result } = hold(
      asking(step(1, { match: () => ({ state: "more" }), endsBySilence: true })),
      channel,
    );

    expect(await result).toEqual(["010203"]);
  });

  it("lets the conversation continue after a failed step", async () => {
    const channel = aChannel((sent, _, emit) => {
      if (sent[1] === 2) emit(frame(2, 4));
    });
    function* tolerant(): Conversation<string> {
      try {
        yield step(1, { tries: 1 });
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
      }
      return toHex(yield step(2));
    }

    expect(await hold(tolerant(), channel).result).toBe(toHex(frame(2, 4)));
  });

  it("ends at once when the line is lost", async () => {
    const channel = aChannel(() => setTimeout(() => channel.close(), 5));

    const { result, exchange } = hold(asking(step(1, { firstByteMs: 10_000 })), channel);

    await expect(result).rejects.toBeInstanceOf(LineLost);
    expect(exchange.steps()[0]?.error?.kind).toBe("no_line");
  });

  it("gives up on a peer that sends endlessly, and keeps at most the limit", async () => {
    const flood = new Array<number>(40_000).fill(0xaa);
    const channel = aChannel((_, __, emit) => {
      for (let at = 0; at < 4; at++) emit(flood, at);
    });

    const { result, exchange } = hold(
      asking(step(1, { tries: 1, match: () => ({ state: "more" }) })),
      channel,
    );

    await expect(result).rejects.toMatchObject({ kind: "unexpected" });
    expect(exchange.steps()[0]?.received.length).toBeLessThanOrEqual(2 * 64 * 1024);
  });

  it("masks secrets in the record", async () => {
    const exchange = recordExchange(systemClock, [new TextEncoder().encode("pass")]);
    const channel = aChannel((_, n, emit) => emit(frame(n, 1)));
    const send = new TextEncoder().encode("U:pass;");

    await converse(asking(step(1, { send })), { channel, clock: systemClock, exchange });

    expect(exchange.steps()[0]?.sent).toBe(toHex(new TextEncoder().encode("U:****;")));
  });
});

describe("the speed of a line", () => {
  /** A line with variable speed, and a log of its operations in order. */
  function aSerialLine(answer: Parameters<typeof aChannel>[0], { echoes = false, fails = false } = {}) {
    const did: string[] = [];
    const line = aChannel((sent, n, emit) => {
      did.push(`sent ${toHex(sent)}`);
      answer(sent, n, emit);
    }, echoes);
    const change = (baud: number) => {
      did.push(String(baud));
      return fails ? Promise.reject(new LineLost("cannot change")) : Promise.resolve();
    };
    // Not spread: whether it is open must be read from the line itself.
    return { did, channel: Object.assign(line, { speed: { startBaud: 300, change } }) };
  }
  const signOn = step(1, { atStartSpeed: true });
  const acknowledge = step(2, { atStartSpeed: true, speedAfter: 9600 });

  it("changes after the bytes of a step, and is restored at the end of the dialogue", async () => {
    const { did, channel } = aSerialLine((_, n, emit) => emit(frame(n, 1)));

    await hold(asking(signOn, acknowledge, step(3)), channel).result;

    expect(did).toEqual(["300", "sent 5501", "300", "sent 5502", "9600", "sent 5503", "300"]);
  });

  it("is restored when the dialogue fails, and for retries", async () => {
    const { did, channel } = aSerialLine((sent, _, emit) => {
      if (sent[1] === 1) emit(frame(1, 1));
    });

    const { result } = hold(asking(signOn, { ...acknowledge, tries: 2 }), channel);

    await expect(result).rejects.toMatchObject({ kind: "timeout" });
    const acknowledged = ["300", "sent 5502", "9600"];
    expect(did).toEqual(["300", "sent 5501", ...acknowledged, ...acknowledged, "300"]);
  });

  it("changes only after the echo of the request, which would be lost otherwise", async () => {
    const { did, channel } = aSerialLine(
      (sent, n, emit) => {
        setTimeout(() => did.push("echo"), 15);
        emit([...sent], 15);
        emit(frame(n, 1), 40);
      },
      { echoes: true },
    );
    const waits = Object.assign(channel, { gapMs: 60_000 });

    await hold(asking(step(1, { speedAfter: 9600 })), waits).result;

    expect(did).toEqual(["sent 5501", "echo", "9600", "300"]);
  });

  it("leaves the device time before the next request, on a switched line only", async () => {
    const moments: number[] = [];
    const answer: Parameters<typeof aChannel>[0] = (_, n, emit) => {
      moments.push(systemClock.monotonicMs());
      emit(frame(n, 1));
    };
    const slow = [step(1), step(2, { reactionMs: 80 })];

    await hold(asking(...slow), aSerialLine(answer).channel).result;

    const [first = 0, second = 0] = moments;
    expect(second - first).toBeGreaterThanOrEqual(79);
  });

  it("that cannot be changed loses the line, and the dialogue reports it", async () => {
    const { channel } = aSerialLine((_, n, emit) => emit(frame(n, 1)), { fails: true });

    await expect(hold(asking(step(1, { speedAfter: 9600 })), channel).result).rejects.toThrow(
      "cannot change",
    );
  });

  it("is ignored on a line with a fixed speed", async () => {
    const channel = aChannel((_, n, emit) => emit(frame(n, 1)));

    expect(await hold(asking(signOn, acknowledge), channel).result).toHaveLength(2);
  });
});
