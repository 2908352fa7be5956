import type { Stop } from "./domain.ts";

export interface Part {
  readonly name: string;
  readonly stop: Stop;
}

/** Started parts of the process. */
export interface StartedParts {
  readonly add: (part: Part) => void;
  /** Stops each part once, the last one first; a second call finds nothing to stop. */
  readonly stopAll: (stop: (part: Part) => Promise<void>) => Promise<void>;
}

export function createParts(): StartedParts {
  const parts: Part[] = [];
  return {
    add: (part) => void parts.push(part),
    async stopAll(stop) {
      for (const part of parts.splice(0).toReversed()) await stop(part);
    },
  };
}
