import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { createLog, systemClock } from "#core";
import { createConnectionLimiter } from "../../headend/channels/bounds.ts";
import { startBroker, type Broker, type BrokerOptions } from "../../headend/channels/mqtt/broker.ts";

/** Password of every account of these brokers. */
const secret = "secret";

/** A connected client with its received messages, including those before the test could subscribe. */
export interface TestClient extends MqttClient {
  /** Topic and the first 20 bytes of each message. */
  readonly received: readonly string[];
  readonly sessionPresent: boolean;
}

export interface TestBrokers {
  /**
   * A broker on a free port. Accounts are named after their company ("c7", "c7-park"), their password is
   * "secret".
   */
  readonly aBroker: (given?: Partial<BrokerOptions>) => Promise<Broker>;
  /** A client that does not reconnect. Rejects when it is refused. */
  readonly aClient: (broker: Broker, username: string, options?: IClientOptions) => Promise<TestClient>;
  /** A client of company 7 that subscribes to all of its topics and never reads. */
  readonly aDeafClient: (broker: Broker, clientId: string) => Socket;
  readonly onStop: (stop: () => Promise<unknown>) => void;
  /** Ends everything opened since the last call, the newest first. */
  readonly stop: () => Promise<void>;
}

/** Brokers and clients of one test or benchmark. */
export function testBrokers(): TestBrokers {
  const stops: (() => Promise<unknown>)[] = [];
  const onStop: TestBrokers["onStop"] = (stop) => void stops.push(stop);
  return {
    onStop,
    async aBroker(given = {}) {
      const broker = await startBroker({ ...defaults(), ...given });
      onStop(broker.stop);
      return broker;
    },
    aClient({ port, tlsPort }, username, options = {}) {
      const url = options.ca ? `mqtts://127.0.0.1:${String(tlsPort)}` : `mqtt://127.0.0.1:${String(port)}`;
      const client = mqtt.connect(url, { username, password: secret, reconnectPeriod: 0, ...options });
      onStop(() => client.endAsync(true));
      return connected(client);
    },
    aDeafClient({ port }, clientId) {
      const socket = connect({ host: "127.0.0.1", port });
      onStop(() => Promise.resolve(socket.destroy()));
      socket.on("error", () => undefined);
      const names = [clientId, "c7", secret].flatMap(text);
      socket.write(packet(0x10, [...text("MQTT"), 4, 0xc2, 0, 60, ...names]));
      socket.write(packet(0x82, [0, 1, ...text("c7/#"), 0]));
      return socket;
    },
    async stop() {
      for (const stop of stops.splice(0).toReversed()) await stop();
    },
  };
}

const defaults = (): BrokerOptions => ({
  host: "127.0.0.1",
  port: 0,
  clock: systemClock,
  log: createLog("silent"),
  limiter: createConnectionLimiter(systemClock),
  authenticate: (username, password) =>
    Promise.resolve(
      password.toString() === secret
        ? { companyId: Number(/\d+/.exec(username)?.[0]), username, secretHash: password }
        : undefined,
    ),
  onMessage: () => Promise.resolve(),
  onRefused: () => undefined,
  pause: (ms) => sleep(ms),
});

function connected(client: MqttClient): Promise<TestClient> {
  const received: string[] = [];
  client.on("message", (topic, payload) => received.push(`${topic} ${payload.subarray(0, 20).toString()}`));
  return new Promise((resolve, reject) => {
    client.on("error", reject);
    client.once("close", () => reject(new Error("closed before it was connected")));
    client.once("connect", ({ sessionPresent }) =>
      resolve(Object.assign(client, { received, sessionPresent })),
    );
  });
}

const text = (value: string): number[] => [0, value.length, ...Buffer.from(value)];
const packet = (type: number, body: readonly number[]): Uint8Array =>
  Uint8Array.of(type, body.length, ...body);
