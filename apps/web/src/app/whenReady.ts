const pausesMs = { first: 1000, longest: 30_000 } as const;

/**
 * Checks with growing pauses whether the server is ready, and at once when the network is back. Returns the
 * cancel function.
 */
export function whenReady(onReady: () => void): () => void {
  const end = new AbortController();
  const { signal } = end;
  let pauseMs: number = pausesMs.first;
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    timer = setTimeout(() => void ask(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, pausesMs.longest);
  };
  const ask = async () => {
    clearTimeout(timer);
    const isReady = await fetch("/readyz", { cache: "no-store", signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (signal.aborted) return;
    if (isReady) {
      end.abort();
      onReady();
    } else {
      clearTimeout(timer);
      wait();
    }
  };
  addEventListener("online", () => void ask(), { signal });
  wait();
  return () => {
    end.abort();
    clearTimeout(timer);
  };
}
