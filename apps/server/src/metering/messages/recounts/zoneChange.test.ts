import { afterAll, beforeAll, expect, test } from "vitest";
import { companies } from "@metrum/contract/access";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

test("TRUST-007 changing the zone of a company marks its devices that have none of their own", async () => {
  const { pool } = api.services.database;
  const token = await api.signIn("engineer@metrum.example");
  const [own, follows] = [await addMeter(api), await addMeter(api)];
  await pool.query("update device set timezone = null where id = $1", [follows]);
  await pool.query("delete from zone_due");

  const body = { timezone_name: "Europe/Berlin" };
  const answer = await api.ask(companies.update, { token, input: { body } });

  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const { rows } = await pool.query<{ device_id: number }>("select device_id from zone_due");
  const marked = rows.map((row) => row.device_id);
  expect([marked.includes(follows), marked.includes(own)]).toEqual([true, false]);
});
