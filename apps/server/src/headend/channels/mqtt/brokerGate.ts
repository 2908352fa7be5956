import type { MqttRefusalReason } from "@metrum/contract/metering";
import type { AedesOptions, AuthenticateError, Client, ConnectPacket } from "aedes";
import type { Log } from "#core";
import type { Note } from "./brokerNotes.ts";
import { clientIdIn, unreadOf, type MqttGuests } from "./mqttGuests.ts";
import type { OnRefused } from "./refusals.ts";
import { companyPrefix, type OnMqttMessage } from "./mqttMessage.ts";
import type { MqttAccount } from "./accountStore.ts";

/**
 * How long storing is retried while the database is unavailable; then the client is disconnected and must
 * reconnect.
 */
const mostTries = 30;
const pauseMs = 1000;
/** A subscriber with this many unread bytes is dropped (security rule 4.3). */
const maxUnreadBytes = 256 * 1024;
const maxClientIdLength = 256;

type Gatekeeping = Required<
  Pick<
    AedesOptions,
    "preConnect" | "authenticate" | "authorizePublish" | "authorizeSubscribe" | "authorizeForward"
  >
>;

export interface GateOptions {
  readonly log: Log;
  /** The account of these credentials; undefined: wrong name or password. */
  readonly authenticate: (username: string, password: Buffer) => Promise<MqttAccount | undefined>;
  readonly onMessage: OnMqttMessage;
  readonly onRefused: OnRefused;
  /** Pause before a message is stored again; cut short when the database is back. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Data of a CONNECT before authentication. */
interface Asked {
  readonly clientId: string;
  readonly willBytes: number;
}

/** Authenticates clients and authorises their messages. */
export function gatekeeping(options: GateOptions, guests: MqttGuests, note: Note): Gatekeeping {
  const { onRefused } = options;
  const announced = new WeakMap<Client, Asked>();
  return {
    preConnect(client, packet, done) {
      const { clientId, will } = packet;
      const reason = unfitOf(packet);
      if (reason !== undefined) onRefused({ username: packet.username ?? "", reason });
      const willBytes = will ? Buffer.byteLength(will.payload) + 2 * will.topic.length : 0;
      announced.set(client, { clientId, willBytes });
      done(null, true);
    },
    authenticate(client, username, password, done) {
      const { clientId, willBytes } = announced.get(client) ?? { clientId: "", willBytes: 0 };
      // Until the account is known the client has no id under which a session could be found.
      client.id = "";
      if (username === undefined || !password) {
        done(refusal(notAuthorized), false);
        return;
      }
      if (clientId.length > maxClientIdLength || (clientId === "" && !client.clean)) {
        onRefused({ username, reason: "client_id" });
        done(refusal(identifierRejected), false);
        return;
      }
      untilDone(options, () => options.authenticate(username, password), client).then(
        (account) => {
          if (!account || client.closed) {
            if (!account) onRefused({ username, reason: "password" });
            done(refusal(notAuthorized), false);
            return;
          }
          if (!guests.enter(client, account, willBytes)) {
            done(refusal(unavailable), false);
            return;
          }
          client.id = clientIdIn(account, clientId === "" ? crypto.randomUUID() : clientId);
          done(null, true);
        },
        // Without a CONNACK: many clients treat a refusal as final and never reconnect.
        () => client.conn.destroy(),
      );
    },
    // QoS 1 is acknowledged right after this step, so the message must be committed here.
    authorizePublish(client, packet, done) {
      const account = client ? guests.accountOf(client) : undefined;
      if (!client || !account) {
        // The broker's own messages have no client and concern no company.
        done(client ? new Error("the account has ended") : null);
        return;
      }
      const { companyId, username } = account;
      packet.retain = false;
      if (!packet.topic.startsWith(companyPrefix(companyId))) {
        onRefused({ username, reason: "topic", detail: packet.topic });
        dropMessage(packet);
        done(null);
        return;
      }
      const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
      const message = { companyId, topic: packet.topic, payload };
      untilDone(options, () => options.onMessage(message), client).then(
        () => done(null),
        (error: unknown) => done(error instanceof Error ? error : new Error("not stored")),
      );
    },
    authorizeSubscribe(client, subscription, done) {
      const account = guests.accountOf(client);
      const { topic, qos } = subscription;
      const isOwn = account !== undefined && topic.startsWith(companyPrefix(account.companyId));
      if (account && !isOwn) onRefused({ username: account.username, reason: "filter", detail: topic });
      done(null, isOwn && guests.subscribe(client, topic, qos) ? subscription : null);
    },
    authorizeForward: (client, packet) => (isForwarded(client, packet, { guests, note }) ? packet : null),
  };
}

function isForwarded(
  client: Client,
  { topic }: { readonly topic: string },
  { guests, note }: { readonly guests: MqttGuests; readonly note: Note },
): boolean {
  const account = guests.accountOf(client);
  if (!account || !topic.startsWith(companyPrefix(account.companyId))) return false;
  const { conn } = client;
  if (conn.destroyed) return false;
  if (unreadOf(client) > maxUnreadBytes) {
    note.slow(account.username);
    conn.destroy();
    return false;
  }
  return guests.writing(client);
}

/** A topic to which nobody can subscribe: it begins with no prefix of a company. */
const nowhere = "$dropped";

/**
 * The message is acknowledged, or a bridge would repeat it for ever, but nobody receives it.
 * Source: MQTT 3.1.1, 3.3.5 (a server that does not authorise a message acknowledges it).
 */
function dropMessage(packet: { topic: string; payload: string | Buffer }): void {
  packet.topic = nowhere;
  packet.payload = Buffer.alloc(0);
}

/** Why the library refuses a connection before it asks for the account. */
function unfitOf({ protocolVersion, keepalive }: ConnectPacket): MqttRefusalReason | undefined {
  if (protocolVersion !== undefined && protocolVersion > mqtt311) return "version";
  return keepalive === undefined || keepalive === 0 || keepalive > keepAliveLimitSec
    ? "keep_alive"
    : undefined;
}

const mqtt311 = 4;
/** Longest silence of a client. */
export const keepAliveLimitSec = 3600;

/** Return codes of CONNACK in MQTT 3.1.1. */
const identifierRejected = 2;
const unavailable = 3;
const notAuthorized = 5;

function refusal(returnCode: number): AuthenticateError {
  const refused: Error & { returnCode: number } = Object.assign(new Error("refused"), { returnCode });
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- const enum, gone at run time
  return refused;
}

/**
 * While this waits, nothing more is read from the client, which throttles it while the database is
 * unavailable.
 */
async function untilDone<Result>(
  { pause, log }: GateOptions,
  run: () => Promise<Result>,
  client: Client,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= mostTries || client.closed) throw error;
      if (attempt === 1) log.warn({ err: error }, "an MQTT client waits for the database");
      await pause(pauseMs);
    }
  }
}
