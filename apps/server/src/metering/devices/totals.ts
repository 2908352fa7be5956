import type { Bus, Ctx } from "#core";
import { few, type DevicePage, type Found } from "./listStore.ts";

/** A change made by another process is seen after this time at the latest; one of this process at once. */
const trustMs = 2_000;
const capacity = 1_000;

type Totals = Map<string, { readonly found: Found; readonly until: number }>;

/** Totals of filters, cached by this process since the last change. */
export interface DeviceTotals {
  current: Totals;
}

declare module "#core" {
  interface Parts {
    readonly deviceTotals: DeviceTotals;
  }
}

export function createDeviceTotals(bus: Bus): DeviceTotals {
  const totals: DeviceTotals = { current: new Map() };
  bus.on("devicesChanged", () => {
    totals.current = new Map();
  });
  return totals;
}

/**
 * Returns the total of a filter, cached if it is recent and large: paging and sorting need not count a
 * hundred thousand devices each time. Rows of a page are never cached, nor are small results.
 */
export async function remembered(ctx: Ctx, asked: DevicePage, find: () => Promise<Found>): Promise<Found> {
  const totals = ctx.parts.deviceTotals.current;
  const { companyId, userId, onlyTiedDevices } = ctx.scope;
  const key = JSON.stringify([companyId, onlyTiedDevices ? userId : null, asked.filter, asked.modelIds]);
  const known = totals.get(key);
  if (known && known.until > ctx.clock.monotonicMs()) return known.found;
  const until = ctx.clock.monotonicMs() + trustMs;
  const found = await find();
  // Counted before a concurrent change, which has replaced the map.
  if (found.total <= few || totals !== ctx.parts.deviceTotals.current) return found;
  if (totals.size >= capacity) totals.clear();
  totals.set(key, { found, until });
  return found;
}
