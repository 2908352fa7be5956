/**
 * Lets a few run at once; the others wait for their turn, however many come. A whole park of modems that dials in, or is cut off, would
 * otherwise ask for more connections of the pool than it gives in time.
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
