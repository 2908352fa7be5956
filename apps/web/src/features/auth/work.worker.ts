import type { Challenge } from "@metrum/contract/access";
import { solvePart } from "./work.ts";

// In a worker, so that typing is not blocked; posts the result after each part.
addEventListener("message", ({ data }: MessageEvent<Challenge>) => {
  const nonces: number[] = [];
  for (let part = 0; part < data.parts; part += 1) {
    nonces.push(solvePart(data, part));
    postMessage(nonces);
  }
});
