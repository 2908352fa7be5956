import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { quarantineMessages } from "./quarantineStore.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const now = Math.floor(Date.now() / 1000);
const system = () => api.services.database.system;

/** Messages one second apart, the oldest first. */
async function messagesOf(companyId: number, from: number, count: number): Promise<void> {
  const payload = new Uint8Array();
  await quarantineMessages(
    system(),
    Array.from({ length: count }, (_, n) => ({
      ...{ companyId, receivedAt: now + from + n, payload },
      ...{ topic: "t", reason: "unknown device" },
    })),
  );
}

async function keptOf(companyId: number): Promise<number[]> {
  const { rows } = await sql<{ received_at: number }>`
    select received_at from uplink_aside where company_id = ${companyId} order by received_at`.execute(
    system(),
  );
  return rows.map(({ received_at }) => received_at - now);
}

test("TRUST-008 the newest 1,000 messages of a company stay in quarantine, however many another one sends", async () => {
  const { first, second } = api.companies;
  await messagesOf(second, 0, 3);

  await messagesOf(first, 0, 1500);
  await messagesOf(first, 1500, 20);
  await messagesOf(second, 3, 1);

  const kept = await keptOf(first);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, 520, 1519]);
  expect(await keptOf(second)).toEqual([0, 1, 2, 3]);
});
