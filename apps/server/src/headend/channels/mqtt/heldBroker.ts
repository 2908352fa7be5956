import { startRounds, type Services } from "#core";
import { claimLine, releaseLine } from "../lines/lineStore.ts";
import { connectExternalBroker, type ExternalBroker } from "./mqttClient.ts";
import type { OnMqttMessage } from "./mqttMessage.ts";

/** Interval at which a process that is not the holder tries to become it. */
const everyMs = 10_000;
/** Key under which one process holds the connection. */
const line = "mqtt_broker";
const clientIdDigits = 16;

export interface HeldBrokerOptions {
  readonly services: Services;
  readonly url: string;
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
  readonly onMessage: OnMqttMessage;
  readonly everyMs?: number;
}

/**
 * Name of the session of this installation at a broker, the same in every process and at every start; 22
 * characters, which every broker accepts. `of` distinguishes sessions of one installation.
 */
export const clientIdOf = ({ secretBox }: Pick<Services, "secretBox">, of: string): string =>
  `metrum${secretBox.mac(of, "mqtt_client").toString("hex").slice(0, clientIdDigits)}`;

/**
 * The external broker of the installation, connected to by one process at a time: the broker keeps one session,
 * which the next holder continues, so nothing that is published in between is lost. Errors: none.
 */
export function holdExternalBroker(options: HeldBrokerOptions): ExternalBroker {
  const { services, url, processId, onMessage } = options;
  const { database, log } = services;
  const { pause } = database;
  const clientId = clientIdOf(services, line);
  let held: ExternalBroker | undefined;
  const drop = async (): Promise<void> => {
    const broker = held;
    held = undefined;
    await broker?.stop();
  };
  const rounds = startRounds({
    everyMs: options.everyMs ?? everyMs,
    on: { listener: database.listener, channels: [] },
    async round() {
      const isOurs = await claimLine(database, line, processId());
      if (!isOurs) await drop();
      else if (!rounds.isStopped()) held ??= connectExternalBroker({ url, clientId, log, onMessage, pause });
    },
    onError: (error) => log.warn({ err: error }, "the holder of the MQTT broker was not found"),
  });
  return {
    reaches: (topic) => held?.reaches(topic) ?? false,
    publish: (topic, body) => held?.publish(topic, body) ?? Promise.resolve(false),
    async stop() {
      await rounds.stop();
      await drop();
      await releaseLine(database, line, processId());
    },
  };
}
