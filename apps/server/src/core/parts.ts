import type { Stop } from "./domain.ts";

export interface Part {
  readonly name: string;
  readonly stop: Stop;
}

/** Started parts of the process. */
export interface StartedParts {
  /**
   * Errors: Error when the parts are being stopped; the part is stopped too, and a start that is still going on ends.
   */
  readonly add: (part: Part) => void;
  /** Stops each part once, the last one first; a second call finds nothing to stop. */
  readonly stopAll: (stop: (part: Part) => Promise<void>) => Promise<void>;
}

export function createParts(): StartedParts {
  const parts: Part[] = [];
  let isStopping = false;
  return {
    add(part) {
      if (!isStopping) {
        parts.push(part);
        return;
      }
      part.stop().catch(() => undefined);
      throw new Error("the process is stopping");
    },
    async stopAll(stop) {
      isStopping = true;
      for (const part of parts.splice(0).toReversed()) await stop(part);
    },
  };
}
