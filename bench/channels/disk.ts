import { open } from "node:fs/promises";
import { join } from "node:path";

const everyMs = 100;

/** The time of each small synchronous write to the disk of a directory, like that of a commit. */
export async function watchDisk(directory: string) {
  const file = await open(join(directory, "disk-watch"), "w");
  let taken: number[] = [];
  const ended = new AbortController();
  const page = Buffer.alloc(8192);
  const watching = (async () => {
    while (!ended.signal.aborted) {
      const startedMs = performance.now();
      await file.write(page, 0, page.length, 0);
      await file.datasync();
      taken.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    /** Milliseconds of the writes since the last call. */
    take(): readonly number[] {
      const since = taken;
      taken = [];
      return since;
    },
    async stop() {
      ended.abort();
      await watching;
      await file.close();
    },
  };
}
