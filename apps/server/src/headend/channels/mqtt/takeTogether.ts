import type { MqttClient } from "mqtt";
import type { Log } from "#core";

export interface Taking {
  /** Messages of one lane are stored in order of arrival; those of different lanes concurrently. */
  readonly laneOf: (topic: string) => string;
  /**
   * Resolves when the message is in the database. Rejects only when the database is unavailable; it is then
   * retried.
   */
  readonly store: (topic: string, payload: Uint8Array) => Promise<void>;
  /** Pause before a message is stored again; cut short when the database is back. */
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly log: Log;
}

const storeAgainMs = 1_000;
/** Messages being stored; beyond it reading stops, and TCP flow control throttles the broker. */
const mostInFlight = 100;

interface Message {
  /** For QoS 1, with the connection on which it must be acknowledged. */
  readonly acknowledge: (() => void) | undefined;
  isStored: boolean;
}

/**
 * Stores messages of a broker in batches, and acknowledges each QoS 1 message after it is in the database, in
 * order of arrival, as the protocol requires.
 * Source: MQTT 3.1.1, 4.6 (order of PUBACK). The client library would acknowledge a message before it reads
 * the next one; after an error from its handler it continues without, and the acknowledgement is written
 * here.
 */
export function takeTogether(client: MqttClient, taking: Taking): void {
  const inLane = lanes();
  const unended: Message[] = [];
  let goOn: (() => void) | undefined;
  const end = (message: Message): void => {
    message.isStored = true;
    while (unended[0]?.isStored === true) unended.shift()?.acknowledge?.();
    goOn?.();
    goOn = undefined;
  };
  client.handleMessage = ({ topic, payload, qos, messageId }, done) => {
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const acknowledge = qos > 0 && messageId !== undefined ? writerOf(client, messageId) : undefined;
    const message: Message = { acknowledge, isStored: false };
    unended.push(message);
    void inLane(taking.laneOf(topic), () => storeInTheEnd(taking, topic, bytes)).then((isStored) =>
      isStored ? end(message) : undefined,
    );
    const next = (): void => done(acknowledge ? new Error("acknowledged later") : undefined);
    if (unended.length < mostInFlight) next();
    else goOn = next;
  };
}

/** False: stopped before it was stored. Never rejects. */
async function storeInTheEnd(
  { store, pause, isStopped, log }: Taking,
  topic: string,
  payload: Uint8Array,
): Promise<boolean> {
  for (let isFirst = true; !isStopped(); isFirst = false) {
    try {
      await store(topic, payload);
      return true;
    } catch (error) {
      if (isFirst) log.warn({ err: error }, "uplink waits for the database");
      await pause(storeAgainMs);
    }
  }
  return false;
}

/**
 * PUBACK on the present connection: a new one numbers its messages from the start. Layout: 40 02, packet
 * identifier, high byte first.
 */
function writerOf({ stream }: MqttClient, messageId: number): () => void {
  return () => {
    if (!stream.destroyed && stream.writable)
      stream.write(Uint8Array.of(0x40, 2, messageId >> 8, messageId & 0xff));
  };
}

/** Runs tasks of one lane in sequence, and everything else concurrently. */
function lanes(): <Result>(lane: string, run: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return async (lane, run) => {
    const mine = (last.get(lane) ?? Promise.resolve()).then(run);
    last.set(lane, mine);
    try {
      return await mine;
    } finally {
      if (last.get(lane) === mine) last.delete(lane);
    }
  };
}

/**
 * Topics of one device share a lane: `v3/app/devices/dev/up`, `application/1/device/0102/event/up`. Others
 * have a lane each.
 */
export const laneOfDevice = (topic: string): string => /^.*?\/devices?\/[^/]+/.exec(topic)?.[0] ?? topic;
