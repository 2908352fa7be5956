import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import mqtt from "mqtt";
import { afterEach, expect, test } from "vitest";
import { createLog } from "#core";
import { hasMosquitto, openMosquitto } from "#testing/peers/mosquitto";
import { connectBrokerElsewhere } from "./brokerElsewhere.ts";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A store whose writes complete when the test decides. */
function aStore() {
  const waiting = new Map<string, { end: () => void; fail: () => void }>();
  const begun: string[] = [];
  return {
    begun,
    waiting,
    onMessage: (_: string, payload: Uint8Array): Promise<void> => {
      const name = Buffer.from(payload).toString();
      begun.push(name);
      return new Promise((resolve, reject) => {
        waiting.set(name, { end: resolve, fail: () => reject(new Error("the database is unavailable")) });
      });
    },
    end: (name: string): void => waiting.get(name)?.end(),
  };
}

const topicOf = (device: string): string => `v3/app/devices/${device}/up`;

interface Given {
  readonly qos: 0 | 1;
  readonly url: string;
  readonly store: ReturnType<typeof aStore>;
}

/** The connection under test, a publisher, and the bytes sent to the broker. */
async function aConnection({ qos, url, store }: Given) {
  const port = Number(new URL(url).port);
  const sent: Buffer[] = [];
  let isConnected = (): void => undefined;
  const connected = new Promise<void>((resolve) => (isConnected = resolve));
  const broker = connectBrokerElsewhere({
    open: () => watched(connect(port, "127.0.0.1"), sent),
    username: "",
    password: "",
    filters: ["v3/#"],
    qos,
    onMessage: store.onMessage,
    pause: (ms) => sleep(ms),
    onConnected: () => isConnected(),
    onLost: () => undefined,
    log: createLog("silent"),
  });
  stops.push(broker.stop);
  await connected;
  const publisher = await mqtt.connectAsync(url);
  stops.push(() => publisher.endAsync(true));
  return {
    sent,
    publish: (device: string, body: string) => publisher.publishAsync(topicOf(device), body, { qos }),
  };
}

/** Records bytes written to a socket. */
function watched(socket: Socket, sent: Buffer[]): Socket {
  const write = socket.write.bind(socket);
  return Object.assign(socket, {
    write: (...given: Parameters<typeof write>) => {
      const [bytes] = given;
      sent.push(Buffer.from(bytes));
      return write(...given);
    },
  });
}

/** Packet identifiers of the acknowledgements among the written bytes. */
const acknowledged = (sent: readonly Buffer[]): number[] =>
  sent.flatMap((bytes) => (bytes.length === 4 && bytes[0] === 0x40 ? [bytes.readUInt16BE(2)] : []));

const patient = { timeout: 60_000 };
const why = hasMosquitto ? "" : " (skipped: /usr/sbin/mosquitto is not installed)";

test.skipIf(!hasMosquitto)(
  `messages are stored concurrently, those of a device in order, and acknowledged in order of arrival${why}`,
  async () => {
    const broker = await openMosquitto();
    stops.push(broker.close);
    const store = aStore();
    const { sent, publish } = await aConnection({ qos: 1, url: broker.url, store });

    for (const [device, body] of [
      ["a", "a1"],
      ["b", "b1"],
      ["a", "a2"],
      ["c", "c1"],
    ] as const)
      await publish(device, body);
    await expect.poll(() => store.begun, patient).toEqual(["a1", "b1", "c1"]);
    store.end("b1");
    store.end("c1");
    expect(acknowledged(sent)).toEqual([]);
    store.end("a1");
    await expect.poll(() => store.begun, patient).toEqual(["a1", "b1", "c1", "a2"]);
    await expect.poll(() => acknowledged(sent), patient).toEqual([1, 2]);
    store.end("a2");

    await expect.poll(() => acknowledged(sent), patient).toEqual([1, 2, 3, 4]);
  },
);

test.skipIf(!hasMosquitto)(
  `a message that the database refuses is requested again and not acknowledged before${why}`,
  async () => {
    const broker = await openMosquitto();
    stops.push(broker.close);
    const store = aStore();
    const { sent, publish } = await aConnection({ qos: 1, url: broker.url, store });

    await publish("a", "a1");
    await expect.poll(() => store.begun, patient).toEqual(["a1"]);
    store.waiting.get("a1")?.fail();
    await expect.poll(() => store.begun, patient).toEqual(["a1", "a1"]);
    expect(acknowledged(sent)).toEqual([]);
    store.end("a1");

    await expect.poll(() => acknowledged(sent), patient).toEqual([1]);
  },
);

test.skipIf(!hasMosquitto)(
  `after a hundred pending messages nothing more is read until one is stored${why}`,
  async () => {
    const broker = await openMosquitto();
    stops.push(broker.close);
    const store = aStore();
    const { publish } = await aConnection({ qos: 0, url: broker.url, store });
    const names = Array.from({ length: 130 }, (_, at) => `d${String(at)}`);

    for (const name of names) await publish(name, name);
    await expect.poll(() => store.begun.length, patient).toBe(100);
    store.end("d1");
    store.end("d0");
    await expect.poll(() => store.begun.length, patient).toBeGreaterThan(100);
    expect(store.begun.length).toBeLessThanOrEqual(102);
    for (const name of names) {
      await expect.poll(() => store.waiting.has(name), patient).toBe(true);
      store.end(name);
    }

    expect(store.begun).toEqual(names);
  },
);
