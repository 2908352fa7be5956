import { MqttSession } from "./mqttSession.ts";

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

export interface AccountSessionsOptions {
  readonly bounds?: { readonly owedBytes: number; readonly sessions: number };
  /** The account of a client id within the broker. */
  readonly accountOf: (clientId: string) => string;
  readonly isConnected: (clientId: string) => boolean;
  /** Messages or sessions of an account had to be dropped. */
  readonly onDropped: (account: string, dropped: Dropped) => void;
  /** Called before a session ends, while it has its filters. */
  readonly onClosing: (session: MqttSession) => void;
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

interface Account {
  readonly sessions: Map<string, MqttSession>;
  owedBytes: number;
  filters: number;
}

const newAccount = (): Account => ({ sessions: new Map(), owedBytes: 0, filters: 0 });

/** Sessions by account and client id, within the limits of an account and of all accounts together. */
export class AccountSessions {
  readonly #options: AccountSessionsOptions;
  readonly #accounts = new Map<string, Account>();
  readonly #bounds: { readonly owedBytes: number; readonly sessions: number };
  /** Of all accounts. */
  #owedBytes = 0;
  #sessions = 0;
  #uses = 0;

  constructor(options: AccountSessionsOptions) {
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

  find(id: string): MqttSession | undefined {
    return this.#accountOf(id)?.sessions.get(id);
  }

  /**
   * Undefined: the account or the broker has reached its limit of sessions, and all of their clients are
   * connected.
   */
  open(id: string): MqttSession | undefined {
    const known = this.find(id);
    if (known) return known;
    const name = this.#options.accountOf(id);
    const account = this.#accounts.get(name) ?? newAccount();
    if (account.sessions.size >= maxSessions && !this.#makeRoom(name, account)) return undefined;
    if (this.#sessions >= this.#bounds.sessions && !this.#makeRoom(...this.#largest())) return undefined;
    const session = new MqttSession(id);
    this.used(session);
    account.sessions.set(id, session);
    // The account may have been deleted with its last session.
    this.#accounts.set(name, account);
    this.#sessions += 1;
    return session;
  }

  close(id: string): void {
    const session = this.find(id);
    const name = this.#options.accountOf(id);
    const account = this.#accounts.get(name);
    if (!session || !account) return;
    this.#options.onClosing(session);
    account.owedBytes -= session.bytes;
    this.#owedBytes -= session.bytes;
    this.#sessions -= 1;
    account.filters -= session.filters.size;
    account.sessions.delete(id);
    if (account.sessions.size === 0) this.#accounts.delete(name);
  }

  /** Makes it the most recently used session, which is the last to give way. */
  used(session: MqttSession): void {
    session.lastUse = this.#uses++;
  }

  /** False: the account has reached its limit of filters. */
  addFilter(session: MqttSession, filter: string, qos: 0 | 1 | 2): boolean {
    const account = this.#accountOf(session.id);
    if (!account) return false;
    if (!session.filters.has(filter)) {
      if (account.filters >= maxFilters) return false;
      account.filters += 1;
    }
    session.filters.set(filter, qos);
    return true;
  }

  removeFilter(session: MqttSession, filter: string): void {
    const account = this.#accountOf(session.id);
    if (account && session.filters.delete(filter)) account.filters -= 1;
  }

  /** Updates the sums for a change of a session, and keeps them below their limits. */
  change<Result>(session: MqttSession, change: () => Result): Result {
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

  #accountOf(id: string): Account | undefined {
    return this.#accounts.get(this.#options.accountOf(id));
  }

  /** The account with the most sessions: in a full broker it gives way. */
  #largest(): [string, Account] {
    let largest: [string, Account] = ["", newAccount()];
    for (const [name, account] of this.#accounts)
      if (account.sessions.size > largest[1].sessions.size) largest = [name, account];
    return largest;
  }

  /** Ends the session whose client has been offline longest. */
  #makeRoom(name: string, { sessions }: Account): boolean {
    let oldest: MqttSession | undefined;
    for (const session of sessions.values())
      if (!this.#options.isConnected(session.id) && (!oldest || session.lastUse < oldest.lastUse))
        oldest = session;
    this.#options.onDropped(name, { messages: 0, sessions: 1 });
    if (oldest) this.close(oldest.id);
    return oldest !== undefined;
  }

  /**
   * The longest queue is cut first, oldest messages first: a client with a short queue is not affected by one
   * that is offline for weeks.
   */
  #shrink(name: string, account: Account, bound: number): void {
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
