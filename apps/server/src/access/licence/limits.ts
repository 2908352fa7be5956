import { problem } from "@metrum/contract/core";
import type { Ctx, Services } from "#core";
import { licenceState, type LicenceNow } from "./state.ts";
import { countAlone, countDevices } from "./store.ts";

type Asking = Pick<Services, "config" | "clock" | "log" | "parts">;

/**
 * Refuses actions that an expired licence does not cover: manual polls, control, new devices. Scheduled
 * polling is not limited. Throws `licence_expired` with the last day.
 */
export async function refuseWhenExpired(services: Asking): Promise<void> {
  if (services.config.buildType !== "server") return;
  refuseExpired(await licenceState(services));
}

/**
 * Refuses devices beyond the licence, before they are created and in the same transaction (also on restoring
 * from the trash). Throws `device_limit_reached` with the limit and the present number, or `licence_expired`.
 */
export async function refuseNewDevices(
  ctx: Asking & Pick<Ctx, "db" | "database">,
  added: number,
): Promise<void> {
  if (ctx.config.buildType !== "server") return;
  const licence = await licenceState(ctx);
  refuseExpired(licence);
  await countAlone(ctx.db);
  const count = await countDevices(ctx.database.system);
  const max = licence.devices;
  if (count + added > max) throw problem("device_limit_reached", { params: { max, count } });
}

/** How many more devices the licence allows, and why not more. */
export interface Places {
  readonly left: number;
  readonly why: "device_limit_reached" | "licence_expired";
}

/** Places for devices that are to count, until the transaction ends; without limit in the cloud. */
export async function freePlaces(ctx: Asking & Pick<Ctx, "db" | "database">): Promise<Places> {
  if (ctx.config.buildType !== "server") return { left: Infinity, why: "device_limit_reached" };
  const { state, devices } = await licenceState(ctx);
  if (state === "expired") return { left: 0, why: "licence_expired" };
  await countAlone(ctx.db);
  return {
    left: Math.max(0, devices - (await countDevices(ctx.database.system))),
    why: "device_limit_reached",
  };
}

/**
 * Whole days until the licence of a server build expires, rounded down; null without expiry, and in the
 * cloud.
 */
export async function licenceDaysLeft(services: Asking): Promise<number | null> {
  if (services.config.buildType !== "server") return null;
  const { expiresAt } = await licenceState(services);
  return expiresAt === null ? null : Math.floor((expiresAt - services.clock.now()) / 86_400);
}

function refuseExpired({ state, expiresAt }: LicenceNow): void {
  if (state !== "expired" || expiresAt === null) return;
  throw problem("licence_expired", { params: { date: lastDay(expiresAt) } });
}

/** The last day on which a licence is valid, in UTC: "2027-12-31". */
export function lastDay(expiresAt: number): string {
  return new Date((expiresAt - 1) * 1000).toISOString().slice(0, 10);
}
