import type { Ctx } from "#core";

/**
 * Screens that show points and their devices ask again after the commit. Days are marked by triggers in the
 * transaction of the change.
 */
export function pointsChanged({
  bus,
  afterCommit,
  scope: { companyId },
}: Pick<Ctx, "bus" | "afterCommit" | "scope">): void {
  afterCommit(() => bus.publish("devicesChanged", { companyId }));
}
