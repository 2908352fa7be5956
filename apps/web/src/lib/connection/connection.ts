/** Epoch seconds since when the server is not reachable; null while it is. */
let lostAt: number | null = null;
/** Epoch seconds of the last answer of the server. */
let reachedAt: number | null = null;
/** The browser reports that there is no network. */
let isCut = false;
let probe: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const probeEveryMs = 5000;
const nowSec = () => Math.floor(Date.now() / 1000);

function change(now: number | null): void {
  if (lostAt === now) return;
  lostAt = now;
  if (now !== null) probe ??= setInterval(() => void checkServer(), probeEveryMs);
  else if (probe !== undefined) {
    clearInterval(probe);
    probe = undefined;
  }
  for (const each of listeners) each();
}

/** Whether the server can be reached. There may be no other request, so it is checked here. */
export async function checkServer(): Promise<boolean> {
  await fetch("/healthz", { cache: "no-store" }).then(noteReached, noteLost);
  return lostAt === null;
}

/**
 * An answer has arrived, whatever its content. After a network cut it may be an old one: then only a request
 * sent since counts.
 */
export function noteReached(): void {
  reachedAt = nowSec();
  if (!isCut) change(null);
}

/** A request has failed to reach the server. */
export function noteLost(): void {
  change(lostAt ?? reachedAt ?? nowSec());
}

/** The browser reports that it has no network. */
export function watchNetwork(): void {
  addEventListener("offline", () => {
    isCut = true;
    noteLost();
  });
  addEventListener("online", () => {
    isCut = false;
    void checkServer();
  });
}

/** Age of the shown data, epoch seconds: the time of the last answer. Null while the server is reachable. */
export const connection = {
  isCut: () => isCut,
  lostAt: () => lostAt,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
