import type { Challenge } from "@metrum/contract/access";
import { workPrefix } from "@metrum/contract/access";
import { useEffect, useEffectEvent, useState } from "react";

/**
 * Runs the proof of work of a challenge while one is given. Returns the completed share; `onDone` gets the
 * answer to send. A new challenge starts over.
 */
export function useWork(challenge: Challenge | null, onDone: (answer: string) => void): number {
  const [progress, setProgress] = useState({ salt: "", share: 0 });
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (challenge === null) return;
    const worker = new Worker(new URL("./work.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: nonces }: MessageEvent<readonly number[]>) => {
      setProgress({ salt: challenge.salt, share: nonces.length / challenge.parts });
      if (nonces.length === challenge.parts) done(workPrefix + nonces.join(","));
    });
    worker.postMessage(challenge);
    return () => worker.terminate();
  }, [challenge]);
  return progress.salt === challenge?.salt ? progress.share : 0;
}
