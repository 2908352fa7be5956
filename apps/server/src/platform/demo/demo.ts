import { demoPlan, type Plan } from "@metrum/simulator";
import type { CompanyId } from "@metrum/vocabulary";
import { offsetSec, remember, remembered, runAlone, runInTurn, type Services, type Stop } from "#core";
import { companyPrefix, parkCredentials } from "#headend/channels";
import { accountOf, seedAccounts } from "#access/users";
import { notePorts } from "#metering/gateways";
import { replacementOf, seedAccounting, type Replaced } from "./accounting.ts";
import { seedCatalogue, seedKeys, type SeededDevice } from "./catalogue.ts";
import { seedCity } from "./city.ts";
import { seedGroups } from "./groups.ts";
import { chooseMonth, closeDemoMonth, lateMeter, lateSpan } from "./closedMonth.ts";
import { seedHistory, type Measured } from "./history.ts";
import { startPark, type ParkOrder, type ParkProcess } from "./park.ts";
import { knownParks } from "./parkStore.ts";
import { seedAttributes, seedPutAway } from "./putAway.ts";
import { seedQuiet } from "./quiet.ts";
import { seedStrangers } from "./strangers.ts";
import { noteSimulated } from "./simulated.ts";
import { devicesByNumber } from "./store.ts";

/** Zone of the first client company. */
const zone = "Asia/Ulaanbaatar";
const historyDone = "demo.history";
const accountingDone = "demo.accounting";
/** Lock key shared by all processes, so that only one of them creates the demonstration. */
const demoLock = 7_301_004;
const closingLock = 7_301_005;

/**
 * Creates the demonstration: accounts, and for the first client company the meters of the simulated park with
 * their history. Idempotent, one process at a time; an interrupted run is completed by the next start.
 * Returns the company of the meters.
 */
export function seedDemo(services: Services): Promise<CompanyId> {
  return runInTurn(services, demoLock, () => seedAlone(services));
}

async function seedAlone(services: Services): Promise<CompanyId> {
  const { database, clock, log } = services;
  const { first } = await seedAccounts(services);
  if (await remembered<true>(database.system, accountingDone)) return first;
  const devices = await existingOrNew(services, first, demoPlan());
  const known = await devicesByNumber(database.system, first);
  const replaced = replacementOf(devices, known, { now: clock.now(), zone });
  const month = await chooseMonth(services, zone);
  if (!(await remembered<true>(database.system, historyDone))) {
    await noteSimulated(
      database.system,
      devices.map(({ id }) => id),
    );
    const started = clock.monotonicMs();
    const readings = await seedHistory(services, measuredOf(devices, replaced, month), zone);
    await remember(database.system, historyDone, true);
    const seconds = Math.round((clock.monotonicMs() - started) / 100) / 10;
    log.info({ devices: devices.length, readings, seconds }, "the demonstration has its history");
  }
  await account(services, { companyId: first, devices, replaced });
  return first;
}

/**
 * The old meter has readings until it was removed, the new one since its installation; those of one meter at the end of
 * the closed month come later.
 */
function measuredOf(
  devices: readonly SeededDevice[],
  replaced: Replaced | undefined,
  month: string,
): (SeededDevice & Measured)[] {
  const measured = devices.map((device): SeededDevice & Measured =>
    device.planned.deviceID === lateMeter
      ? { ...device, without: lateSpan(month, zone) }
      : device.id === replaced?.by
        ? { ...device, since: replaced.installedAt }
        : device,
  );
  return replaced ? [...measured, { ...replaced.old, until: replaced.removedAt }] : measured;
}

/** Closes a month of the demonstration once its days are computed, without keeping anybody waiting. */
export function startClosing(services: Services, companyId: CompanyId): Stop {
  let isStopped = false;
  const closing = closeMonthOf(services, companyId, () => isStopped).catch((err: unknown) => {
    services.log.warn({ err }, "the month of the demonstration was not closed");
  });
  return async () => {
    isStopped = true;
    await closing;
  };
}

/** The same at once. */
export async function closeMonthOf(
  services: Services,
  companyId: CompanyId,
  isStopped?: () => boolean,
): Promise<void> {
  const { system } = services.database;
  const engineer = await accountOf(system, "engineer@metrum.example");
  const id = (await devicesByNumber(system, companyId)).get(lateMeter);
  const planned = demoPlan().devices.find(({ deviceID }) => deviceID === lateMeter);
  if (!engineer || id === undefined || !planned) return;
  const late = { id, planned };
  await runAlone(services, closingLock, () =>
    closeDemoMonth(services, { companyId, userId: engineer.id, zone, late }, isStopped),
  );
}

/** Points, consumers and suppliers, in one transaction with the note that they exist. */
async function account(
  { database, clock }: Services,
  given: {
    readonly companyId: CompanyId;
    readonly devices: readonly SeededDevice[];
    readonly replaced: Replaced | undefined;
  },
): Promise<void> {
  const { companyId, ...seeded } = given;
  await database.system.transaction().execute(async (db) => {
    const engineer = await accountOf(db, "engineer@metrum.example");
    if (!engineer) throw new Error("the demonstration has no engineer");
    const scope = { companyId, userId: engineer.id, timeZone: zone };
    await seedAccounting({ db, scope, now: clock.now(), ...seeded });
    await remember(db, accountingDone, true);
  });
}

/** Starts the simulated meters with their own account at the broker; only they get its password. */
export async function startDemoPark(services: Services, companyId: CompanyId): Promise<ParkProcess> {
  const { config, database, clock } = services;
  const { username, password } = await parkCredentials(services, companyId);
  const url = config.mqttUrl ?? `mqtt://${config.deviceHost}:${String(config.mqttPort)}`;
  // Topics of a company begin with its prefix; the park adds the slash itself.
  const prefix = companyPrefix(companyId).replace(/\/$/, "");
  const order: ParkOrder = {
    host: config.deviceHost,
    modemPort: config.modemPorts.find(({ profile }) => profile === "imei")?.port ?? 0,
    utcOffsetSec: offsetSec(zone, clock.now()),
    mqtt: { url, username, password, prefix },
  };
  return startPark(services, order, async ({ park, converters }) => {
    const known = park === undefined ? [] : await knownParks(database.system);
    const owner = park === undefined ? companyId : known.find(({ id }) => id === park)?.companyId;
    if (owner !== undefined) await notePorts(database.system, owner, config.deviceHost, converters);
  });
}

async function existingOrNew(
  { database, config, secretBox, clock }: Services,
  companyId: CompanyId,
  plan: Plan,
): Promise<SeededDevice[]> {
  return database.system.transaction().execute(async (db) => {
    const ids = await devicesByNumber(db, companyId);
    if (ids.size === 0) {
      const seeded = await seedCatalogue(db, companyId, plan, config.deviceHost);
      await seedKeys({ db, secretBox }, seeded);
      const unreachable = await seedQuiet({ db, secretBox, companyId, now: clock.now() });
      await seedStrangers(db, { companyId, now: clock.now() });
      await seedAttributes(db, companyId, seeded);
      await seedPutAway(db, companyId, clock.now());
      const engineer = await accountOf(db, "engineer@metrum.example");
      if (!engineer) throw new Error("the demonstration has no engineer");
      await seedCity(db, companyId, seeded, unreachable);
      await seedGroups({ db, companyId, userId: engineer.id, now: clock.now() }, seeded, unreachable);
      return seeded;
    }
    return plan.devices.flatMap((planned) => {
      const id = ids.get(planned.deviceID);
      return id === undefined ? [] : [{ id, planned }];
    });
  });
}
