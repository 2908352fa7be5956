import { Readable } from "node:stream";
import type { AedesPublishPacket, Client, PubrelPacket, PublishPacket, Subscription } from "aedes";
import { AccountSessions, type AccountSessionsOptions, type SessionCounts } from "./accountSessions.ts";
import type { MqttSession, OwedPacket } from "./mqttSession.ts";
import { createTopicTree } from "./topicTree.ts";

export interface SessionsOptions extends Omit<AccountSessionsOptions, "onClosing"> {
  /** Filters granted to this client, with their QoS. */
  readonly grantedTo: (client: Client) => ReadonlyMap<string, 0 | 1 | 2>;
}

type Wanted = { readonly id: string };
type Numbered = { readonly messageId?: number };
type Will = PublishPacket & { brokerId?: string; clientId?: string };

/**
 * In-memory persistence of the embedded broker in the interface of aedes: sessions, wills and queued
 * messages. It is lost with the process, as the connections are; anything that must survive is a row
 * elsewhere. Nothing is retained.
 */
export class MqttSessions {
  readonly #grantedTo: SessionsOptions["grantedTo"];
  readonly #sessions: AccountSessions;
  readonly #subscribers = createTopicTree<MqttSession>();
  readonly #wills = new Map<string, Will>();
  #brokerId = "";

  constructor({ grantedTo, ...options }: SessionsOptions) {
    this.#grantedTo = grantedTo;
    const onClosing = (session: MqttSession): void => {
      for (const filter of session.filters.keys()) this.#subscribers.remove(filter, session);
    };
    this.#sessions = new AccountSessions({ ...options, onClosing });
  }

  totals(): SessionCounts {
    return this.#sessions.totals();
  }

  counts(account: string): SessionCounts {
    return this.#sessions.counts(account);
  }

  async setup(broker: { readonly id: string }): Promise<void> {
    this.#brokerId = broker.id;
    return Promise.resolve();
  }

  storeRetained(): Promise<void> {
    return Promise.resolve();
  }

  createRetainedStreamCombi(): Readable {
    return Readable.from([]);
  }

  /** Stores the granted filters; the packet also lists refused ones. */
  addSubscriptions(client: Client): Promise<void> {
    const session = this.#sessions.open(client.id);
    if (!session) return Promise.resolve();
    for (const [filter, qos] of this.#grantedTo(client)) {
      if (!this.#sessions.addFilter(session, filter, qos)) continue;
      if (qos > 0) this.#subscribers.add(filter, session);
      else this.#subscribers.remove(filter, session);
    }
    return Promise.resolve();
  }

  removeSubscriptions({ id }: Wanted, filters: readonly string[]): Promise<void> {
    const session = this.#find(id);
    if (!session) return Promise.resolve();
    for (const filter of filters) {
      this.#sessions.removeFilter(session, filter);
      this.#subscribers.remove(filter, session);
    }
    return Promise.resolve();
  }

  subscriptionsByClient({ id }: Wanted): Promise<Subscription[]> {
    const session = this.#find(id);
    if (session) this.#sessions.used(session);
    return Promise.resolve([...(session?.filters ?? [])].map(([topic, qos]) => ({ topic, qos })));
  }

  /** Each client once, however many of its filters match. */
  subscriptionsByTopic(topic: string): Promise<{ clientId: string }[]> {
    return Promise.resolve([...this.#subscribers.match(topic)].map(({ id }) => ({ clientId: id })));
  }

  /** A clean session: the earlier one is deleted. */
  cleanSubscriptions({ id }: Wanted): Promise<void> {
    this.#sessions.close(id);
    return Promise.resolve();
  }

  outgoingEnqueue(to: { readonly clientId: string }, packet: AedesPublishPacket): Promise<void> {
    return this.outgoingEnqueueCombi([to], packet);
  }

  outgoingEnqueueCombi(
    to: readonly { readonly clientId: string }[],
    packet: AedesPublishPacket,
  ): Promise<void> {
    const owed = to.length > 0 ? owedOf(packet) : undefined;
    for (const { clientId } of owed ? to : []) {
      const session = this.#find(clientId);
      if (session && owed) this.#sessions.change(session, () => session.owe(owed));
    }
    return Promise.resolve();
  }

  outgoingUpdate({ id }: Wanted, packet: AedesPublishPacket | PubrelPacket): Promise<void> {
    const session = this.#find(id);
    const { messageId } = packet;
    if (session && messageId !== undefined) {
      if (packet.cmd === "publish") session.sentAs(packet.brokerCounter, messageId);
      else this.#sessions.change(session, () => session.received(messageId));
    }
    return Promise.resolve();
  }

  /** Without a packet identifier the message was not sent to the client, and stays queued. */
  outgoingClearMessageId({ id }: Wanted, { messageId }: Numbered): Promise<OwedPacket | undefined> {
    const session = messageId === undefined ? undefined : this.#find(id);
    if (!session || messageId === undefined) return Promise.resolve(undefined);
    return Promise.resolve(this.#sessions.change(session, () => session.settle(messageId)));
  }

  outgoingStream({ id }: Wanted): Readable {
    return Readable.from(this.#find(id)?.owed() ?? []);
  }

  incomingStorePacket({ id }: Wanted, { messageId }: Numbered): Promise<void> {
    if (messageId !== undefined) this.#sessions.open(id)?.beginHandshake(messageId);
    return Promise.resolve();
  }

  incomingGetPacket({ id }: Wanted, { messageId }: Numbered): Promise<Numbered> {
    const isKnown = messageId !== undefined && this.#find(id)?.hasHandshake(messageId) === true;
    return isKnown ? Promise.resolve({ messageId }) : Promise.reject(new Error("no such handshake"));
  }

  incomingDelPacket({ id }: Wanted, { messageId }: Numbered): Promise<void> {
    const isKnown = messageId !== undefined && this.#find(id)?.endHandshake(messageId) === true;
    return isKnown ? Promise.resolve() : Promise.reject(new Error("no such handshake"));
  }

  /** Ends the handshakes of a client with a clean session; the rest of its session is deleted by then. */
  cleanIncoming({ id }: Wanted): Promise<void> {
    const session = this.#find(id);
    session?.forgetHandshakes();
    if (session?.filters.size === 0) this.#sessions.close(id);
    return Promise.resolve();
  }

  putWill({ id }: Wanted, will: Will): Promise<void> {
    this.#wills.set(id, Object.assign(will, { brokerId: this.#brokerId, clientId: id }));
    return Promise.resolve();
  }

  delWill({ id }: Wanted): Promise<Will | undefined> {
    const will = this.#wills.get(id);
    this.#wills.delete(id);
    return Promise.resolve(will);
  }

  /** Wills of other brokers: there is only this one. */
  streamWill(): Readable {
    return Readable.from([]);
  }

  #find(id: string): MqttSession | undefined {
    return this.#sessions.find(id);
  }
}

/** A copy: the received payload is a slice of a larger read buffer, which it would keep in memory. */
function owedOf({ brokerId, brokerCounter, topic, payload, qos }: AedesPublishPacket): OwedPacket {
  const bytes = Buffer.alloc(Buffer.byteLength(payload));
  if (typeof payload === "string") bytes.write(payload);
  else bytes.set(payload);
  const rest = { retain: false, dup: false, messageId: undefined };
  return { cmd: "publish", brokerId, brokerCounter, topic, payload: bytes, qos, ...rest };
}
