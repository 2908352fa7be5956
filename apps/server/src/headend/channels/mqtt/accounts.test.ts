import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { accountOf, issueMqttCredentials, parkCredentials, type MqttCredentials } from "./accounts.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

test("users and simulated meters of a company have separate accounts; reissuing one leaves the other", async () => {
  const { database } = api.services;
  const company = api.companies.first;
  const opens = async ({ username, password }: Pick<MqttCredentials, "username" | "password">) =>
    (await accountOf(database, username, Buffer.from(password)))?.companyId === company;

  const before = await issueMqttCredentials(database, company);
  const meters = await parkCredentials(api.services, company);
  expect(await opens(before)).toBe(true);
  const after = await issueMqttCredentials(database, company);
  const metersAgain = await parkCredentials(api.services, company);
  const theirs = await parkCredentials(api.services, api.companies.second);

  expect([await opens(before), await opens(after), await opens(meters)]).toEqual([false, true, true]);
  expect(metersAgain).toEqual(meters);
  expect(theirs.password).not.toBe(meters.password);
});
