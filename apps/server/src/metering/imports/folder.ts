import { mkdir, open, readdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fieldFault, type FieldFault } from "@metrum/contract/core";
import { importBounds } from "@metrum/contract/metering";
import { languages, type CompanyId, type Language, type Text } from "@metrum/vocabulary";
import {
  audit,
  faultWords,
  hasCode,
  problemWords,
  runAlone,
  startRounds,
  type Services,
  type Stop,
} from "#core";
import { companyState } from "#access/companies";
import { mostErrors, type ImportError } from "./found.ts";
import { takeReadings, type ImportOutcome } from "./take.ts";

const scanMs = 5000;
/** Lock key: of all processes that see the folder one reads it. */
const folderLock = 7_301_019;

/** Reads files dropped into the folders of companies, each once. Does nothing if no folder is configured. */
export function startFolder(services: Services): Stop {
  const { config, log } = services;
  const { importDir } = config;
  if (importDir === undefined) return () => Promise.resolve();
  const seen = new Map<string, string>();
  return startRounds({
    everyMs: scanMs,
    round: () => importFolder(services, importDir, seen),
    onError: (error) => log.warn({ err: error }, "the import folder was not read, trying again"),
  }).stop;
}

/** One scan: files that have not changed since the previous scan are complete. */
export async function importFolder(
  services: Services,
  root: string,
  seen: Map<string, string>,
): Promise<void> {
  await runAlone(services, folderLock, async () => {
    const there = new Set<string>();
    for (const company of await namesIn(root)) {
      const companyId = Number(/^c(\d{1,9})$/.exec(company)?.[1]);
      if (!Number.isInteger(companyId)) continue;
      for (const name of await namesIn(join(root, company))) {
        if (!/^[^.].*\.(csv|json|xlsx|xls|ods)$/i.test(name)) continue;
        const path = join(root, company, name);
        there.add(path);
        const state = await stateOf(path);
        if (state !== undefined && seen.get(path) === state)
          await takeFile(services, { folder: join(root, company), name, companyId });
        else if (state !== undefined) seen.set(path, state);
      }
    }
    for (const path of seen.keys()) if (!there.has(path)) seen.delete(path);
  });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Size and time of a regular file; undefined for anything else, including links, which could lead out of the
 * folder.
 */
async function stateOf(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return `${String(size)}:${String(mtimeMs)}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

interface Dropped {
  readonly folder: string;
  readonly name: string;
  readonly companyId: number;
}

/**
 * Readings are stored before the move: after a kill between the two the file is read again, which changes
 * nothing. A refused file is moved together with a file containing the reason, and nothing of it is stored.
 */
async function takeFile(services: Services, { folder, name, companyId }: Dropped): Promise<void> {
  const outcome = await outcomeOf(services, join(folder, name), companyId);
  const target = join(folder, outcome.isTaken ? "done" : "failed");
  await mkdir(target, { recursive: true });
  const kept = `${new Date(services.clock.nowMs()).toISOString().replaceAll(/[:.]/g, "-")}_${name}`;
  if (!outcome.isTaken) await writeFile(join(target, `${kept}.txt`), reasonText(outcome.errors));
  await rename(join(folder, name), join(target, kept));
  const after = outcome.isTaken ? outcome : { errors: outcome.errors.length };
  await audit(services.database.system, {
    companyId,
    address: "",
    action: "readings.import",
    subject: `file ${name.slice(0, 200)}`,
    after,
    result: outcome.isTaken ? "ok" : "import_refused",
  });
}

async function outcomeOf(services: Services, path: string, companyId: number): Promise<ImportOutcome> {
  const company = await companyState(services.database.system, companyId as CompanyId);
  if (company?.is_active !== true) return refusedFile(fieldFault("company_off"));
  const bytes = await bytesOf(path);
  if (bytes === undefined) return refusedFile(fieldFault("not_a_file", { most: importBounds.fileBytes }));
  const owner = { scope: { companyId, onlyTiedDevices: false } } as const;
  return takeReadings(services, owner, await services.parts.importParser.parse(bytes, companyId));
}

const refusedFile = (fault: FieldFault): ImportOutcome => ({
  isTaken: false,
  errors: [{ place: "file", fault }],
});

/** Undefined if it is not a regular file or too large. Links are not followed. */
async function bytesOf(path: string): Promise<Uint8Array | undefined> {
  const { O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = (await import("node:fs")).constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (hasCode(error, "ELOOP")) return undefined;
    throw error;
  });
  try {
    const { size, isPlain } = await facts(file);
    if (!file || !isPlain || size > importBounds.fileBytes) return undefined;
    return await file.readFile();
  } finally {
    await file?.close();
  }
}

async function facts(file: Awaited<ReturnType<typeof open>> | undefined) {
  const found = await file?.stat();
  return { size: found?.size ?? 0, isPlain: found?.isFile() ?? false };
}

/** A folder has no language of its own: the reasons are in all. */
const reasonText = (errors: readonly ImportError[]): string =>
  languages
    .map((language) =>
      [
        problemWords("import_refused", language, { count: errors.length }),
        ...errors
          .slice(0, mostErrors)
          .map(({ place, fault }) => `${placeWords(place, language)}: ${faultWords(fault, language)}`),
        "",
      ].join("\n"),
    )
    .join("\n");

const places: Readonly<Record<string, Text>> = {
  file: { ru: "файл", en: "file", mn: "файл" },
  line: { ru: "строка", en: "line", mn: "мөр" },
  item: { ru: "элемент", en: "item", mn: "элемент" },
};

/** "line 12" in a language. */
function placeWords(place: string, language: Language): string {
  const [of = "", ...number] = place.split(" ");
  return [places[of]?.[language] ?? of, ...number].join(" ");
}

const isMissing = (error: unknown): boolean => hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR");
