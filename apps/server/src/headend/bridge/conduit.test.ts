import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Channel } from "#headend/channels";
import { systemClock } from "#core";
import { openConduit, plainAddress, type ConduitOptions } from "./conduit.ts";
import { recordPassage } from "./record.ts";

type Listener = Parameters<Channel["listen"]>[0];

/** A line whose far end is the test, and a clock that the test advances. */
function aLine() {
  const written: Uint8Array[] = [];
  let listener: Listener;
  const channel: Channel = {
    write: (bytes) => {
      written.push(bytes);
      return Promise.resolve();
    },
    listen: (next) => {
      listener = next;
    },
    onClose: () => () => undefined,
    close: () => undefined,
    isOpen: true,
    roundTripMs: 0,
    gapMs: 0,
    echoes: false,
  };
  return {
    channel,
    written,
    say: (bytes: Uint8Array) => void listener?.(bytes),
    isHeard: () => listener !== undefined,
  };
}

async function aConduit(more: Partial<ConduitOptions> = {}) {
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => performance.now() + aheadMs };
  const conduit = await openConduit({
    host: "127.0.0.1",
    ports: { first: 23_200, last: 23_210 },
    address: "127.0.0.1",
    clock,
    endsAtMs: clock.monotonicMs() + 3_600_000,
    sent: () => undefined,
    received: () => undefined,
    ...more,
  });
  if (!conduit) throw new Error("no free port");
  return { conduit, clock, later: (seconds: number) => (aheadMs += seconds * 1000) };
}

test("data sent before the line is free are held back until then", async () => {
  const { conduit } = await aConduit();
  const line = aLine();
  const client = connect(conduit.port, "127.0.0.1");
  await once(client, "connect");
  client.write("abc");

  const joined = conduit.join(line.channel);
  while (line.written.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  line.say(Uint8Array.of(1, 2));
  const [answer] = (await once(client, "data")) as [Uint8Array];
  conduit.close();

  expect(new TextDecoder().decode(line.written[0])).toBe("abc");
  expect([...answer]).toEqual([1, 2]);
  expect(await joined).toBe("closed");
  expect(line.isHeard()).toBe(false);
});

test("a port closes after five minutes of silence or at the end of its hour", async () => {
  const idle = await aConduit();
  const silent = idle.conduit.join(aLine().channel);
  idle.later(301);
  expect(await silent).toBe("idle");

  const busy = await aConduit();
  const line = aLine();
  const used = busy.conduit.join(line.channel);
  busy.later(3601);
  line.say(Uint8Array.of(1));
  expect(await used).toBe("limit");
});

test("a range without a free port returns none", async () => {
  const taken = await aConduit({ ports: { first: 23_220, last: 23_220 } });

  await expect(aConduit({ ports: { first: 23_220, last: 23_220 } })).rejects.toThrow("no free port");
  taken.conduit.close();
});

test("an IPv4 address equals its IPv4-mapped IPv6 form", () => {
  expect(plainAddress("::ffff:10.0.0.1")).toBe("10.0.0.1");
  expect(plainAddress("2001:db8::1")).toBe("2001:db8::1");
});

test("the record keeps exchanges up to its limit, counts everything and masks secrets that arrive in pieces", () => {
  const passage = recordPassage(systemClock, [Uint8Array.of(7, 8, 9)]);
  passage.sent(Uint8Array.of(1, 7, 8));
  passage.sent(Uint8Array.of(9, 2));
  passage.received(Uint8Array.of(3));
  passage.sent(new Uint8Array(70_000));

  expect(passage.counts()).toEqual({ sent: 70_005, received: 1 });
  expect(passage.steps()[0]).toMatchObject({ sent: "012a2a2a02", received: "03" });
  expect(passage.steps()[1]?.sent).toHaveLength(2 * (64 * 1024 - 6));
});
