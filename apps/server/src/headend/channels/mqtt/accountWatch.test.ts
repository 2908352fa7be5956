import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { issueMqttCredentials, mqttUsername } from "./accounts.ts";
import { watchAccounts } from "./accountWatch.ts";
import { mqttSecrets } from "./accountStore.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** Time limit against hanging, generous for a busy machine. */
const patience = { timeout: 20_000, interval: 10 };

test("clients of a switched-off company are disconnected, even without a notification", async () => {
  const { database } = api.services;
  const [first, second] = [api.companies.first, api.companies.second];
  await issueMqttCredentials(database, first);
  await issueMqttCredentials(database, second);
  const companies = [first, second];
  const secrets = await mqttSecrets(database, companies.map(mqttUsername));
  const closed: number[] = [];
  const admitted = companies.flatMap((companyId) => {
    const username = mqttUsername(companyId);
    const secretHash = secrets.get(username);
    return secretHash
      ? [{ account: { companyId, username, secretHash }, close: () => void closed.push(companyId) }]
      : [];
  });
  await sql`update company set is_active = false where id = ${first}`.execute(database.system);

  const stop = watchAccounts(api.services, { admitted: () => admitted }, 20);
  await vi.waitFor(() => expect(closed).toContain(first), patience);
  await stop();

  expect(admitted).toHaveLength(2);
  expect(closed).not.toContain(second);
});
