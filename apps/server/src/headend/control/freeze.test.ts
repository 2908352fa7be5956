import { control } from "@metrum/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
let token: string;
let staff: string;

beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
  staff = await api.token("admin@metrum.example");
});
afterAll(() => api.close());

const freeze = (is_frozen: boolean, company_id?: number) =>
  api.ask(control.freeze, {
    token: staff,
    input: { body: { is_frozen, reason: "Accident", ...(company_id ? { company_id } : {}) } },
  });

test("CTRL-109 a freeze asks for a reason, is shown to staff with who and when, and stands in the logs of both companies", async () => {
  const company = api.companies.first;
  const body = { is_frozen: true, company_id: company };
  const unreasoned = await api.ask(control.freeze, {
    token: staff,
    input: { body: { ...body, reason: " " } },
  });
  await freeze(true, company);
  await freeze(true);

  const { data } = await api.ask(control.freezes, { token: staff });
  await freeze(false, company);
  await freeze(false);
  const released = await api.ask(control.freezes, { token: staff });
  const denied = await api.ask(control.freezes, { token });

  expect([unreasoned.status, Object.keys(unreasoned.attributes)]).toEqual([422, ["reason"]]);
  const shown = data.freezes.map(({ company_id, company_name, reason, since, user_name }) => [
    company_id,
    company_name !== null,
    reason,
    since > 0,
    user_name !== null,
  ]);
  expect(shown).toEqual([
    [null, false, "Accident", true, true],
    [company, true, "Accident", true, true],
  ]);
  expect([released.data.freezes, denied.status]).toEqual([[], 403]);
  const { rows } = await sql<{ company_id: number; after: unknown }>`
    select company_id, after from audit where action = 'control.freeze' and subject = ${`company ${String(company)}`}
    order by id desc limit 4`.execute(api.services.database.system);
  expect(rows.slice(2).map(({ after }) => after)).toEqual([
    { is_frozen: true, reason: "Accident" },
    { is_frozen: true, reason: "Accident" },
  ]);
  expect(new Set(rows.map(({ company_id }) => company_id)).size).toBe(2);
  expect(rows.map(({ company_id }) => company_id)).toContain(company);
});
