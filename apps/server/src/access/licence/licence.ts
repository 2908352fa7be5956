import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { LicenceInfo } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { record, type Ctx } from "#core";
import { readLicence } from "./file.ts";
import { publicKeys } from "./keys.ts";
import { licenceState } from "./state.ts";
import { countDevices } from "./store.ts";

/**
 * Throws `licence_not_here` outside the server build and for users who are not administrators of the licensed
 * company.
 */
export async function licenceInfo(ctx: Ctx): Promise<LicenceInfo> {
  requireOwner(ctx);
  const { state, company, expiresAt, devices } = await licenceState(ctx);
  return {
    license_expiry: expiresAt,
    server_devices_count: await countDevices(ctx.database.system),
    max_allowable_devices_count: devices,
    state,
    company,
  };
}

/** Installs a licence for all processes of this data directory. Throws `licence_invalid`. */
export async function takeLicence(ctx: Ctx, file: string): Promise<LicenceInfo> {
  requireOwner(ctx);
  const given = readLicence(file, publicKeys(ctx.config));
  if (!given) throw problem("licence_invalid", { attributes: { file: ["licence_invalid"] } });
  const before = await licenceState(ctx);
  await replaceFile(ctx.config.licenceFile, file);
  await record(ctx, { action: "license.upload", subject: "licence", before, after: given });
  return licenceInfo(ctx);
}

function requireOwner({ config, scope, session }: Ctx): void {
  const isOwner = scope.companyId === config.licenceCompanyId && session.homeCompanyId === scope.companyId;
  if (config.buildType !== "server" || !isOwner) throw problem("licence_not_here");
}

/** Written atomically: a half-written file is never read. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${String(process.pid)}.part`;
  await writeFile(part, text, { mode: 0o600 });
  await rename(part, path);
}
