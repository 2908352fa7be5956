import { pointBounds } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import type { Ctx } from "#core";

/** 2000-01-01: no clock of a meter or user means a time before it. */
const earliest = 946_684_800;

/** The moment at which a change begins to hold: as given, else now. Problem: point_moment. */
export function momentOf({ clock }: Pick<Ctx, "clock">, given: number | undefined, field: string): number {
  const now = clock.now();
  const at = given ?? now;
  if (at < earliest || at > now + pointBounds.aheadSec) refuseMoment(field);
  return at;
}

export function refuseMoment(field: string): never {
  throw problem("point_moment", { attributes: { [field]: ["point_moment"] } });
}
