import { onDemand } from "#lib/load";
import type { Moves } from "./moves.ts";

const loadMoves = onDemand(() => import("./moves.ts"));

/** Makes a move of devices. False when refused, or when its part of the app cannot be loaded. */
export async function move(run: (moves: Moves) => Promise<boolean>): Promise<boolean> {
  const moves = await loadMoves();
  return moves !== null && run(moves);
}
