import { readFile, stat } from "node:fs/promises";
import type { LicenceState } from "@metrum/contract/access";
import { hasCode, type Services } from "#core";
import { readLicence, type Licence } from "./file.ts";
import { publicKeys } from "./keys.ts";

/** Device limit without a licence, and with an invalid one. */
export const evaluationDevices = 50;

export interface LicenceNow {
  readonly state: LicenceState;
  readonly company: string | null;
  /** Expiry, epoch seconds; null without a valid licence. */
  readonly expiresAt: number | null;
  readonly devices: number;
}

type Asking = Pick<Services, "config" | "clock" | "log" | "parts">;

/** State of the licence file when it was last read, and the marks by which a change is detected. */
interface Seen {
  readonly mark: string;
  readonly found: Licence | "none" | "invalid";
}

/** Cached state of the file. */
export interface LicenceFile {
  seen: Seen | undefined;
}

export const createLicenceFile = (): LicenceFile => ({ seen: undefined });

declare module "#core" {
  interface Parts {
    readonly licenceFile: LicenceFile;
  }
}

/**
 * The current licence of this installation. The file is checked each time and read again when it has changed.
 */
export async function licenceState({ config, clock, log, parts }: Asking): Promise<LicenceNow> {
  const { licenceFile } = config;
  const mark = await markOf(licenceFile);
  let known = parts.licenceFile.seen;
  if (known?.mark !== mark) {
    const found = mark === "none" ? "none" : await read(config);
    if (found === "invalid") log.warn({ file: licenceFile }, "the licence does not hold: evaluation");
    known = { mark, found };
    parts.licenceFile.seen = known;
  }
  return nowOf(known.found, clock.now());
}

function nowOf(found: Seen["found"], nowSec: number): LicenceNow {
  if (found === "none" || found === "invalid") {
    const state = found === "none" ? "evaluation" : "invalid";
    return { state, company: null, expiresAt: null, devices: evaluationDevices };
  }
  const { company, devices, expires_at: expiresAt } = found;
  return { state: nowSec < expiresAt ? "valid" : "expired", company, expiresAt, devices };
}

async function read(config: Services["config"]): Promise<Seen["found"]> {
  const text = await readFile(config.licenceFile, "utf8").catch(() => "");
  return readLicence(text, publicKeys(config)) ?? "invalid";
}

/** Changes with the content of the file; "none" without a file. */
async function markOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true });
    return [ino, size, mtimeNs].join(":");
  } catch (error) {
    return hasCode(error, "ENOENT") ? "none" : "unreadable";
  }
}
