import { companyOf } from "#platform/demo";
import { pendingMigrations, type Services } from "#core";
import type { Config } from "#config";
import { servicesOn, withDatabase } from "../installation.ts";
import { recountAll, recountsOf, type Outcome } from "./recountAll.ts";
import { numberText, progressOn } from "./recountProgress.ts";
import { UsageError } from "../usage.ts";

export interface AllOptions {
  readonly companyId: number | undefined;
  readonly isRepair: boolean;
}

/** Recounts every stored number of the installation, or of a company; exit code 1 if anything is wrong. */
export function doctorAll(config: Config, options: AllOptions): Promise<number> {
  return withDatabase(config, async (database) => {
    const pending = await pendingMigrations(database.pool);
    if (pending.length > 0) {
      console.log("The schema is not up to date. Start the server, or run: npm run metrum -- migrate");
      return 1;
    }
    const services = servicesOn(config, database);
    const { companyId } = options;
    if (companyId !== undefined && (await companyOf(database.system, companyId)) === undefined)
      throw new UsageError(`--company: there is no company ${String(companyId)}`);
    return run(services, options);
  });
}

async function run(services: Services, { companyId, isRepair }: AllOptions): Promise<number> {
  const startMs = services.clock.monotonicMs();
  const progress = progressOn(process.stderr, services.clock);
  const say = (text: string): void => {
    progress.clear();
    console.log(text);
  };
  const outcome = await recountAll(services, {
    ...{ companyId, isRepair, recounts: recountsOf(services) },
    onDifference: ({ kind, id, at, stored, recounted }) =>
      say(`WRONG ${kind}, ${id}, ${at}: stored ${stored}; recounted ${recounted}`),
    onFailure: (of, error) => say(`WRONG ${of}: ${error instanceof Error ? error.message : String(error)}`),
    onProgress: progress.note,
  });
  const sec = (services.clock.monotonicMs() - startMs) / 1000;
  say(summaryOf(outcome, { isRepair, sec }));
  return outcome.differing + outcome.failed === 0 ? 0 : 1;
}

/** The result in words, a line each. */
export function summaryOf(
  { rows, differing, failed, notMarked, waiting }: Outcome,
  { isRepair, sec }: { readonly isRepair: boolean; readonly sec: number },
): string {
  const marked = differing - notMarked;
  const lines = [
    differing === 0 ? "Nothing differs." : `${numberText(differing)} differ.`,
    ...(failed > 0 ? [`${numberText(failed)} could not be recounted.`] : []),
    ...(isRepair && marked > 0
      ? [`${numberText(marked)} are marked: the workers of the running server compute them.`]
      : []),
    ...(isRepair && notMarked > 0
      ? [
          `${numberText(notMarked)} are versions that were billed and are never altered: restore them from a backup, or correct the period.`,
        ]
      : []),
    ...(!isRepair && differing > 0 ? ["With --repair they are marked to be computed again."] : []),
    ...(waiting > 0
      ? [`${numberText(waiting)} still wait to be computed and are not judged: run it again later.`]
      : []),
    `${numberText(rows)} rows in ${numberText(sec)} s, ${numberText(rows / Math.max(1, sec))} a second.`,
  ];
  return lines.join("\n");
}
