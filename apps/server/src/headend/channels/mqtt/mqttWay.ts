import { readCertificate, type Services, type Stop } from "#core";
import { accountOf } from "./accounts.ts";
import { watchAccounts } from "./accountWatch.ts";
import type { ConnectionLimiter } from "../bounds.ts";
import { startBroker, type Broker } from "./broker.ts";
import { brokerFigures } from "./brokerMetrics.ts";
import type { OnMqttMessage } from "./mqttMessage.ts";
import { watchCertificate } from "./certificateWatch.ts";
import { holdExternalBroker } from "./heldBroker.ts";
import { refusalNotes } from "./refusals.ts";

/** Transport of MQTT messages in both directions. */
export interface MqttWay extends Pick<Broker, "publish" | "reaches"> {
  /** Ports as they were opened; undefined: the broker is external, or has no TLS port. */
  readonly mqttPort: number | undefined;
  readonly mqttsPort: number | undefined;
  readonly stops: readonly Stop[];
}

export interface MqttWayOptions {
  readonly services: Services;
  readonly limiter: ConnectionLimiter;
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
  readonly onMessage: OnMqttMessage;
}

/** Starts the embedded broker, or connects to the external one. Errors: Error that names the setting. */
export async function openMqtt({
  services,
  limiter,
  processId,
  onMessage,
}: MqttWayOptions): Promise<MqttWay> {
  const { config, database, clock, log, metrics } = services;
  if (config.mqttUrl !== undefined) {
    const url = config.mqttUrl;
    const { publish, reaches, stop } = holdExternalBroker({ services, url, processId, onMessage });
    return { mqttPort: undefined, mqttsPort: undefined, publish, reaches, stops: [stop] };
  }
  const { mqtts } = config;
  const certificate = mqtts && (await readCertificate(mqtts));
  const refusals = refusalNotes({ database, clock, log });
  const broker = await startBroker({
    host: config.deviceHost,
    port: config.mqttPort,
    ...(mqtts && certificate ? { tls: { port: mqtts.port, certificate } } : {}),
    clock,
    log,
    limiter,
    authenticate: (username, password) => accountOf(database, username, password),
    onMessage,
    onRefused: refusals.add,
    pause: database.pause,
  });
  const remove = metrics.add(brokerFigures(broker));
  const stop: Stop = async () => {
    remove();
    await broker.stop();
    await refusals.stop();
  };
  const watch =
    mqtts && certificate
      ? [watchCertificate({ files: mqtts, log, current: certificate, onNew: broker.renewCertificate })]
      : [];
  return {
    mqttPort: broker.port,
    mqttsPort: broker.tlsPort,
    publish: broker.publish,
    reaches: broker.reaches,
    stops: [stop, watchAccounts(services, broker), ...watch],
  };
}
