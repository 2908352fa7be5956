import { setTimeout as sleep } from "node:timers/promises";
import type { CompanyId, UserId } from "@metrum/vocabulary";
import { computeTotals } from "#accounting/accounting-points";
import { closeMonth, correctPeriod, preview, type Acting } from "#accounting/periods";
import { dayOf, dayText, remember, remembered, startOfDay, type Services } from "#core";
import type { SeededDevice } from "./catalogue.ts";
import { seedHistory } from "./history.ts";

/** Installation keys: the month, its period once it is closed, and that the correction is stored as well. */
const chosen = "demo.month";
const closed = "demo.month.period";
const corrected = "demo.month.corrected";

/** The meter whose readings of the end of the month came after the closing. */
export const lateMeter = "41200050";
const lateDays = 3;

/** The month before the last one, `2026-09`, for a history that is seeded now; stays the same once it was chosen. */
export async function chooseMonth({ database, clock }: Services, zone: string): Promise<string> {
  const known = await remembered<string>(database.system, chosen);
  if (known !== undefined) return known;
  const [year = 1970, month = 1] = dayText(dayOf(zone, clock.now())).split("-").map(Number);
  const text = new Date(Date.UTC(year, month - 3, 1)).toISOString().slice(0, 7);
  await remember(database.system, chosen, text);
  return text;
}

/** From three days before the end of a month to the end of the first day after it, in epoch seconds. */
export function lateSpan(month: string, zone: string): { readonly since: number; readonly until: number } {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  const next = Date.UTC(year, number, 1) / 86_400_000;
  return { since: startOfDay(zone, next - lateDays), until: startOfDay(zone, next + 1) };
}

interface Given {
  readonly companyId: CompanyId;
  readonly userId: UserId;
  readonly zone: string;
  /** The meter without its late readings. */
  readonly late: SeededDevice;
}

/**
 * Closes the month that was chosen as an engineer would once all its days are computed, takes in the readings that came
 * late, and stores the correction beside the first version. Idempotent; an interrupted run is completed by the next
 * one. `isStopped` ends the waiting.
 */
export async function closeDemoMonth(
  services: Services,
  given: Given,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const { system } = services.database;
  const { zone, late } = given;
  const month = await remembered<string>(system, chosen);
  // A demonstration of an earlier release has all its readings.
  if (month === undefined || (await remembered<true>(system, corrected))) return;
  const isComputed = () => computed(services, { ...given, month }, isStopped);
  if ((await remembered<number>(system, closed)) === undefined) {
    if (!(await isComputed())) return;
    await withEngineer(services, given, async (ctx) => {
      const { digest } = (await preview(ctx, { month })).preview;
      const { id } = await closeMonth(ctx, { month, digest, accepts_incomplete: true });
      await remember(ctx.db, closed, id);
    });
  }
  await seedHistory(services, [{ ...late, ...lateSpan(month, zone) }], zone);
  if (!(await isComputed())) return;
  await withEngineer(services, given, async (ctx) => {
    const { digest } = (await preview(ctx, { month })).preview;
    const id = (await remembered<number>(ctx.db, closed)) ?? 0;
    await correctPeriod(ctx, { id, digest, reason: `Archive of ${late.planned.name} was read on site` });
    await remember(ctx.db, corrected, true);
  });
}

const pauseMs = 500;

/** Takes part in the computing until no day of the month is due; false: stopped before. */
async function computed(
  services: Services,
  given: Given & { readonly month: string },
  isStopped: () => boolean,
): Promise<boolean> {
  while (!isStopped()) {
    const taken = await computeTotals(services);
    const { preview: seen } = await withEngineer(services, given, (ctx) => preview(ctx, given));
    if (seen.recomputing === 0) return true;
    if (taken === 0) await sleep(pauseMs);
  }
  return false;
}

const none = { create: [], read: [], update: [], delete: [], access_all: [] };

/** One transaction of the engineer of the demonstration. */
function withEngineer<Result>(
  { database, clock }: Services,
  { companyId, userId, zone }: Given,
  run: (ctx: Acting) => Promise<Result>,
): Promise<Result> {
  const scope = {
    ...{ companyId, userId, companyPath: String(companyId), timeZone: zone, onlyTiedDevices: false },
    access: { is_admin: true, is_platform: false, rules: none },
  };
  const session = { impersonatorId: undefined, apiToken: undefined };
  return database.system
    .transaction()
    .execute((db) => run({ db, database, clock, scope, session, address: "" }));
}
