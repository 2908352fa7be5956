import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { leastFreeBytes } from "@metrum/contract/platform";
import { lastBackup } from "#platform/backup";
import { recountPointSample } from "#accounting/accounting-points";
import { recountSample } from "#metering/messages";
import { diskSpace, pendingMigrations, readCertificate, requireSecretsKey, type Database } from "#core";
import { portsOf, whyClosed } from "../../core/ports.ts";
import { readConfig, type Config } from "#config";
import { doctorAll, type AllOptions } from "./doctorAll.ts";
import { servicesOn, withDatabase } from "../installation.ts";
import { schedules } from "./doctorSchedules.ts";
import { times } from "./doctorTimes.ts";
import type { Finding } from "./finding.ts";
import { orUsage, UsageError } from "../usage.ts";

const gibibyte = 1024 ** 3;
const oldestPostgres = 150_000;

const usage = `doctor
doctor --all [--repair] [--company ID]`;

export async function main(args: string[]): Promise<number> {
  const all = allOptions(args);
  return all ? doctorAll(readConfig(), all) : checkInstallation();
}

/** Undefined without --all. Errors: UsageError that names the argument. */
export function allOptions(args: readonly string[]): AllOptions | undefined {
  const { values } = orUsage(usage, () =>
    parseArgs({
      args: [...args],
      options: {
        all: { type: "boolean", default: false },
        repair: { type: "boolean", default: false },
        company: { type: "string" },
      },
    }),
  );
  const { all, repair, company } = values;
  if (!all && repair) throw new UsageError(`--repair needs --all\n\n${usage}`);
  if (!all && company !== undefined) throw new UsageError(`--company needs --all\n\n${usage}`);
  if (company !== undefined && !/^[1-9]\d{0,8}$/.test(company))
    throw new UsageError(`--company is to be a whole number\n\n${usage}`);
  return all
    ? { companyId: company === undefined ? undefined : Number(company), isRepair: repair }
    : undefined;
}

async function checkInstallation(): Promise<number> {
  const findings = await examine(readConfig());
  for (const { about, seen, advice } of findings) {
    console.log(`${advice === undefined ? "ok   " : "WRONG"} ${about.padEnd(12)} ${seen}`);
    if (advice !== undefined) console.log(`${" ".repeat(19)}${advice}`);
  }
  const wrong = findings.filter((finding) => finding.advice !== undefined).length;
  console.log(wrong === 0 ? "Nothing is wrong." : `${wrong} wrong.`);
  return wrong === 0 ? 0 : 1;
}

/** All checks, in the order in which faults should be repaired. */
export async function examine(config: Config): Promise<Finding[]> {
  const here = [node(), await dataDirectory(config.dataDir), disk(config.dataDir), zones()];
  const { findings, isShared } = await databaseFindings(config);
  return [...here, ...findings, ...(await certificate(config)), ...(await ports(config, isShared))];
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const seen = `${process.versions.node} on ${process.platform}-${process.arch}`;
  const isNew = major > 20 || (major === 20 && minor >= 19);
  return isNew ? { about: "node", seen } : { about: "node", seen, advice: "Install Node 20.19 or newer." };
}

