import type { Health } from "@metrum/contract/platform";
import { diskSpace, version, type Ctx, type Services } from "#core";
import { countDevices } from "#access/licence";
import * as store from "./store.ts";

/**
 * Health of the installation, measured by the answering process; queues and processes are those of the
 * database.
 */
export async function healthOf({ database, clock, config }: Ctx): Promise<Health> {
  const { system } = database;
  const [queues, processes, devices] = await Promise.all([
    store.queues(system, clock.now()),
    store.processesSeen(system),
    countDevices(system),
  ]);
  return {
    version,
    node: process.versions.node,
    build_type: config.buildType,
    uptime_sec: Math.floor(process.uptime()),
    devices,
    ...diskOf(config),
    ...queues,
    processes: processes.map(({ id: _, ...each }) => ({
      ...each,
      roles: rolesOf(each.roles),
      started_at: seconds(each.started_at),
      seen_at: seconds(each.seen_at),
    })),
  };
}

/** Null if the disk cannot be read, so that the rest is still reported. */
function diskOf({ dataDir }: Services["config"]): Pick<Health, "disk_free_bytes" | "disk_total_bytes"> {
  const space = diskSpace(dataDir);
  return { disk_free_bytes: space?.freeBytes ?? null, disk_total_bytes: space?.totalBytes ?? null };
}

const known = ["api", "worker", "broker"] as const;

function rolesOf(names: readonly string[]): (typeof known)[number][] {
  return known.filter((role) => names.includes(role));
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
