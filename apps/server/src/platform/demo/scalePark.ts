import { mixedPlan, type MixedOptions } from "@metrum/simulator";
import type { CompanyId } from "@metrum/vocabulary";
import type { Services } from "#core";
import { removeWithTraces, tablesOfDevices } from "#metering/devices";
import { removeGateways } from "#metering/gateways";
import { seedCatalogue, seedKeys } from "./catalogue.ts";
import { forgetSimulated, noteSimulated } from "./simulated.ts";
import { devicesByNumber } from "./store.ts";

/** Devices deleted per transaction. */
const removedAtOnce = 500;

/**
 * Registers the devices of a large simulated park in a company; existing ones are left alone. A licence does
 * not count them. Returns how many were added. Errors: RangeError as `mixedPlan`.
 */
export async function registerScalePark(
  { database, config, secretBox }: Services,
  companyId: CompanyId,
  options: MixedOptions,
): Promise<number> {
  const plan = mixedPlan(options);
  return database.system.transaction().execute(async (db) => {
    const known = await devicesByNumber(db, companyId);
    if (plan.devices.some(({ deviceID }) => known.has(deviceID))) return 0;
    const seeded = await seedCatalogue(db, companyId, plan, config.deviceHost);
    await seedKeys({ db, secretBox }, seeded);
    await noteSimulated(
      db,
      seeded.map(({ id }) => id),
    );
    return seeded.length;
  });
}

/** Deletes the devices of a park with their readings and gateways. Returns their number. */
export async function removeScalePark(
  { database }: Services,
  companyId: CompanyId,
  options: MixedOptions,
): Promise<number> {
  const { system } = database;
  const plan = mixedPlan(options);
  const known = await devicesByNumber(system, companyId);
  const ids = plan.devices.flatMap(({ deviceID }) => known.get(deviceID) ?? []);
  const tables = await tablesOfDevices(system);
  for (let at = 0; at < ids.length; at += removedAtOnce) {
    const some = ids.slice(at, at + removedAtOnce);
    await system.transaction().execute(async (db) => {
      await removeWithTraces(db, some, tables);
      await forgetSimulated(db, some);
    });
  }
  const numbers = plan.gateways.map(({ deviceID }) => deviceID);
  await system.transaction().execute((db) => removeGateways(db, companyId, numbers));
  return ids.length;
}