async function dataDirectory(dataDir: string): Promise<Finding> {
  const about = "data";
  const seen = resolve(dataDir);
  const probe = join(dataDir, `.doctor-${String(process.pid)}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, "", { flag: "wx" });
    await rm(probe);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      about,
      seen: reason,
      advice: "Make it writable for the user who starts Metrum, or set METRUM_DATA_DIR.",
    };
  }
  const password = await stat(join(dataDir, "database.password")).catch(() => undefined);
  if (password && (password.mode & 0o077) !== 0)
    return {
      about,
      seen: `${seen}: others can read database.password`,
      advice: "chmod 600 the file; if others use this machine, change the password.",
    };
  return { about, seen };
}

function disk(dataDir: string): Finding {
  const free = diskSpace(dataDir)?.freeBytes ?? 0;
  const finding = { about: "disk", seen: `${(free / gibibyte).toFixed(1)} GiB free` };
  return free >= leastFreeBytes
    ? finding
    : {
        ...finding,
        advice: "Free at least 1 GiB: without space new readings are refused and stay at the devices.",
      };
}

/**
 * Days and months are computed in the zones of the objects; a Node without time zone data would shift them
 * silently.
 */
function zones(): Finding {
  const about = "time zones";
  const hour = (timeZone: string): string =>
    new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit" }).format(new Date("2024-03-02T00:00:00Z"));
  try {
    // Kazakhstan moved to one zone on 2024-03-01.
    if (hour("Asia/Almaty") === "05" && hour("Asia/Ulaanbaatar") === "08")
      return { about, seen: "current (2024a or newer)" };
    return {
      about,
      seen: "older than 2024a",
      advice: "Install a newer Node: days in Kazakhstan would be an hour off.",
    };
  } catch {
    return { about, seen: "missing", advice: "Install a Node with full ICU data." };
  }
}

async function databaseFindings(config: Config): Promise<{ findings: Finding[]; isShared: boolean }> {
  const about = "database";
  try {
    return await withDatabase(config, async (database, { isShared }) => ({
      findings: [
        await version(database),
        await migrations(database),
        await secretsKey(config, database),
        await saved(database),
        await clock(database),
        ...((await pendingMigrations(database.pool)).length > 0 ? [] : await times(database)),
        ...(await schedules(database)),
        ...(await recounts(config, database)),
      ],
      isShared: isShared && config.databaseUrl === undefined,
    }));
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    const advice =
      config.databaseUrl === undefined
        ? `See ${join(resolve(config.dataDir), "database.log")}.`
        : "Check METRUM_DATABASE_URL and that the server it names lets this machine in.";
    return { findings: [{ about, seen, advice }], isShared: false };
  }
}

async function version({ pool }: Database): Promise<Finding> {
  const { rows } = await pool.query<{ number: string; text: string }>(
    "select current_setting('server_version_num') as number, current_setting('server_version') as text",
  );
  const finding = { about: "database", seen: `PostgreSQL ${rows[0]?.text ?? "?"}` };
  return Number(rows[0]?.number) >= oldestPostgres
    ? finding
    : { ...finding, advice: "Metrum needs PostgreSQL 15 or newer." };
}

async function migrations({ pool }: Database): Promise<Finding> {
  const pending = await pendingMigrations(pool);
  if (pending.length === 0) return { about: "schema", seen: "up to date" };
  return {
    about: "schema",
    seen: `${pending.length} steps behind: ${pending.join(", ")}`,
    advice: "Start the server, or run: npm run metrum -- migrate",
  };
}

async function secretsKey({ dataDir }: Config, { system }: Database): Promise<Finding> {
  const about = "key";
  try {
    await requireSecretsKey(system, dataDir);
    return { about, seen: "that of the secrets in the database" };
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    return { about, seen, advice: "As it is the server does not start." };
  }
}

/** Reported without a verdict: the owner decides how often to back up, and other tools can do it too. */
async function saved({ system }: Database): Promise<Finding> {
  const last = await lastBackup(system);
  const about = "backup";
  if (!last) return { about, seen: "none yet: npm run metrum -- backup FILE" };
  const days = Math.floor((Date.now() / 1000 - last.at) / 86_400);
  return { about, seen: `${new Date(last.at * 1000).toISOString()}, ${String(days)} days ago, ${last.file}` };
}

/**
 * Counts a sample of days of devices and points again, and compares them with what is stored; nothing before the
 * schema is up to date.
 */
async function recounts(config: Config, database: Database): Promise<Finding[]> {
  if ((await pendingMigrations(database.pool)).length > 0) return [];
  const services = servicesOn(config, database);
  const verdicts = [
    { about: "device days", ...(await recountSample(services)) },
    { about: "point days", ...(await recountPointSample(services)) },
  ];
  return verdicts.map(({ about, checked, differing }) =>
    differing.length === 0
      ? { about, seen: `${String(checked)} counted again, none differs` }
      : {
          about,
          seen: `${String(differing.length)} of ${String(checked)} differ: ${differing.slice(0, 3).join("; ")}`,
          advice: "Keep the database as it is and report it: these numbers do not follow from the readings.",
        },
  );
}

async function clock({ pool }: Database): Promise<Finding> {
  const { rows } = await pool.query<{ now: number }>(
    "select extract(epoch from clock_timestamp())::float8 as now",
  );
  const apart = Math.abs(Date.now() / 1000 - (rows[0]?.now ?? 0));
  const seen = new Date().toISOString();
  if (new Date().getUTCFullYear() < 2026)
    return { about: "clock", seen, advice: "Set the clock of this machine; readings are stamped by it." };
  if (apart > 5)
    return {
      about: "clock",
      seen: `${apart.toFixed(0)} s apart from the database`,
      advice: "Set both clocks by NTP.",
    };
  return { about: "clock", seen };
}

/** Empty without a TLS port. */
async function certificate({ mqtts }: Config): Promise<Finding[]> {
  if (!mqtts) return [];
  const about = "certificate";
  try {
    const { validTo } = await readCertificate(mqtts);
    const seen = `${mqtts.certFile} holds until ${new Date(validTo * 1000).toISOString()}`;
    return validTo > Date.now() / 1000
      ? [{ about, seen }]
      : [{ about, seen, advice: "Renew it: devices refuse it. The server reads it again by itself." }];
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    const advice = "Mend the file or the setting it names: as it is the server does not start.";
    return [{ about, seen, advice }];
  }
}

/** Ports are free, or in use by the server of this installation. */
async function ports(config: Config, isServerRunning: boolean): Promise<Finding[]> {
  const isOurs = isServerRunning && (await answersAsMetrum(config));
  return Promise.all(
    portsOf(config).map(async (port) => {
      const about = `port ${String(port.port)}`;
      if (isOurs) return { about, seen: "Metrum is running" };
      const reason = await whyClosed(port);
      return reason === undefined
        ? { about, seen: `free on ${port.host}` }
        : {
            about,
            seen: `${port.host}: ${reason}`,
            advice: `End the program that holds it, or set ${port.variable}.`,
          };
    }),
  );
}

async function answersAsMetrum({ host, port }: Config): Promise<boolean> {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host;
  const limit = AbortSignal.timeout(3_000);
  return fetch(`http://${name}:${String(port)}/healthz`, { signal: limit }).then(
    (answer) => answer.ok,
    () => false,
  );
}
