import type { Socket } from "node:net";
import { Aedes, type AedesOptions, type AuthenticateError, type Client } from "aedes";
import type { Certificate, Clock, Log } from "#core";
import type { Doorkeeper } from "./bounds.ts";
import { openDoor, type Door } from "./brokerDoor.ts";
import { named } from "./named.ts";
import type { MqttAccount } from "./store.ts";

/** An MQTT message of a company, its prefix still in the topic. */
export interface MqttMessage {
  readonly companyId: number;
  readonly topic: string;
  readonly payload: Uint8Array;
}

/** Resolves when the message is in the database, which is when it may be acknowledged. Rejects only when the database is away. */
export type OnMqttMessage = (message: MqttMessage) => Promise<void>;

export interface BrokerOptions {
  readonly host: string;
  readonly port: number;
  /** A second port for the same accounts under the same bounds, with TLS; without it there is none. */
  readonly tls?: { readonly port: number; readonly certificate: Certificate };
  readonly clock: Clock;
  readonly log: Log;
  readonly doorkeeper: Doorkeeper;
  /** The account of these credentials; undefined: wrong name or password. */
  readonly authenticate: (username: string, password: Buffer) => Promise<MqttAccount | undefined>;
  readonly onMessage: OnMqttMessage;
}

/** A client that was let in, with the account as it was then. */
export interface Admitted {
  readonly account: MqttAccount;
  readonly close: () => void;
}

