import { Readable } from "node:stream";
import type { AedesPublishPacket, Client, PubrelPacket, PublishPacket, Subscription } from "aedes";
import { MqttSession, type OwedPacket } from "./mqttSession.ts";
import { createTopicTree } from "./topicTree.ts";

/** Maximum bytes queued for offline and slow clients of one account (security rule 4.5). */
export const maxOwedBytes = 16 * 1024 * 1024;
/** Maximum of all accounts together: there is one account per company, and one process. */
export const ofAllAccounts = { owedBytes: 256 * 1024 * 1024, sessions: 50_000 } as const;
/**
 * After an overflow the queue is cut to this share of the limit, so that the next one does not follow at
 * once.
 */
const keptShare = 0.75;
/** Sessions per account that outlive their connections. */
const maxSessions = 5_000;
/** Filters in the sessions of an account. */
const maxFilters = 10_000;

export interface SessionsOptions {
  readonly bounds?: { readonly owedBytes: number; readonly sessions: number };
  /** The account of a client id within the broker. */
  readonly accountOf: (clientId: string) => string;
  /** Filters granted to this client, with their QoS. */
  readonly grantedTo: (client: Client) => ReadonlyMap<string, 0 | 1 | 2>;
  readonly isConnected: (clientId: string) => boolean;
  /** Messages or sessions of an account had to be dropped. */
  readonly onDropped: (account: string, dropped: Dropped) => void;
}

/** Items dropped because an account, or all of them together, had reached a limit. */
export interface Dropped {
  readonly messages: number;
  readonly sessions: number;
}

/** Memory usage of an account. */
export interface SessionCounts {
  readonly sessions: number;
  readonly owedBytes: number;
}

interface AccountSessions {
  readonly sessions: Map<string, MqttSession>;
  owedBytes: number;
  filters: number;
}

const newAccount = (): AccountSessions => ({ sessions: new Map(), owedBytes: 0, filters: 0 });

type Wanted = { readonly id: string };
type Numbered = { readonly messageId?: number };
type Will = PublishPacket & { brokerId?: string; clientId?: string };

/**
 * In-memory persistence of the embedded broker in the interface of aedes: sessions, wills and queued
 * messages, by account and client id, limited by account. It is lost with the process, as the connections
 * are; anything that must survive is a row elsewhere. Nothing is retained.
 */
