import type { Socket } from "node:net";
import { Aedes, type Client } from "aedes";
import type { Certificate, Clock, Log } from "#core";
import type { ConnectionLimiter } from "../bounds.ts";
import { ofAllAccounts } from "./accountSessions.ts";
import { openBrokerListener, type BrokerListener } from "./brokerListener.ts";
import { gatekeeping, keepAliveLimitSec } from "./brokerGate.ts";
import { noteDropped, type BrokerCounts, type BrokerTotals } from "./brokerNotes.ts";
import { createEmitter } from "./mqttEmitter.ts";
import { accountOfClient, MqttGuests, ofAllGuests } from "./mqttGuests.ts";
import type { OnRefused } from "./refusals.ts";
import { MqttSessions } from "./mqttSessions.ts";
import { companyPrefix, type OnMqttMessage } from "./mqttMessage.ts";
import { named } from "../named.ts";
import { limitPackets, maxPacketBytes } from "./packetLimit.ts";
import type { MqttAccount } from "./accountStore.ts";

export interface BrokerOptions {
  readonly host: string;
  readonly port: number;
  /** A second port for the same accounts and limits, with TLS; optional. */
  readonly tls?: { readonly port: number; readonly certificate: Certificate };
  readonly clock: Clock;
  readonly log: Log;
  readonly limiter: ConnectionLimiter;
  /** The account of these credentials; undefined: wrong name or password. */
  readonly authenticate: (username: string, password: Buffer) => Promise<MqttAccount | undefined>;
  readonly onMessage: OnMqttMessage;
  readonly onRefused: OnRefused;
  /** Overrides the default limits of all accounts together. */
  readonly ofAll?: Partial<Record<keyof typeof ofAllAccounts | keyof typeof ofAllGuests, number>>;
  /** Pause before a message is stored again; cut short when the database is back. */
  readonly pause: (ms: number) => Promise<void>;
}

/** An admitted client, with its account at the time. */
export interface Admitted {
  readonly account: MqttAccount;
  readonly close: () => void;
}

export interface Broker {
  readonly port: number;
  readonly tlsPort: number | undefined;
  /** Sets the certificate for new connections to the TLS port. */
  readonly renewCertificate: (certificate: Certificate) => void;
  /** All clients admitted at present. */
  readonly admitted: () => readonly Admitted[];
  /** Whether a client of the company of this topic is connected here. */
  readonly reaches: (topic: string) => boolean;
  /** Usage of an account in this broker, and what was dropped. */
  readonly counts: (account: string) => BrokerCounts;
  /** The same of all accounts, with the memory they use. */
  readonly totals: () => BrokerTotals;
  /** Publishes to a company, below its prefix; false when no client of it is connected here. */
  readonly publish: (topic: string, body: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

const connectMs = 30_000;
/** Maximum topic levels; the cost of a lookup grows with them. */
const maxTopicLevels = 32;
/** Maximum packet length before authentication: a CONNECT with a will. */
const maxFirstBytes = 96 * 1024;

/**
 * The embedded MQTT 3.1.1 broker: no anonymous client, each company under its own prefix, each client id
 * within its account.
 * Errors: Error that names the setting of a port that cannot be opened.
 */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { log, clock } = options;
  const note = noteDropped({ log, clock, onRefused: options.onRefused });
  const guests = new MqttGuests(note, { ...ofAllGuests, ...options.ofAll });
  const present = new Map<string, Client>();
  const sessions = new MqttSessions({
    accountOf: accountOfClient,
    grantedTo: (client) => guests.filtersOf(client),
    isConnected: (clientId) => present.has(clientId),
    onDropped: note.dropped,
    bounds: { ...ofAllAccounts, ...options.ofAll },
  });
  const aedes = await Aedes.createBroker({
    connectTimeout: connectMs,
    keepaliveLimit: keepAliveLimitSec,
    queueLimit: 100,
    maxInflightInbound: 100,
    maxTopicLevels,
    mq: createEmitter(),
    persistence: sessions,
    ...gatekeeping(options, guests, note),
  });
  aedes.on("client", (client) => present.set(client.id, client));
  aedes.on("clientDisconnect", (client) => {
    if (present.get(client.id) === client) present.delete(client.id);
  });
  aedes.on("unsubscribe", (filters, client) => guests.unsubscribed(client, filters));
  aedes.on("clientError", (_, error) => log.debug({ err: error }, "mqtt client"));
  aedes.on("connectionError", (_, error) => log.debug({ err: error }, "mqtt connection"));

  const { plain, secure } = await openListeners(options, (socket) => {
    const client = aedes.handle(socket);
    // No session is found under this id; a connection may end before it has sent anything.
    client.id = "";
    limitPackets(socket, {
      limit: () => (guests.accountOf(client) ? maxPacketBytes : maxFirstBytes),
      onLarge: (bytes) => guests.receiving(client, bytes),
    });
  });
  const reaches = (topic: string): boolean =>
    [...present.values()].some((client) =>
      topic.startsWith(companyPrefix(guests.accountOf(client)?.companyId ?? 0)),
    );
  return {
    port: plain.port,
    tlsPort: secure?.port,
    renewCertificate: (certificate) => secure?.renew(certificate),
    admitted: () => guests.all().map(([client, account]) => admittedOf(client, account, guests)),
    reaches,
    counts: (account) => ({
      ...guests.counts(account),
      ...sessions.counts(account),
      ...note.counts(account),
    }),
    totals: () => ({ ...guests.totals(), ...sessions.totals(), ...note.totals() }),
    async publish(topic, body) {
      if (!reaches(topic)) return false;
      await publishBy(aedes, topic, body);
      return true;
    },
    async stop() {
      await new Promise<void>((resolve) => aedes.close(resolve));
      await Promise.all([plain.close(), secure?.close()]);
    },
  };
}

interface Listeners {
  readonly plain: BrokerListener;
  readonly secure: BrokerListener | undefined;
}

/** Errors: Error that names the setting of the port that cannot be opened. */
async function openListeners(
  { host, port, tls, log, limiter }: BrokerOptions,
  onSocket: (socket: Socket) => void,
): Promise<Listeners> {
  const both = { host, log, limiter, onSocket };
  const plain = await named("METRUM_MQTT_PORT", port, () => openBrokerListener({ ...both, port }));
  if (!tls) return { plain, secure: undefined };
  try {
    const secure = await named("METRUM_MQTTS_PORT", tls.port, () => openBrokerListener({ ...both, ...tls }));
    return { plain, secure };
  } catch (error) {
    await plain.close();
    throw error;
  }
}

function admittedOf(client: Client, account: MqttAccount, guests: MqttGuests): Admitted {
  const close = (): void => {
    // Anything it still sends, including its last will, belongs to no company.
    guests.forget(client);
    client.close();
  };
  return { account, close };
}

/** With QoS 0: the broker keeps an order for no client that is away, and sends none a second time. */
function publishBy(aedes: Aedes, topic: string, body: string): Promise<void> {
  const packet = { cmd: "publish", topic, payload: body, qos: 0, retain: false, dup: false } as const;
  return new Promise((resolve, reject) => {
    aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
  });
}