export interface Broker {
  readonly port: number;
  readonly tlsPort: number | undefined;
  /** Who comes to the TLS port from now on is shown this certificate. */
  readonly renewCertificate: (certificate: Certificate) => void;
  /** Everybody who is let in at this moment. */
  readonly admitted: () => readonly Admitted[];
  /** Whether a client of the company of this topic is connected here. */
  readonly reaches: (topic: string) => boolean;
  /** Publishes to a company, below its prefix; false when no client of it is connected here. */
  readonly publish: (topic: string, body: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

const maxPacketBytes = 256 * 1024;
const connectMs = 30_000;
const keepAliveLimitSec = 3600;
/** A message that cannot be stored is tried again for this long; then its sender is cut off and repeats it later. */
const storeTries = 30;
const storePauseMs = 1000;

/** Prefix under which a company publishes and subscribes. */
export const companyPrefix = (companyId: number): string => `c${companyId}/`;

/** The embedded MQTT 3.1.1 broker: no anonymous client, each company under its own prefix. Errors: Error that names the setting of a port that cannot be opened. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { log } = options;
  const accounts = new WeakMap<Client, MqttAccount>();
  const inside = new Set<Client>();
  const present = new Set<Client>();
  const aedes = await Aedes.createBroker({
    connectTimeout: connectMs,
    keepaliveLimit: keepAliveLimitSec,
    queueLimit: 100,
    maxInflightInbound: 100,
    ...gatekeeping(options, accounts, inside),
  });
  aedes.on("client", (client) => present.add(client));
  aedes.on("clientDisconnect", (client) => present.delete(client));
  aedes.on("clientError", (_, error) => log.debug({ err: error }, "mqtt client"));
  aedes.on("connectionError", (_, error) => log.debug({ err: error }, "mqtt connection"));

  const { plain, secure } = await openDoors(options, (socket) => {
    limitPackets(socket);
    aedes.handle(socket);
  });
  const reaches = (topic: string): boolean =>
    [...present].some((client) => topic.startsWith(companyPrefix(accounts.get(client)?.companyId ?? 0)));
  return {
    port: plain.port,
    tlsPort: secure?.port,
    renewCertificate: (certificate) => secure?.renew(certificate),
    admitted: () => [...inside].flatMap((client) => admittedOf(client, accounts)),
    reaches,
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

interface Doors {
  readonly plain: Door;
  readonly secure: Door | undefined;
}

/** Errors: Error that names the setting of the port that cannot be opened. */
async function openDoors(
  { host, port, tls, log, doorkeeper }: BrokerOptions,
  onSocket: (socket: Socket) => void,
): Promise<Doors> {
  const both = { host, log, doorkeeper, onSocket };
  const plain = await named("METRUM_MQTT_PORT", port, () => openDoor({ ...both, port }));
  if (!tls) return { plain, secure: undefined };
  try {
    const secure = await named("METRUM_MQTTS_PORT", tls.port, () => openDoor({ ...both, ...tls }));
    return { plain, secure };
  } catch (error) {
    await plain.close();
    throw error;
  }
}

function admittedOf(client: Client, accounts: WeakMap<Client, MqttAccount>): Admitted[] {
  const account = accounts.get(client);
  if (!account) return [];
  const close = (): void => {
    // What it still sends, its last will too, is nobody's from here on.
    accounts.delete(client);
    client.close();
  };
  return [{ account, close }];
}

function publishBy(aedes: Aedes, topic: string, body: string): Promise<void> {
  const packet = { cmd: "publish", topic, payload: body, qos: 1, retain: false, dup: false } as const;
  return new Promise((resolve, reject) => {
    aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
  });
}

type Gatekeeping = Required<Pick<AedesOptions, "authenticate" | "authorizePublish" | "authorizeSubscribe">>;

/** `accounts`: with which each client was let in; `inside`: clients from that moment until their connection is closed. */
function gatekeeping(
  options: BrokerOptions,
  accounts: WeakMap<Client, MqttAccount>,
  inside: Set<Client>,
): Gatekeeping {
  return {
    authenticate(client, username, password, done) {
      if (username === undefined || !password) {
        done(refusal(notAuthorized), false);
        return;
      }
      options.authenticate(username, password).then(
        (account) => {
          if (account && !client.closed) {
            accounts.set(client, account);
            inside.add(client);
            client.conn.once("close", () => inside.delete(client));
          }
          done(account ? null : refusal(notAuthorized), account !== undefined);
        },
        () => done(refusal(unavailable), false),
      );
    },
    // QoS 1 is acknowledged right after this step, so the message must be committed here.
    authorizePublish(client, packet, done) {
      const companyId = client ? accounts.get(client)?.companyId : undefined;
      if (!client || companyId === undefined || !packet.topic.startsWith(companyPrefix(companyId))) {
        // The broker's own messages have no client and concern nobody.
        done(client ? new Error("topic outside the prefix of the company") : null);
        return;
      }
      packet.retain = false;
      const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
      store(options, { companyId, topic: packet.topic, payload }, () => !client.closed).then(
        () => done(null),
        (error: unknown) => done(error instanceof Error ? error : new Error("not stored")),
      );
    },
    authorizeSubscribe(client, subscription, done) {
      const companyId = accounts.get(client)?.companyId;
      const isOwn = companyId !== undefined && subscription.topic.startsWith(companyPrefix(companyId));
      done(null, isOwn ? subscription : null);
    },
  };
}

/** Return codes of CONNACK in MQTT 3.1.1. */
const unavailable = 3;
const notAuthorized = 5;

function refusal(returnCode: number): AuthenticateError {
  const refused: Error & { returnCode: number } = Object.assign(new Error("refused"), { returnCode });
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- a const enum of aedes, which does not exist at run time
  return refused;
}

/** While this waits, nothing more is read from the sender: what the database cannot take stays there. */
async function store(
  { onMessage, log }: BrokerOptions,
  message: MqttMessage,
  isThere: () => boolean,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await onMessage(message);
      return;
    } catch (error) {
      if (attempt >= storeTries || !isThere()) throw error;
      if (attempt === 1) log.warn({ err: error }, "uplink waits for the database");
      await new Promise((resolve) => setTimeout(resolve, storePauseMs));
    }
  }
}

/** Ends a connection that announces a packet above the limit, before memory is taken for it. */
export function limitPackets(socket: Socket, limit = maxPacketBytes): void {
  let left = 0;
  let shift = 0;
  let length = 0;
  let inHeader = false;
  socket.on("data", (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) {
      if (left > 0) {
        const step = Math.min(left, bytes.length - at);
        left -= step;
        at += step;
        continue;
      }
      const byte = bytes[at++] ?? 0;
      if (!inHeader) {
        inHeader = true;
        shift = 0;
        length = 0;
        continue;
      }
      length += (byte & 0x7f) << shift;
      shift += 7;
      if (length > limit || shift > 28) {
        socket.destroy();
        return;
      }
      if ((byte & 0x80) === 0) {
        left = length;
        inHeader = false;
      }
    }
  });
}
