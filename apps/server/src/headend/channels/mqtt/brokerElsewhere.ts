import type { Socket } from "node:net";
import mqtt, { type MqttClient } from "mqtt";
import type { Log } from "#core";
import { limitPackets } from "./packetLimit.ts";
import { laneOfDevice, takeTogether } from "./takeTogether.ts";

/** Outcome of a publication. `unknown`: the connection broke before the broker acknowledged it. */
export type HandedOver = "sent" | "no_line" | "unknown";

export interface BrokerElsewhereOptions {
  /** Opens a connection to the broker, with or without TLS. */
  readonly open: () => Socket;
  readonly username: string;
  readonly password: string;
  readonly filters: readonly string[];
  /**
   * Name of a session that the broker keeps with what comes while nothing is connected, for QoS 1; absent: a new
   * session each time.
   */
  readonly clientId?: string;
  /** The Things Stack supports only 0: messages published while disconnected are lost there. */
  readonly qos: 0 | 1;
  /** Resolves when the message is in the database. Rejects only when the database is unavailable. */
  readonly onMessage: (topic: string, payload: Uint8Array) => Promise<void>;
  readonly pause: (ms: number) => Promise<void>;
  readonly onConnected: () => void;
  /**
   * Why the connection ended: the refusal of the broker, else the first error; undefined when no reason is
   * known.
   */
  readonly onLost: (error: Error | undefined) => void;
  readonly log: Log;
  /** Pause before the first and, growing with failures, every further attempt; for tests. */
  readonly pausesMs?: { readonly first: number; readonly most: number };
}

export interface BrokerElsewhere {
  readonly isConnected: () => boolean;
  readonly publish: (topic: string, body: string) => Promise<HandedOver>;
  readonly stop: () => Promise<void>;
  /** Ends the session that the broker keeps; after `stop`, for a connection that is removed. */
  readonly forget: () => Promise<void>;
}

const forgetMs = 5_000;
const usualPausesMs = { first: 1_000, most: 300_000 };
const handOverMs = 5_000;

/** Return code of SUBACK (MQTT 3.1.1, 3.9.3), which the client does not pass on. */
const topicsRefused = 128;

/**
 * Refused by the broker, not unreachable: return codes 1 to 5 of CONNACK, 128 of SUBACK (MQTT 3.1.1, 3.2.2.3
 * and 3.9.3).
 */
const isRefusal = (error: Error): boolean =>
  "code" in error && typeof error.code === "number" && error.code > 0 && error.code <= topicsRefused;

/**
 * Keeps a connection to an external broker. Many messages are stored concurrently, those of a device in
 * order, and a QoS 1 message is acknowledged after it is in the database. After a break it reconnects by
 * itself with growing pauses, as a new client that continues the session: earlier publications are not
 * repeated, and messages that were not acknowledged are repeated.
 */
export function connectBrokerElsewhere(options: BrokerElsewhereOptions): BrokerElsewhere {
  const { first, most } = options.pausesMs ?? usualPausesMs;
  let client: MqttClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = first;
  let isStopped = false;
  const connect = (): void => {
    let why: Error | undefined;
    const fail = (error: Error): void => {
      if (why === undefined || (isRefusal(error) && !isRefusal(why))) why = error;
    };
    const next = clientOf(options, { fail, isKept: options.qos === 1 });
    client = next;
    takeTogether(next, {
      laneOf: laneOfDevice,
      store: options.onMessage,
      pause: options.pause,
      isStopped: () => isStopped,
      log: options.log,
    });
    next.on("connect", () => {
      next.subscribe([...options.filters], { qos: options.qos }, (error) => {
        if (error) {
          fail("packet" in error ? Object.assign(error, { code: topicsRefused }) : error);
          next.end(true);
          return;
        }
        pauseMs = first;
        options.onConnected();
      });
    });
    next.once("close", () => {
      next.end(true);
      if (isStopped || client !== next) return;
      client = undefined;
      options.onLost(why);
      timer = setTimeout(connect, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, most);
    });
  };
  connect();
  return {
    isConnected: () => client?.connected === true,
    publish: (topic, body) =>
      client?.connected ? publishBy(client, { topic, body, qos: options.qos }) : Promise.resolve("no_line"),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await client?.endAsync(true);
    },
    async forget() {
      if (options.clientId === undefined || options.qos === 0) return;
      const last = clientOf(options, { fail: () => undefined, isKept: false });
      await new Promise<void>((resolve) => {
        for (const event of ["connect", "close"] as const) last.once(event, () => resolve());
        setTimeout(resolve, forgetMs).unref();
      });
      await last.endAsync(true);
    },
  };
}

function clientOf(
  { open, username, password, clientId }: BrokerElsewhereOptions,
  { fail, isKept }: { readonly fail: (error: Error) => void; readonly isKept: boolean },
): MqttClient {
  const stream = (): Socket => {
    const socket = open();
    // The client reports only errors with a code that it knows.
    socket.on("error", fail);
    limitPackets(socket);
    return socket;
  };
  const client = new mqtt.MqttClient(stream, {
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    ...(clientId === undefined ? {} : { clientId, clean: !isKept }),
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  });
  client.on("error", fail);
  return client;
}

interface Message {
  readonly topic: string;
  readonly body: string;
  readonly qos: 0 | 1;
}

function publishBy(client: MqttClient, { topic, body, qos }: Message): Promise<HandedOver> {
  return new Promise((resolve) => {
    const end = (result: HandedOver): void => {
      clearTimeout(late);
      client.off("close", lost);
      resolve(result);
    };
    const lost = (): void => end("unknown");
    const late = setTimeout(lost, handOverMs).unref();
    client.once("close", lost);
    client.publish(topic, body, { qos }, (error) => end(error ? "unknown" : "sent"));
  });
}
