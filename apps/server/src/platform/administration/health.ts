import { mkdir, statfs } from "node:fs/promises";
import type { Health } from "@metrum/contract";
import { version, type Ctx, type Services } from "#core";
import { countDevices } from "#access/licence";
import * as store from "./store.ts";

/**
 * Health of the installation, measured by the answering process; queues and processes are those of the
 * database.
 */
export async function healthOf({ database, clock, config, log }: Ctx): Promise<Health> {
  const { system } = database;
  const [disk, queues, processes, devices] = await Promise.all([
    diskOf(config, log),
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
    ...disk,
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
async function diskOf(
  { dataDir }: Services["config"],
  log: Services["log"],
): Promise<Pick<Health, "disk_free_bytes" | "disk_total_bytes">> {
  try {
    await mkdir(dataDir, { recursive: true });
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return { disk_free_bytes: bavail * bsize, disk_total_bytes: blocks * bsize };
  } catch (error) {
    log.warn({ err: error }, "the free space of the data directory cannot be read");
    return { disk_free_bytes: null, disk_total_bytes: null };
  }
}

const known = ["api", "worker", "broker"] as const;

function rolesOf(names: readonly string[]): (typeof known)[number][] {
  return known.filter((role) => names.includes(role));
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
