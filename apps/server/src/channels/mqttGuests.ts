import type { Client } from "aedes";
import type { GuestCounts, Note } from "./brokerNotes.ts";
import type { MqttAccount } from "./store.ts";

type QoS = 0 | 1 | 2;

/** Bounds of one account over all of its connections in this process. */
const maxConnections = 5_000;
const maxFilters = 10_000;
const maxWillBytes = 4 * 1024 * 1024;
/** Packets above a few KiB that are on their way at one time. */
const maxReceivingBytes = 16 * 1024 * 1024;
/** Bounds of one client. */
const maxFiltersOfClient = 100;
const maxFilterLength = 256;

/** The id by which the broker knows a client: a name of an account has no slash, so no id of another account can be equal to it. */
export const clientIdIn = ({ username }: MqttAccount, clientId: string): string => `${username}/${clientId}`;

/** The account of such an id. */
export const accountOfClient = (id: string): string => id.slice(0, id.indexOf("/"));

interface Guest {
  readonly account: MqttAccount;
  readonly filters: Map<string, QoS>;
  readonly willBytes: number;
  receivingBytes: number;
}

interface Sums {
  connections: number;
  filters: number;
  willBytes: number;
  receivingBytes: number;
}

const newSums = (): Sums => ({ connections: 0, filters: 0, willBytes: 0, receivingBytes: 0 });

/** The clients that were let in, from that moment until their connection is closed, with what their accounts use. */
export class MqttGuests {
  readonly #note: Note;
  readonly #guests = new Map<Client, Guest>();
  readonly #sums = new Map<string, Sums>();
  /** Kept beyond the connection, for the last will, unless the account has ended meanwhile. */
  readonly #accounts = new WeakMap<Client, MqttAccount>();

  constructor(note: Note) {
    this.#note = note;
  }

  /** False: the account has as many connections, or as long wills, as it may. */
  enter(client: Client, account: MqttAccount, willBytes: number): boolean {
    const sums = this.#sumsOf(account.username);
    if (sums.connections >= maxConnections || sums.willBytes + willBytes > maxWillBytes) {
      this.#note.refused(account.username);
      return false;
    }
    sums.connections += 1;
    sums.willBytes += willBytes;
    this.#accounts.set(client, account);
    this.#guests.set(client, { account, filters: new Map(), willBytes, receivingBytes: 0 });
    client.conn.once("close", () => this.#leave(client));
    return true;
  }

  /** Undefined: never let in, or its account has ended. */
  accountOf(client: Client): MqttAccount | undefined {
    return this.#accounts.get(client);
  }

  /** The account has ended: the client may do nothing more. */
  forget(client: Client): void {
    this.#accounts.delete(client);
  }

  /** Everybody who is let in at this moment. */
  all(): [Client, MqttAccount][] {
    return [...this.#guests].flatMap(([client, { account }]): [Client, MqttAccount][] =>
      this.#accounts.has(client) ? [[client, account]] : [],
    );
  }

  /** Whether the client may have one more filter; it counts from now on. */
  subscribe(client: Client, filter: string, qos: QoS): boolean {
    const guest = this.#guests.get(client);
    if (!guest) return false;
    const sums = this.#sumsOf(guest.account.username);
    const isFull = guest.filters.size >= maxFiltersOfClient || sums.filters >= maxFilters;
    const isNew = !guest.filters.has(filter);
    if (isNew && (isFull || filter.length > maxFilterLength)) {
      this.#note.refused(guest.account.username);
      return false;
    }
    if (isNew) sums.filters += 1;
    guest.filters.set(filter, qos);
    return true;
  }

  unsubscribed(client: Client, filters: readonly string[]): void {
    const guest = this.#guests.get(client);
    if (!guest) return;
    const sums = this.#sumsOf(guest.account.username);
    for (const filter of filters) if (guest.filters.delete(filter)) sums.filters -= 1;
  }

  filtersOf(client: Client): ReadonlyMap<string, QoS> {
    return this.#guests.get(client)?.filters ?? new Map<string, QoS>();
  }

  /** A large packet begins (positive) or has come (negative); false: the account receives as much as it may. */
  receiving(client: Client, bytes: number): boolean {
    const guest = this.#guests.get(client);
    if (!guest) return true;
    const sums = this.#sumsOf(guest.account.username);
    if (bytes > 0 && sums.receivingBytes + bytes > maxReceivingBytes) {
      this.#note.refused(guest.account.username);
      return false;
    }
    const change = Math.max(bytes, -guest.receivingBytes);
    guest.receivingBytes += change;
    sums.receivingBytes += change;
    return true;
  }

  counts(account: string): GuestCounts {
    const { connections, filters } = this.#sums.get(account) ?? newSums();
    return { connections, filters };
  }

  #sumsOf(account: string): Sums {
    const sums = this.#sums.get(account) ?? newSums();
    this.#sums.set(account, sums);
    return sums;
  }

  #leave(client: Client): void {
    const guest = this.#guests.get(client);
    if (!guest) return;
    this.#guests.delete(client);
    const { username } = guest.account;
    const sums = this.#sumsOf(username);
    sums.connections -= 1;
    sums.filters -= guest.filters.size;
    sums.willBytes -= guest.willBytes;
    sums.receivingBytes -= guest.receivingBytes;
    if (sums.connections === 0) this.#sums.delete(username);
  }
}
