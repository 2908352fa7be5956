import { Duplex } from "node:stream";
import type { Client } from "aedes";
import type { GuestCounts, Note } from "./brokerNotes.ts";
import type { MqttAccount } from "./accountStore.ts";

type QoS = 0 | 1 | 2;

/** Limits of one account over all of its connections in this process. */
const maxConnections = 5_000;
const maxFilters = 10_000;
const maxWillBytes = 4 * 1024 * 1024;
/** Concurrent incoming packets above a few KiB. */
const maxReceivingBytes = 16 * 1024 * 1024;
/** Bytes not yet read by its clients. */
const maxUnreadBytes = 16 * 1024 * 1024;
/** Limits of all accounts together. Connections are limited by the listener. */
export const ofAllGuests = {
  willBytes: 64 * 1024 * 1024,
  receivingBytes: 128 * 1024 * 1024,
  unreadBytes: 256 * 1024 * 1024,
} as const;
export type GuestBounds = Readonly<Record<keyof typeof ofAllGuests, number>>;
/** Clients are disconnected until the unread bytes fall to this share of the limit. */
const keptShare = 0.75;
/** A recount is due when the sum has grown by this share of the limit. */
const recountShare = 1 / 8;
/** Limits of one client. */
const maxFiltersOfClient = 100;
const maxFilterLength = 256;

/**
 * Id of a client within the broker: an account name has no slash, so ids of different accounts cannot
 * collide.
 */
export const clientIdIn = ({ username }: MqttAccount, clientId: string): string => `${username}/${clientId}`;

/** The account of such an id. */
export const accountOfClient = (id: string): string => id.slice(0, id.indexOf("/"));

interface Guest {
  readonly account: MqttAccount;
  readonly filters: Map<string, QoS>;
  readonly willBytes: number;
  receivingBytes: number;
  /** Time of the last write to it. */
  unreadBytes: number;
}

interface Sums {
  connections: number;
  filters: number;
  willBytes: number;
  receivingBytes: number;
  unreadBytes: number;
  /** Above this value unread bytes are recounted, because reading by clients is not reported. */
  recountAbove: number;
}

const newSums = (): Sums => ({
  connections: 0,
  filters: 0,
  willBytes: 0,
  receivingBytes: 0,
  unreadBytes: 0,
  recountAbove: 0,
});

/** Admitted clients, from admission until their connection is closed, with the usage of their accounts. */
export class MqttGuests {
  readonly #note: Note;
  readonly #guests = new Map<Client, Guest>();
  readonly #sums = new Map<string, Sums>();
  readonly #all = newSums();
  readonly #bounds: GuestBounds;
  /** Kept beyond the connection, for the last will, unless the account has ended meanwhile. */
  readonly #accounts = new WeakMap<Client, MqttAccount>();

  constructor(note: Note, bounds: GuestBounds = ofAllGuests) {
    this.#note = note;
    this.#bounds = bounds;
  }

  /** False: the account, or all together, have reached the limit of connections or of will bytes. */
  enter(client: Client, account: MqttAccount, willBytes: number): boolean {
    const sums = this.#sumsOf(account.username);
    const isFull =
      sums.willBytes + willBytes > maxWillBytes || this.#all.willBytes + willBytes > this.#bounds.willBytes;
    if (sums.connections >= maxConnections || isFull) {
      this.#note.refused(account.username);
      return false;
    }
    for (const each of [sums, this.#all]) {
      each.connections += 1;
      each.willBytes += willBytes;
    }
    this.#accounts.set(client, account);
    this.#guests.set(client, {
      account,
      filters: new Map(),
      willBytes,
      receivingBytes: 0,
      unreadBytes: 0,
    });
    client.conn.once("close", () => this.#leave(client));
    return true;
  }

  /** Undefined: never admitted, or its account has ended. */
  accountOf(client: Client): MqttAccount | undefined {
    return this.#accounts.get(client);
  }

  /** The account has ended: further messages of the client are refused. */
  forget(client: Client): void {
    this.#accounts.delete(client);
  }

  /** All clients admitted at present. */
  all(): [Client, MqttAccount][] {
    return [...this.#guests].flatMap(([client, { account }]): [Client, MqttAccount][] =>
      this.#accounts.has(client) ? [[client, account]] : [],
    );
  }