export class MqttSessions {
  readonly #options: SessionsOptions;
  readonly #accounts = new Map<string, AccountSessions>();
  readonly #subscribers = createTopicTree<MqttSession>();
  readonly #wills = new Map<string, Will>();
  readonly #bounds: { readonly owedBytes: number; readonly sessions: number };
  /** Of all accounts. */
  #owedBytes = 0;
  #sessions = 0;
  #uses = 0;
  #brokerId = "";

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? ofAllAccounts;
  }

  totals(): SessionCounts {
    return { sessions: this.#sessions, owedBytes: this.#owedBytes };
  }

  counts(account: string): SessionCounts {
    const known = this.#accounts.get(account);
    return { sessions: known?.sessions.size ?? 0, owedBytes: known?.owedBytes ?? 0 };
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
    const session = this.#open(client.id);
    const account = this.#accountOf(client.id);
    if (!session || !account) return Promise.resolve();
    for (const [filter, qos] of this.#options.grantedTo(client)) {
      if (!session.filters.has(filter)) {
        if (account.filters >= maxFilters) continue;
        account.filters += 1;
      }
      session.filters.set(filter, qos);
      if (qos > 0) this.#subscribers.add(filter, session);
      else this.#subscribers.remove(filter, session);
    }
    return Promise.resolve();
  }

  removeSubscriptions({ id }: Wanted, filters: readonly string[]): Promise<void> {
    const session = this.#find(id);
    const account = this.#accountOf(id);
    if (!session || !account) return Promise.resolve();
    for (const filter of filters) {
      if (session.filters.delete(filter)) account.filters -= 1;
      this.#subscribers.remove(filter, session);
    }
    return Promise.resolve();
  }

  subscriptionsByClient({ id }: Wanted): Promise<Subscription[]> {
    const session = this.#find(id);
    if (session) session.lastUse = this.#uses++;
    return Promise.resolve([...(session?.filters ?? [])].map(([topic, qos]) => ({ topic, qos })));
  }

  /** Each client once, however many of its filters match. */
  subscriptionsByTopic(topic: string): Promise<{ clientId: string }[]> {
    return Promise.resolve([...this.#subscribers.match(topic)].map(({ id }) => ({ clientId: id })));
  }

  /** A clean session: the earlier one is deleted. */
  cleanSubscriptions({ id }: Wanted): Promise<void> {
    this.#close(id);
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
      if (session && owed) this.#change(session, () => session.owe(owed));
    }
    return Promise.resolve();
  }

  outgoingUpdate({ id }: Wanted, packet: AedesPublishPacket | PubrelPacket): Promise<void> {
    const session = this.#find(id);
    const { messageId } = packet;
    if (session && messageId !== undefined) {
      if (packet.cmd === "publish") session.sentAs(packet.brokerCounter, messageId);
      else this.#change(session, () => session.received(messageId));
    }
    return Promise.resolve();
  }

  /** Without a packet identifier the message was not sent to the client, and stays queued. */
  outgoingClearMessageId({ id }: Wanted, { messageId }: Numbered): Promise<OwedPacket | undefined> {
    const session = messageId === undefined ? undefined : this.#find(id);
    if (!session || messageId === undefined) return Promise.resolve(undefined);
    return Promise.resolve(this.#change(session, () => session.settle(messageId)));
  }

  outgoingStream({ id }: Wanted): Readable {
    return Readable.from(this.#find(id)?.owed() ?? []);
  }

  incomingStorePacket({ id }: Wanted, { messageId }: Numbered): Promise<void> {
    if (messageId !== undefined) this.#open(id)?.beginHandshake(messageId);
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
    if (session?.filters.size === 0) this.#close(id);
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

  #accountOf(id: string): AccountSessions | undefined {
    return this.#accounts.get(this.#options.accountOf(id));
  }

  #find(id: string): MqttSession | undefined {
    return this.#accountOf(id)?.sessions.get(id);
  }

  /**
   * Undefined: the account or the broker has reached its limit of sessions, and all of their clients are
   * connected.
   */
  #open(id: string): MqttSession | undefined {
    const known = this.#find(id);
    if (known) return known;
    const name = this.#options.accountOf(id);
    const account = this.#accounts.get(name) ?? newAccount();
    if (account.sessions.size >= maxSessions && !this.#makeRoom(name, account)) return undefined;
    if (this.#sessions >= this.#bounds.sessions && !this.#makeRoom(...this.#largest())) return undefined;
    const session = new MqttSession(id);
    session.lastUse = this.#uses++;
    account.sessions.set(id, session);
    // The account may have been deleted with its last session.
    this.#accounts.set(name, account);
    this.#sessions += 1;
    return session;
  }

  #close(id: string): void {
    const session = this.#find(id);
    const name = this.#options.accountOf(id);
    const account = this.#accounts.get(name);
    if (!session || !account) return;
    for (const filter of session.filters.keys()) this.#subscribers.remove(filter, session);
    account.owedBytes -= session.bytes;
    this.#owedBytes -= session.bytes;
    this.#sessions -= 1;
    account.filters -= session.filters.size;
    account.sessions.delete(id);
    if (account.sessions.size === 0) this.#accounts.delete(name);
  }

  /** The account with the most sessions: in a full broker it gives way. */
  #largest(): [string, AccountSessions] {
    let largest: [string, AccountSessions] = ["", newAccount()];
    for (const [name, account] of this.#accounts)
      if (account.sessions.size > largest[1].sessions.size) largest = [name, account];
    return largest;
  }

  /** Ends the session whose client has been offline longest. */
  #makeRoom(name: string, { sessions }: AccountSessions): boolean {
    let oldest: MqttSession | undefined;
    for (const session of sessions.values())
      if (!this.#options.isConnected(session.id) && (!oldest || session.lastUse < oldest.lastUse))
        oldest = session;
    this.#options.onDropped(name, { messages: 0, sessions: 1 });
    if (oldest) this.#close(oldest.id);
    return oldest !== undefined;
  }

  /** Updates the sums for a change of a session, and keeps them below their limits. */
  #change<Result>(session: MqttSession, change: () => Result): Result {
    const name = this.#options.accountOf(session.id);
    const account = this.#accounts.get(name);
    const before = session.bytes;
    const result = change();
    if (account) {
      account.owedBytes += session.bytes - before;
      this.#owedBytes += session.bytes - before;
      if (account.owedBytes > maxOwedBytes) this.#shrink(name, account, maxOwedBytes * keptShare);
      if (this.#owedBytes > this.#bounds.owedBytes) this.#shrinkAll();
    }
    return result;
  }

  /**
   * The longest queue is cut first, oldest messages first: a client with a short queue is not affected by one
   * that is offline for weeks.
   */
  #shrink(name: string, account: AccountSessions, bound: number): void {
    const sessions = [...account.sessions.values()];
    const level = fairLevel(
      sessions.map(({ bytes }) => bytes),
      bound,
    );
    let messages = 0;
    for (const session of sessions) messages += session.dropTo(level);
    const before = account.owedBytes;
    account.owedBytes = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#owedBytes += account.owedBytes - before;
    this.#options.onDropped(name, { messages, sessions: 0 });
  }

  /** The same between accounts: the longest queues are cut to a common size. */
  #shrinkAll(): void {
    const accounts = [...this.#accounts];
    const level = fairLevel(
      accounts.map(([, { owedBytes }]) => owedBytes),
      this.#bounds.owedBytes * keptShare,
    );
    for (const [name, account] of accounts) if (account.owedBytes > level) this.#shrink(name, account, level);
  }
}

/** The highest level with sum(min(size, level)) <= bound. */
export function fairLevel(sizes: readonly number[], bound: number): number {
  const sorted = [...sizes].sort((a, b) => a - b);
  let left = bound;
  for (const [at, size] of sorted.entries()) {
    const share = left / (sorted.length - at);
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

/** A copy: the received payload is a slice of a larger read buffer, which it would keep in memory. */
function owedOf({ brokerId, brokerCounter, topic, payload, qos }: AedesPublishPacket): OwedPacket {
  const bytes = Buffer.alloc(Buffer.byteLength(payload));
  if (typeof payload === "string") bytes.write(payload);
  else bytes.set(payload);
  const rest = { retain: false, dup: false, messageId: undefined };
  return { cmd: "publish", brokerId, brokerCounter, topic, payload: bytes, qos, ...rest };
}
