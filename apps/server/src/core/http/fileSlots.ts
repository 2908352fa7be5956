import { listFileBounds, problem } from "@metrum/contract/core";

/** Lists being written to files in this process: each holds a connection of the pool until its end. */
export interface FileSlots {
  /** Takes a place; returns the function that gives it back. Problem: too_many_requests. */
  take(companyId: number): () => void;
}

/** At most `listFileBounds.atOnce` of a company, and `most` of all. */
export function createFileSlots(most: number): FileSlots {
  const taken = new Map<number, number>();
  let all = 0;
  return {
    take(companyId) {
      const own = taken.get(companyId) ?? 0;
      if (own >= listFileBounds.atOnce || all >= most) throw problem("too_many_requests");
      taken.set(companyId, own + 1);
      all += 1;
      let isGiven = false;
      return () => {
        if (isGiven) return;
        isGiven = true;
        all -= 1;
        const left = (taken.get(companyId) ?? 1) - 1;
        if (left === 0) taken.delete(companyId);
        else taken.set(companyId, left);
      };
    },
  };
}
