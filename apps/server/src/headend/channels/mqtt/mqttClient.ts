import mqtt from "mqtt";
import type { Log } from "#core";
import type { OnMqttMessage } from "./mqttMessage.ts";
import { laneOfDevice, takeTogether } from "./takeTogether.ts";

export interface ExternalBrokerOptions {
  readonly url: string;
  /** The same at every start: the broker keeps what comes meanwhile under this name. */
  readonly clientId: string;
  readonly log: Log;
  readonly onMessage: OnMqttMessage;
  readonly pause: (ms: number) => Promise<void>;
}

/** Downlink orders of this platform are not included. */
const filters = [
  "+/application/+/device/+/event/+",
  ...["up", "join", "down/queued", "down/sent", "down/ack", "down/nack", "down/failed"].map(
    (event) => `+/v3/+/devices/+/${event}`,
  ),
  // Messages of companies' own publishers, interpreted by a mapping.
  "+/mapped/#",
];

/** Return codes of CONNACK for a wrong name or password, and for an account without the right to connect. */
const refusedAccounts: readonly unknown[] = [4, 5];

export interface ExternalBroker {
  readonly reaches: (topic: string) => boolean;
  /**
   * Passes a message to the connection; false when there is none. Its acknowledgement is not awaited: while a
   * message of the broker is being stored, nothing else is read from it.
   */
  readonly publish: (topic: string, body: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/**
 * Receives events from an external broker, whose ACL keeps each company under its prefix. A message is
 * acknowledged after it is in the database; while the database is unavailable nothing is acknowledged and,
 * some messages later, nothing more is read. The session stays at the broker, so what is published while
 * nothing is connected comes afterwards.
 */
export function connectExternalBroker(options: ExternalBrokerOptions): ExternalBroker {
  const { url, clientId, log, onMessage, pause } = options;
  let stopped = false;
  const client = mqtt.connect(url, { reconnectPeriod: 2000, queueQoSZero: false, clientId, clean: false });
  client.on("connect", () => {
    client.subscribe(filters, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, "the MQTT broker refuses the subscription");
    });
  });
  client.on("error", (error) => {
    if ("code" in error && refusedAccounts.includes(error.code))
      log.error({ err: error }, "the MQTT broker refuses the name or password in METRUM_MQTT_URL");
    else log.warn({ err: error }, "MQTT broker");
  });
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
      // An order is neither kept for a connection to come nor sent a second time.
      client.publish(topic, body, { qos: 0 }, (error) => {
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
