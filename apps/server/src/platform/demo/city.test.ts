import { objects } from "@metrum/contract/accounting";
import { demoPlan } from "@metrum/simulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { seedCatalogue } from "./catalogue.ts";
import { seedCity } from "./city.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

test("the demonstration has a city of districts and houses at which all its devices stand", async () => {
  const { database, config } = api.services;
  const companyId = api.companies.first;
  const made = await database.system.transaction().execute(async (db) => {
    const devices = await seedCatalogue(db, companyId, demoPlan(), config.deviceHost);
    await seedCity(db, companyId, devices, []);
    return devices.length;
  });

  const token = await api.token("engineer@metrum.example");
  const { tree } = (await api.ask(objects.tree, { token })).data;

  const [city] = tree;
  expect([city?.name, city?.childs_count]).toEqual(["Darkhan", 4]);
  expect(city?.childs_devices_info.devices).toBe(made);
  expect(made).toBeGreaterThan(200);
  const houses = tree.filter(({ type }) => type === "house");
  expect(houses.length).toBeGreaterThan(20);
  expect(houses.every(({ address }) => address?.coordinates?.length === 2)).toBe(true);
});
