import { demoPlan, type PlannedDevice } from "@metrum/simulator";
import type { UserId } from "@metrum/vocabulary";
import { accountOf } from "#access/users";
import { seedAccounting } from "../platform/demo/accounting.ts";
import { seedCatalogue, type SeededDevice } from "../platform/demo/catalogue.ts";
import { seedCity } from "../platform/demo/city.ts";
import { seedHistory, type Measured } from "../platform/demo/history.ts";
import type { TestApi } from "./api.ts";

export const demoZone = "Asia/Ulaanbaatar";

export interface DemoPart {
  readonly devices: readonly SeededDevice[];
  readonly userId: UserId;
}

/** Some devices of the demonstration in the first company: their places, history and points. */
export async function seedDemoPart(
  api: TestApi,
  isWanted: (device: PlannedDevice) => boolean,
  measured: (device: SeededDevice) => SeededDevice & Measured = (device) => device,
): Promise<DemoPart> {
  const { database, config, clock } = api.services;
  const companyId = api.companies.first;
  const plan = demoPlan();
  const devices = await database.system.transaction().execute(async (db) => {
    const wanted = { ...plan, devices: plan.devices.filter(isWanted) };
    const all = await seedCatalogue(db, companyId, wanted, config.deviceHost);
    await seedCity(db, companyId, all, []);
    return all;
  });
  await seedHistory(api.services, devices.map(measured), demoZone);
  const engineer = await accountOf(database.system, "engineer@metrum.example");
  if (!engineer) throw new Error("there is no engineer");
  const scope = { companyId, userId: engineer.id, timeZone: demoZone };
  await database.system
    .transaction()
    .execute((db) => seedAccounting({ db, scope, devices, now: clock.now(), replaced: undefined }));
  return { devices, userId: engineer.id };
}
