import { Duplex } from "node:stream";
import type { Client } from "aedes";
import type { GuestCounts, Note } from "./brokerNotes.ts";
import type { MqttAccount } from "./accountStore.ts";

type QoS = 0 | 1 | 2;

/** Bounds of one account over all of its connections in this process. */
const maxConnections = 5_000;
const maxFilters = 10_000;
const maxWillBytes = 4 * 1024 * 1024;
/** Packets above a few KiB that are on their way at one time. */
const maxReceivingBytes = 16 * 1024 * 1024;
/** What its clients have not read yet. */
const maxUnreadBytes = 16 * 1024 * 1024;
/** Of all accounts together. Connections are bounded where they come in. */
export const ofAllGuests = {
  willBytes: 64 * 1024 * 1024,
  receivingBytes: 128 * 1024 * 1024,
  unreadBytes: 256 * 1024 * 1024,
} as const;
export type GuestBounds = Readonly<Record<keyof typeof ofAllGuests, number>>;
/** Clients are cut off until this share of a bound is unread. */
const keptShare = 0.75;
/** Counting anew is due when the sum has grown by this share of the bound. */
const recountShare = 1 / 8;
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
  /** When something was last written to it. */
  unreadBytes: number;
}

interface Sums {
  connections: number;
  filters: number;
  willBytes: number;
  receivingBytes: number;
  unreadBytes: number;
  /** Above this what is unread is counted anew: clients read without telling. */
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

/** The clients that were let in, from that moment until their connection is closed, with what their accounts use. */
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

  /** False: the account has as many connections, or as long wills, as it may, or all have. */
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

  /** A large packet begins (positive) or has come (negative); false: the account, or all, receive as much as they may. */
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
   * Notes what a client has unread before more is written to it. Beyond the bound of its account, or of all, those with most are cut
   * off; false: it is one of them.
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

  /** Counts anew, and cuts off those with most while that is above the bound. */
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

/** Bytes that were written to a client and not taken by its socket; none of one that is cut off. */
export function unreadOf({ conn }: Client): number {
  return conn instanceof Duplex && !conn.destroyed ? conn.writableLength : 0;
}
