import mqtt, { type MqttClient } from "mqtt";
import { buildChirpStackUp, formatChirpStackTopic } from "@metrum/protocols/chirpstack";
import { vegaSi11 } from "@metrum/protocols/vega";
import type { MqttCredentials } from "../../apps/server/src/headend/channels/index.ts";

/**
 * Sends numbered readings of some devices while it is alive: the nth has the counter n and the time `base +
 * n`.
 */
export interface Publisher {
  /** Numbers that were acknowledged, by device. */
  readonly acknowledged: ReadonlyMap<string, ReadonlySet<number>>;
  readonly sent: () => number;
  readonly repeated: () => number;
  /** When the newest of the acknowledged readings was sent, by `performance.now`. */
  readonly youngestMs: () => number;
  /** Stops sending, waits for messages in flight, and ends. */
  readonly stop: () => Promise<void>;
}

/** Readings of one device awaiting their acknowledgement. */
const inFlight = 8;
const flushMs = 30_000;

const driver = vegaSi11();
const address = { deviceID: "", insideAddr: "", impulseWeight: 1, startingValue: 0 };
const applicationId = "kills";

export interface PublisherOptions {
  readonly url: string;
  readonly credentials: MqttCredentials;
  readonly devEuis: readonly string[];
  readonly base: number;
}

/**
 * One connection of a network server. Unacknowledged messages of a broken connection are sent again, as
 * required by MQTT.
 */
export function startPublisher({ url, credentials, devEuis, base }: PublisherOptions): Publisher {
  const { username, password, prefix } = credentials;
  const acknowledged = new Map(devEuis.map((devEui) => [devEui, new Set<number>()]));
  const client = mqtt.connect(url, {
    username,
    password,
    clientId: `kills-${crypto.randomUUID()}`,
    reconnectPeriod: 250,
    connectTimeout: 5_000,
    // A live broker keeps the session, so that both sides know the pending messages.
    clean: false,
  });
  client.on("error", () => undefined);
  let isStopping = false;
  let sent = 0;
  let packets = 0;
  let pending = 0;
  let youngestMs = 0;
  client.on("packetsend", (packet) => {
    if (packet.cmd === "publish") packets += 1;
  });

  const next = (devEui: string, numbers: { last: number }): void => {
    if (isStopping) return;
    const n = ++numbers.last;
    sent += 1;
    const sentMs = performance.now();
    pending += 1;
    publish(client, { prefix, devEui, n, at: base + n }, (error) => {
      pending -= 1;
      if (error) return;
      acknowledged.get(devEui)?.add(n);
      youngestMs = Math.max(youngestMs, sentMs);
      next(devEui, numbers);
    });
  };
  client.once("connect", () => {
    for (const devEui of devEuis) {
      const numbers = { last: 0 };
      for (let each = 0; each < inFlight; each++) next(devEui, numbers);
    }
  });
  return {
    acknowledged,
    sent: () => sent,
    repeated: () => packets - sent,
    youngestMs: () => youngestMs,
    async stop() {
      isStopping = true;
      const deadline = Date.now() + flushMs;
      while (pending > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
      await client.endAsync(true);
    },
  };
}

function publish(
  client: MqttClient,
  { prefix, devEui, n, at }: { prefix: string; devEui: string; n: number; at: number },
  done: (error?: Error) => void,
): void {
  const { fport, payload } = driver.encode(
    { ...address, deviceID: devEui },
    (field) => (field === "in1" ? n : 0),
    at,
  );
  const body = buildChirpStackUp({
    deduplicationId: crypto.randomUUID(),
    at,
    devEui,
    deviceName: devEui,
    applicationId,
    devAddr: devEui.slice(8),
    fCnt: n % 65_536,
    fPort: fport,
    dr: 3,
    confirmed: true,
    payload,
    receptions: [{ gatewayId: "0000000000000001", rssi: -80, snr: 7 }],
  });
  const topic = formatChirpStackTopic({ prefix, applicationId, devEui, event: "up" });
  client.publish(topic, body, { qos: 1 }, (error) => done(error ?? undefined));
}
