/**
 * Limits concurrency; the others wait for their turn. Otherwise all modems dialling in at once, or being cut
 * off, would request more connections than the pool provides in time.
 */
export function atMostAtOnce(most: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
