import type pg from "pg";

/** Receives notifications of other processes through PostgreSQL (`NOTIFY`), on one dedicated connection. */
export interface Listener {
  /** Calls back with the payload of every notification on the channel; returns the function that stops it. */
  on(channel: string, callback: (payload: string) => void): () => void;
  /** False while notifications may be missed: caches that rely on them must not be trusted then. */
  isAlive(): boolean;
  close(): Promise<void>;
}

/** Pause before the next attempt to connect. */
const retryMs = 500;
/** Interval of keep-alive probes on a silent connection. */
const probeMs = 2_000;

/** Connects with the first subscription and reconnects by itself until it is closed. */
export function createListener(makeClient: () => pg.Client): Listener {
  const callbacks = new Map<string, Set<(payload: string) => void>>();
  let client: pg.Client | undefined;
  let alive = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  /** One query at a time: a probe may be in progress when a channel is added. */
  let turn: Promise<unknown> = Promise.resolve();
  const ask = (of: pg.Client, text: string): Promise<unknown> => {
    const query = turn.then(() => of.query(text));
    turn = query.catch(() => undefined);
    return query;
  };

  const lose = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = undefined;
    alive = false;
    lost.end().catch(() => undefined);
    if (!closed) timer = setTimeout(connect, retryMs).unref();
  };
  const probe = (probed: pg.Client): void => {
    if (client !== probed) return;
    const late = setTimeout(() => lose(probed), probeMs).unref();
    ask(probed, "select 1")
      .then(() => (timer = setTimeout(probe, probeMs, probed).unref()))
      .catch(() => lose(probed))
      .finally(() => clearTimeout(late));
  };
  /** Also subscribes to channels added while it runs. */
  const listen = async (on: pg.Client): Promise<void> => {
    alive = false;
    for (let notified = 0; notified < callbacks.size;) {
      notified = callbacks.size;
      await ask(on, [...callbacks.keys()].map((channel) => `listen "${channel}"`).join("; "));
    }
    alive = client === on;
  };
  const connect = (): void => {
    const next = makeClient();
    client = next;
    turn = Promise.resolve();
    next.on("error", () => lose(next));
    next.on("end", () => lose(next));
    next.on("notification", ({ channel, payload }) => {
      for (const callback of callbacks.get(channel) ?? []) callback(payload ?? "");
    });
    next
      .connect()
      .then(() => listen(next))
      .then(() => probe(next))
      .catch(() => lose(next));
  };

  return {
    on(channel, callback) {
      const isNew = !callbacks.has(channel);
      const set = callbacks.get(channel) ?? new Set();
      callbacks.set(channel, set.add(callback));
      const current = client;
      if (!current && !timer) connect();
      else if (isNew && current && alive) listen(current).catch(() => lose(current));
      return () => set.delete(callback);
    },
    isAlive: () => alive,
    async close() {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      alive = false;
      await last?.end().catch(() => undefined);
    },
  };
}
