/** Epoch seconds since when the server is not reached; null while it is. */
let lostAt: number | null = null;
/** Epoch seconds of the last answer of the server. */
let reachedAt: number | null = null;
/** The browser itself says that there is no network. */
let isCut = false;
let probe: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const probeEveryMs = 5000;
const nowSec = () => Math.floor(Date.now() / 1000);

function change(now: number | null): void {
  if (lostAt === now) return;
  lostAt = now;
  if (now !== null) probe ??= setInterval(() => void ask(), probeEveryMs);
  else if (probe !== undefined) {
    clearInterval(probe);
    probe = undefined;
  }
  for (const each of listeners) each();
}

/** Nobody else may be asking just now, so the way back is looked for here. */
async function ask(): Promise<void> {
  await fetch("/healthz", { cache: "no-store" }).then(noteReached, () => undefined);
}

/** An answer has come, whatever it says. After the network was cut it may be an old one that was on its way: then only a question asked since counts. */
export function noteReached(): void {
  reachedAt = nowSec();
  if (!isCut) change(null);
}

/** A request has found nobody. */
export function noteLost(): void {
  change(lostAt ?? reachedAt ?? nowSec());
}

/** The browser knows for itself that it has no network. */
export function watchNetwork(): void {
  addEventListener("offline", () => {
    isCut = true;
    noteLost();
  });
  addEventListener("online", () => {
    isCut = false;
    void ask();
  });
}

/** Since when what is shown gets no younger, epoch seconds: the time of the last answer. Null while the server is reached. */
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
