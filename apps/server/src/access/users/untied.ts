import { problem } from "@metrum/contract/core";
import type { UserId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { isAnyUntied } from "./tieStore.ts";

/**
 * Who is tied to nothing sees the whole company. A user tied to a part of it neither opens it to others by their last
 * tie, nor takes it from them by their first. Problem: right_not_held.
 */
export async function refuseUntied(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  users: readonly UserId[],
): Promise<void> {
  if (scope.onlyTiedDevices && (await isAnyUntied(db, scope, users))) throw problem("right_not_held");
}
