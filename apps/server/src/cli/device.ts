import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { fieldFaults } from "@metrum/contract/core";
import { DeviceSettings } from "@metrum/contract/metering";
import { secretKinds, type SecretKind } from "@metrum/vocabulary";
import type { Services } from "#core";
import { devicesNumbered, putNumbered, wrongSettings, type NumberedDevice } from "#metering/devices";
import { modelOf } from "#metering/models";
import { readConfig } from "#config";
import { withServices } from "./installation.ts";
import { orUsage, UsageError } from "./usage.ts";

const usage = `device NUMBER [--company ID] [--weight N] [--start N] [--ratio N] [--period SECONDS]
       [--password FILE] [--encryption FILE] [--authentication FILE] [--forget password | encryption | authentication]...
FILE holds the secret alone; - reads it from standard input. Secrets do not belong into arguments, which other processes see.`;

/** Source of a secret: a file, or standard input as "-". */
type ReadSecret = (source: string) => Promise<string>;

const readSecret: ReadSecret = (source) => (source === "-" ? text(process.stdin) : readFile(source, "utf8"));

/** Prints the settings of a device, or changes them; secrets are never printed. */
export async function main(args: string[]): Promise<number> {
  const { device, note } = await withServices(readConfig(), (services) =>
    setDevice(services, args, readSecret),
  );
  console.log(JSON.stringify(device));
  if (note !== "") console.error(note);
  return 0;
}

/**
 * Changes the settings named by the arguments, and records it in the log of the company; without options
 * nothing is written. Errors: UsageError that names the argument.
 */
export async function setDevice(
  { database, secretBox }: Pick<Services, "database" | "secretBox">,
  args: readonly string[],
  read: ReadSecret = readSecret,
): Promise<{ readonly device: NumberedDevice; readonly note: string }> {
  const { values, positionals } = parsed(args);
  const [number, ...more] = positionals;
  if (number === undefined || more.length > 0) throw new UsageError(usage);
  const companyId = numberOf(values, "company");
  const wanted = await wantedBy(values, read);
  return database.system.transaction().execute(async (db) => {
    const device = onlyOf(await devicesNumbered(db, number, companyId), number);
    if (Object.keys(wanted).length === 0) return { device, note: "" };
    refuseWrong(wrongSettings(modelOf(device.model_id), wanted));
    await putNumbered({ db, secretBox }, device, wanted);
    return {
      device: onlyOf(await devicesNumbered(db, number, device.company_id), number),
      note: noteOn(wanted),
    };
  });
}

function onlyOf(found: readonly NumberedDevice[], number: string): NumberedDevice {
  const [device, other] = found;
  if (!device) throw new UsageError(`NUMBER: there is no device ${number}`);
  if (!other) return device;
  const companies = found.map(({ company_id }) => String(company_id)).join(", ");
  throw new UsageError(`--company: the companies ${companies} have a device ${number} each`);
}

type Values = ReturnType<typeof parsed>["values"];

function parsed(args: readonly string[]) {
  return orUsage(usage, () =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        company: { type: "string" },
        weight: { type: "string" },
        start: { type: "string" },
        ratio: { type: "string" },
        period: { type: "string" },
        password: { type: "string" },
        encryption: { type: "string" },
        authentication: { type: "string" },
        forget: { type: "string", multiple: true, default: [] },
      },
    }),
  );
}

/** Options by the field that they set. */
const optionOf: ReadonlyMap<string, string> = new Map([
  ["impulse_weight", "--weight"],
  ["starting_value", "--start"],
  ["transformation_ratio", "--ratio"],
  ["report_period_update", "--period"],
  ["password", "--password"],
  ["keys.encryption", "--encryption"],
  ["keys.authentication", "--authentication"],
]);

function numberOf(values: Values, name: "company" | "weight" | "start" | "ratio" | "period") {
  const typed = values[name];
  if (typed === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(typed)) throw new UsageError(`--${name} is to be a number`);
  return Number(typed);
}

/** Errors: UsageError that names the argument, also for a setting that no model supports. */
async function wantedBy(values: Values, read: ReadSecret): Promise<DeviceSettings> {
  const { password, ...keys } = await secretsIn(values, read);
  const checked = DeviceSettings.safeParse(
    withoutUndefined({
      impulse_weight: numberOf(values, "weight"),
      starting_value: numberOf(values, "start"),
      transformation_ratio: numberOf(values, "ratio"),
      report_period_update: numberOf(values, "period"),
      password,
      keys: Object.keys(keys).length > 0 ? keys : undefined,
    }),
  );
  if (!checked.success) throw refusal(checked.error.issues.map(({ path }) => path.join(".")));
  return withForgotten(checked.data, values.forget);
}

/** Without absent options. */
const withoutUndefined = (all: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

type Secrets = Partial<Record<SecretKind, string>>;

async function secretsIn(values: Values, read: ReadSecret): Promise<Secrets> {
  const sources = secretKinds.map((kind) => values[kind]);
  if (sources.filter((source) => source === "-").length > 1)
    throw new UsageError("standard input holds one secret only");
  const secrets: Secrets = {};
  for (const kind of secretKinds) {
    const source = values[kind];
    if (source !== undefined) secrets[kind] = await secretFrom(kind, source, read);
  }
  return secrets;
}

async function secretFrom(kind: SecretKind, source: string, read: ReadSecret): Promise<string> {
  try {
    const secret = (await read(source)).replace(/\r?\n$/, "");
    if (secret !== "") return secret;
  } catch (cause) {
    throw new UsageError(`--${kind}: ${cause instanceof Error ? cause.message : "cannot be read"}`, {
      cause,
    });
  }
  throw new UsageError(`--${kind}: it is empty; --forget ${kind} removes a secret`);
}

/** An empty secret removes it. */
function withForgotten(given: DeviceSettings, names: readonly string[]): DeviceSettings {
  const unknown = names.find((name) => !secretKinds.some((kind) => kind === name));
  if (unknown !== undefined)
    throw new UsageError(`--forget ${unknown}: it is one of ${secretKinds.join(", ")}`);
  const empty = (kind: SecretKind) => (names.includes(kind) ? { [kind]: "" } : {});
  const keys = { ...given.keys, ...empty("encryption"), ...empty("authentication") };
  return { ...given, ...empty("password"), ...(Object.keys(keys).length > 0 ? { keys } : {}) };
}

const refusal = (fields: readonly string[]): UsageError =>
  new UsageError(fields.map((field) => `${optionOf.get(field) ?? field} cannot be used`).join("\n"));

function refuseWrong(faults: ReturnType<typeof wrongSettings>): void {
  const lines = Object.entries(faults).map(
    ([field, codes]) =>
      `${optionOf.get(field) ?? field}: ${codes.map((code) => fieldFaults[code].en).join(", ")}`,
  );
  if (lines.length > 0) throw new UsageError(lines.join("\n"));
}

/** Warning about a change of pulse counting. */
const noteOn = ({ impulse_weight, starting_value }: DeviceSettings): string =>
  impulse_weight === undefined && starting_value === undefined
    ? ""
    : `Weight and starting value count for what is received from now on: readings that are stored stay as they are. The call
device/codec/decode_again calculates them anew from the payloads that are kept, and keeps what it replaces.`;
