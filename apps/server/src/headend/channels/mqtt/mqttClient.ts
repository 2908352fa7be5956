import mqtt from "mqtt";
import type { Log } from "#core";
import type { OnMqttMessage } from "./mqttMessage.ts";
import { laneOfDevice, takeTogether } from "./takeTogether.ts";

export interface ExternalBrokerOptions {
  readonly url: string;
  readonly log: Log;
  readonly onMessage: OnMqttMessage;
  readonly pause: (ms: number) => Promise<void>;
}

/** Shared by all processes, so that each message is taken by one of them. Our own orders are not among them. */
const filters = [
  "+/application/+/device/+/event/+",
  ...["up", "join", "down/queued", "down/sent", "down/ack", "down/nack", "down/failed"].map(
    (event) => `+/v3/+/devices/+/${event}`,
  ),
  // Messages of publishers of companies, which say in a mapping what they mean.
  "+/mapped/#",
].map((filter) => `$share/metrum/${filter}`);

export interface ExternalBroker {
  readonly reaches: (topic: string) => boolean;
  /**
   * Hands a message to the connection; false when there is none. Its acknowledgement is not waited for: while a message of the
   * broker is being stored, nothing else is read from it.
   */
  readonly publish: (topic: string, body: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/**
 * Takes events from an external broker, whose access rules keep each company under its prefix. A message is acknowledged after it
 * is in the database; while the database is away nothing is acknowledged and, some messages later, nothing more is read.
 */
export function connectExternalBroker(options: ExternalBrokerOptions): ExternalBroker {
  const { url, log, onMessage, pause } = options;
  let stopped = false;
  const client = mqtt.connect(url, { reconnectPeriod: 2000 });
  client.on("connect", () => {
    client.subscribe(filters, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, "the MQTT broker refuses the subscription");
    });
  });
  client.on("error", (error) => log.warn({ err: error }, "MQTT broker"));
  takeTogether(client, {
    laneOf: laneOfDevice,
    pause,
    isStopped: () => stopped,
    log,
    async store(topic, payload) {
      const companyId = Number(/^c(\d{1,9})\//.exec(topic)?.[1] ?? Number.NaN);
      if (!Number.isNaN(companyId)) await onMessage({ companyId, topic, payload });
    },
  });
  return {
    reaches: () => client.connected,
    publish(topic, body) {
      if (!client.connected) return Promise.resolve(false);
      client.publish(topic, body, { qos: 1 }, (error) => {
        if (error) log.warn({ err: error, topic }, "the MQTT broker has not taken an order");
      });
      return Promise.resolve(true);
    },
    async stop() {
      stopped = true;
      await client.endAsync(true);
    },
  };
}
