import { chmod, readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { secondsOf } from "@metrum/protocols/core";
import { isPublicKey, issueLicence, lastDay, makeKeys, readLicence } from "#access/licence";
import { UsageError } from "./usage.ts";

const usage = `licence keygen --key FILE
licence issue --key FILE --company NAME --devices N --until YYYY-MM-DD [--out FILE]
licence show FILE --public-key KEY`;

/** Commands for the publisher of licences, without an installation. */
export async function main([verb, ...args]: string[]): Promise<number> {
  if (verb === "keygen") return keygen(args);
  if (verb === "issue") return issue(args);
  if (verb === "show") return show(args);
  throw new UsageError(usage);
}

/** Creates a key pair. An existing private key is never replaced. */
async function keygen(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { key: { type: "string" } } });
  if (values.key === undefined) throw new UsageError(usage);
  const { privateKey, publicKey } = makeKeys();
  await writeFile(values.key, privateKey, { mode: 0o600, flag: "wx" });
  console.log(publicKey);
  return 0;
}

/** Signs a licence and prints its file, or writes it. */
async function issue(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const options = { key: text, company: text, devices: text, until: text, out: text };
  const { values } = parseArgs({ args, options });
  const { key, company, devices, until, out } = values;
  if (key === undefined || !company || devices === undefined || until === undefined)
    throw new UsageError(usage);
  const file = issueLicence(await readFile(key, "utf8"), {
    company,
    devices: countOf(devices),
    issued_at: Math.floor(Date.now() / 1000),
    expires_at: endOf(until),
  });
  if (out === undefined) process.stdout.write(file);
  else {
    await writeFile(out, file, { mode: 0o600 });
    await chmod(out, 0o600);
  }
  return 0;
}

/** Prints the contents of a licence file; exit code 1 when it is not valid. */
async function show(args: string[]): Promise<number> {
  const options = { "public-key": { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const key = values["public-key"];
  const [file] = positionals;
  if (file === undefined || key === undefined || !isPublicKey(key)) throw new UsageError(usage);
  const licence = readLicence(await readFile(file, "utf8"), [key]);
  if (!licence) {
    console.error("The licence does not hold: it was changed, or is signed with another key.");
    return 1;
  }
  console.log(`${licence.company}: ${String(licence.devices)} devices until ${lastDay(licence.expires_at)}`);
  return 0;
}

function countOf(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError(`--devices: "${text}" is not a number of devices`);
  return Number(text);
}

/** The licence is valid to the end of that day, UTC. */
function endOf(text: string): number {
  const start = secondsOf(`${text}T00:00:00Z`);
  if (start === null) throw new UsageError(`--until: "${text}" is not a day such as 2027-12-31`);
  return start + 86_400;
}
