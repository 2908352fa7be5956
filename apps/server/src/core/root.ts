import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { Config } from "#config";
import { ordinaryUser } from "./database/embedded/index.ts";
import type { Log } from "./log.ts";

const firstOpenPort = 1024;

/**
 * A server that was started as root goes on as the system user of the platform once its ports are open: what a
 * device or a user could make it do is then bounded by that user. Where it needs root later it stays root, and the
 * log says why. Irrevocable; returns whether the process was changed.
 */
export async function giveUpRoot(
  config: Config,
  { log, folders }: { readonly log: Pick<Log, "info" | "warn">; readonly folders: readonly string[] },
): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const reason = needsRoot(config) ?? (await ordinaryUser(needsOf(config, folders)));
  if (typeof reason === "string") {
    log.warn({ reason }, "the server stays root");
    return false;
  }
  process.setgroups?.([reason.gid]);
  process.setgid?.(reason.gid);
  process.setuid?.(reason.uid);
  log.info({ uid: reason.uid }, "the ports are open; the server goes on as an ordinary user");
  return true;
}

/** What is opened later, and not by everybody. */
export function needsRoot(config: Config): string | undefined {
  const { serialPorts, bridgePorts, roles, databaseUrl } = config;
  if (socketOf(databaseUrl) !== undefined && !/:\/\/[^:@/]*:[^@]+@/.test(databaseUrl ?? ""))
    return "METRUM_DATABASE_URL has no password: the database may ask for the user";
  if (!roles.includes("broker")) return undefined;
  if (serialPorts.length > 0) return "serial ports are opened again after a fault";
  if (bridgePorts && bridgePorts.first < firstOpenPort)
    return "METRUM_BRIDGE_PORTS has ports that only root opens";
  return undefined;
}

/** Directory of the socket of a database on this machine: `?host=/run/postgresql`. */
function socketOf(databaseUrl: string | undefined): string | undefined {
  const host = /[?&]host=([^&]+)/.exec(databaseUrl ?? "")?.[1];
  const path = host === undefined ? "" : decodeURIComponent(host);
  return path.startsWith("/") ? path : undefined;
}

function needsOf(config: Config, folders: readonly string[]) {
  const { dataDir, mqtts, licenceFile, peakHoursFile, importDir, almatySuDir } = config;
  const packages = dirname(createRequire(import.meta.url).resolve("fastify/package.json"));
  const files = [socketOf(config.databaseUrl), mqtts?.certFile, mqtts?.keyFile, licenceFile, peakHoursFile];
  const read = [process.execPath, packages, ...folders, ...files];
  return {
    dataDir,
    read: read.filter((path): path is string => path !== undefined && existsSync(path)),
    written: [importDir, almatySuDir].filter((path) => path !== undefined),
  };
}
