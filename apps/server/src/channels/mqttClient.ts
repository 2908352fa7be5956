import mqtt from "mqtt";
import type { Log } from "#core";
import type { OnMqttMessage } from "./broker.ts";

export interface ExternalBrokerOptions {
  readonly url: string;
  readonly log: Log;
  readonly onMessage: OnMqttMessage;
}

/** Shared by all processes, so that each message is taken by one of them. */
const filter = "$share/metrum/+/application/+/device/+/event/+";
const retryMs = 1000;

/**
 * Takes events from an external broker, whose access rules keep each company under its prefix. A message is acknowledged after it
 * is in the database; while the database is away nothing is acknowledged and nothing more is read.
 */
export function connectExternalBroker({ url, log, onMessage }: ExternalBrokerOptions): () => Promise<void> {
  let stopped = false;
  const client = mqtt.connect(url, { reconnectPeriod: 2000 });
  client.on("connect", () => {
    client.subscribe(filter, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, "the MQTT broker refuses the subscription");
    });
  });
  client.on("error", (error) => log.warn({ err: error }, "MQTT broker"));
  client.handleMessage = (packet, done) => {
    const companyId = Number(/^c(\d{1,9})\//.exec(packet.topic)?.[1] ?? Number.NaN);
    if (Number.isNaN(companyId)) {
      done();
      return;
    }
    const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
    const take = (): void => {
      if (stopped) return;
      onMessage({ companyId, topic: packet.topic, payload }).then(
        () => done(),
        (error: unknown) => {
          log.warn({ err: error }, "uplink waits for the database");
          setTimeout(take, retryMs).unref();
        },
      );
    };
    take();
  };
  return async () => {
    stopped = true;
    await client.endAsync(true);
  };
}
