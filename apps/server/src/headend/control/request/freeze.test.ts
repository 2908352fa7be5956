import { control } from "@metrum/contract/headend";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { offerActuator, registerActuator } from "#testing/actuator";
import { openTestApi, type TestApi } from "#testing/api";
import { impatientClock } from "#testing/clock";
import { headOf } from "../openStore.ts";
import { take } from "../execution/take.ts";

let api: TestApi;
let token: string;
let staff: string;
let withdraw: () => void;

beforeAll(async () => {
  withdraw = offerActuator();
  api = await openTestApi({ clock: impatientClock() });
  token = await api.token("engineer@metrum.example");
  staff = await api.token("admin@metrum.example");
});
afterAll(async () => {
  withdraw();
  await api.close();
});

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

test("CTRL-109 only staff of the provider freezes", async () => {
  const { status } = await api.ask(control.freeze, { token, input: { body: { is_frozen: true } } });

  expect(status).toBe(403);
});

describe.each(["first", "second"] as const)(
  "CTRL-109 a freeze with the number of the %s company",
  (numbered) => {
    test.each(["first", "second"] as const)("is one of the %s and of no other", async (frozen) => {
      const { services, companies } = api;
      const system = services.database.system;
      const id = await registerActuator(api, { port: 9 });
      await api.ask(control.device, { token, input: { body: { id, management: { power: 0 } } } });
      const waiting = await headOf(system, id, services.clock.now());
      if (!waiting) throw new Error("nothing waits");
      await sql`delete from control_freeze`.execute(system);
      await sql`select setval(pg_get_serial_sequence('control_freeze', 'id'), ${companies[numbered]}::bigint, false)`.execute(
        system,
      );

      await freeze(true, companies[frozen]);
      const isTaken = await take(services, waiting, 999_999);
      await freeze(false, companies[frozen]);

      expect(isTaken).toBe(frozen === "second");
    });
  },
);