  /** Counts another filter of the client; false when the limit is reached. */
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
    if (isNew) {
      sums.filters += 1;
      this.#all.filters += 1;
    }
    guest.filters.set(filter, qos);
    return true;
  }

  unsubscribed(client: Client, filters: readonly string[]): void {
    const guest = this.#guests.get(client);
    if (!guest) return;
    const sums = this.#sumsOf(guest.account.username);
    for (const filter of filters)
      if (guest.filters.delete(filter)) {
        sums.filters -= 1;
        this.#all.filters -= 1;
      }
  }

  filtersOf(client: Client): ReadonlyMap<string, QoS> {
    return this.#guests.get(client)?.filters ?? new Map<string, QoS>();
  }

  /**
   * A large packet begins (positive) or is complete (negative); false: the account, or all together, receive
   * as much as permitted.
   */
  receiving(client: Client, bytes: number): boolean {
    const guest = this.#guests.get(client);
    if (!guest) return true;
    const sums = this.#sumsOf(guest.account.username);
    const isFull =
      sums.receivingBytes + bytes > maxReceivingBytes ||
      this.#all.receivingBytes + bytes > this.#bounds.receivingBytes;
    if (bytes > 0 && isFull) {
      this.#note.refused(guest.account.username);
      return false;
    }
    const change = Math.max(bytes, -guest.receivingBytes);
    guest.receivingBytes += change;
    sums.receivingBytes += change;
    this.#all.receivingBytes += change;
    return true;
  }

  /**
   * Records the unread bytes of a client before more is written to it. Beyond the limit of its account, or of
   * all, the clients with the largest backlog are disconnected; false: this is one of them.
   */
  writing(client: Client): boolean {
    const guest = this.#guests.get(client);
    if (!guest) return false;
    const { username } = guest.account;
    const sums = this.#sumsOf(username);
    this.#noteUnread(guest, unreadOf(client));
    if (sums.unreadBytes > Math.max(maxUnreadBytes, sums.recountAbove))
      this.#relieve(sums, maxUnreadBytes, username);
    const { unreadBytes } = this.#bounds;
    if (this.#all.unreadBytes > Math.max(unreadBytes, this.#all.recountAbove))
      this.#relieve(this.#all, unreadBytes);
    return !client.conn.destroyed;
  }

  counts(account: string): GuestCounts {
    const { connections, filters } = this.#sums.get(account) ?? newSums();
    return { connections, filters };
  }

  totals(): Readonly<Omit<Sums, "recountAbove">> {
    return this.#all;
  }

  #noteUnread(guest: Guest, bytes: number): void {
    const change = bytes - guest.unreadBytes;
    guest.unreadBytes = bytes;
    this.#sumsOf(guest.account.username).unreadBytes += change;
    this.#all.unreadBytes += change;
  }

  /** Recounts, and disconnects clients with the largest backlog while the sum is above the limit. */
  #relieve(sums: Sums, bound: number, username?: string): void {
    const guests = [...this.#guests].filter(
      ([, { account }]) => username === undefined || account.username === username,
    );
    for (const [client, guest] of guests) this.#noteUnread(guest, unreadOf(client));
    if (sums.unreadBytes > bound)
      for (const [client, guest] of guests.sort(([, a], [, b]) => b.unreadBytes - a.unreadBytes)) {
        if (sums.unreadBytes <= bound * keptShare) break;
        this.#note.slow(guest.account.username);
        this.#noteUnread(guest, 0);
        client.conn.destroy();
      }
    sums.recountAbove = sums.unreadBytes + bound * recountShare;
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
    this.#noteUnread(guest, 0);
    for (const each of [sums, this.#all]) {
      each.connections -= 1;
      each.willBytes -= guest.willBytes;
      each.receivingBytes -= guest.receivingBytes;
    }
    sums.filters -= guest.filters.size;
    this.#all.filters -= guest.filters.size;
    if (sums.connections === 0) this.#sums.delete(username);
  }
}

/** Bytes written to a client and not accepted by its socket; 0 for a disconnected one. */
export function unreadOf({ conn }: Client): number {
  return conn instanceof Duplex && !conn.destroyed ? conn.writableLength : 0;
}
