import type { Challenge } from "@metrum/contract";
import { solvePart } from "./work.ts";

// Beside the page, so that typing goes on while it works: after each part what is found so far.
addEventListener("message", ({ data }: MessageEvent<Challenge>) => {
  const nonces: number[] = [];
  for (let part = 0; part < data.parts; part += 1) {
    nonces.push(solvePart(data, part));
    postMessage(nonces);
  }
});
