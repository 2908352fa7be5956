import { control, controlLimits, tasks } from "@metrum/contract/headend";
import type { CompanyId, UserId } from "@metrum/vocabulary";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  beginTwoFactor,
  confirmPending,
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
} from "#access/two-factor";
import { accountOf, demoPassword } from "#access/users";
import type { Scope } from "#core";
import { offerActuator, registerActuator } from "#testing/actuator";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { codeOf } from "#testing/access/secondFactor";
import { refuseTooFast } from "./request/guards.ts";

const engineer = "engineer@metrum.example";
const clock = movableClock();
let api: TestApi;
let token: string;
let withdraw: () => void;
let ids: number[];
beforeAll(async () => {
  withdraw = offerActuator();
  api = await openTestApi({ clock });
  token = await api.token(engineer);
  ids = [];
  for (let count = 0; count <= controlLimits.switchOffs; count += 1)
    ids.push(await registerActuator(api, { port: 9 }));
});
afterAll(async () => {
  withdraw();
  await api.close();
});

const system = () => api.services.database.system;

/** Codes of the engineer, whose second factor is on afterwards: an unused recovery code, and the secret of the others. */
async function secondFactor(): Promise<{ readonly secret: string; readonly recovery: string }> {
  const account = await accountOf(system(), engineer);
  if (!account) throw new Error("no engineer");
  await disableTwoFactor(system(), account.id);
  const offered = await beginTwoFactor(api.services, account);
  const confirmed = offered && (await confirmPending(api.services, account.id, codeOf(offered.secret, api)));
  if (!confirmed) throw new Error("no second factor");
  await enableTwoFactor(api.services, system(), { userId: account.id, confirmed });
  const [recovery = ""] = await renewRecoveryCodes(api.services, system(), account.id);
  return { secret: offered.secret, recovery };
}

/** Nothing of the requests before counts: an hour later, with no open command. */
async function forget(): Promise<void> {
  clock.ahead += 3600;
  await sql`delete from guess`.execute(system());
  await sql`update device_command set state = 'cancelled' where state = 'queued'`.execute(system());
}

const switchOff = (device_ids: readonly number[], proof: object) =>
  api.ask(tasks.create, {
    token,
    input: {
      body: {
        ...{
          command_type: "control",
          title: "Off",
          management: { power: 0 },
          device_count: device_ids.length,
        },
        ...proof,
        device_ids: [...device_ids],
      },
    },
  });

/** What a request brings, and whether the password and the code in it are right; undefined: it has none. */
const proofs = {
  nothing: [undefined, undefined],
  password: [true, undefined],
  "wrong password": [false, undefined],
  code: [undefined, true],
  "used code": [undefined, false],
  "wrong code": [undefined, false],
  "recovery code": [undefined, true],
  "used recovery code": [undefined, false],
  "password and wrong code": [true, false],
  "wrong password and code": [false, true],
} as const;
const cases = [false, true].flatMap((asksCode) =>
  [false, true].flatMap((isMany) => [false, true].map((hasFactor) => ({ asksCode, isMany, hasFactor }))),
);

/** The rule in short: a code where there is one to give, the password unless the company asks for the code. */
function outcomeOf(
  of: (typeof cases)[number],
  [password, code]: (typeof proofs)[keyof typeof proofs],
): string {
  const { asksCode, isMany, hasFactor } = of;
  if (!asksCode && !isMany) return "accepted";
  if (hasFactor && code !== undefined) return code ? "accepted" : "one_time_code_wrong";
  if (asksCode && hasFactor) return "control_proof";
  if (password === undefined) return "control_proof";
  return password ? "accepted" : "password_wrong";
}

test.each(cases)(
  "CTRL-104 every proof of a switching off is as good as its need: code asked $asksCode, many $isMany, second factor $hasFactor",
  async (of) => {
    await api.ask(control.setPolicy, { token, input: { body: { asks_second_factor: of.asksCode } } });
    const seen: Record<string, string> = {};
    for (const name of Object.keys(proofs)) {
      await forget();
      const { secret, recovery } = await secondFactor();
      clock.ahead += 60;
      const code = name.includes("recovery")
        ? recovery
        : name.includes("wrong code")
          ? "000000"
          : codeOf(secret, api);
      const account = await accountOf(system(), engineer);
      // Used by another request just before: the second one brings it again.
      if (name.startsWith("used")) {
        await api.ask(control.setPolicy, { token, input: { body: { asks_second_factor: true } } });
        const first = await switchOff(ids.slice(0, 1), { one_t_p: code });
        expect(first.status, first.text).toBe(200);
        await sql`delete from device_command`.execute(system());
        clock.ahead += 10;
        await api.ask(control.setPolicy, { token, input: { body: { asks_second_factor: of.asksCode } } });
      }
      if (!of.hasFactor && account) await disableTwoFactor(system(), account.id);
      const answer = await switchOff(of.isMany ? ids : ids.slice(0, 1), {
        ...(name.includes("password")
          ? { current_password: name.startsWith("wrong") ? "wrong" : demoPassword }
          : {}),
        ...(name.includes("code") ? { one_t_p: code } : {}),
      });
      seen[name] = answer.status === 200 ? "accepted" : answer.code;
    }

    expect(seen).toEqual(
      Object.fromEntries(Object.entries(proofs).map(([name, proof]) => [name, outcomeOf(of, proof)])),
    );
  },
);

const nothing = { read: [], create: [], update: [], delete: [], access_all: [] };
const whole = {
  companyPath: "",
  access: { is_admin: false, is_platform: false, rules: nothing },
  onlyTiedDevices: false,
  timeZone: "UTC",
};

test("the pace of a user and of a company is that of a plain counter of the last minute", async () => {
  const { rows: users } = await sql<{ id: UserId; company_id: CompanyId }>`
    select id, company_id from users where company_id in (${api.companies.first}, ${api.companies.second})
    order by company_id, id`.execute(system());
  const now = clock.now();
  const row = fc.record({
    user: fc.constantFrom(...users),
    ageSec: fc.constantFrom(0, 30, 59, 60, 61),
    actuates: fc.boolean(),
    count: fc.constantFrom(1, 9, controlLimits.perUser - 1, controlLimits.perUser),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (given) => {
      await sql`delete from device_command`.execute(system());
      for (const { user, ageSec, actuates, count } of given)
        await sql`
          insert into device_command (company_id, task_id, device_id, user_id, key, arguments, actuates, switches_off,
            state, created_at, expires_at, next_at)
          select ${user.company_id}, 1, n, ${user.id}, 'power', '{}', ${actuates}, false, 'done', ${now - ageSec}, ${now}, ${now}
          from generate_series(1, ${count}::int) as n`.execute(system());
      for (const user of users) {
        const scope: Scope = { ...whole, companyId: user.company_id, userId: user.id };
        const recent = given.filter(({ ageSec, actuates }) => actuates && ageSec < 60);
        const sum = (rows: typeof given): number => rows.reduce((all, { count }) => all + count, 0);
        const ofCompany = recent.filter((each) => each.user.company_id === user.company_id);
        const isRefused =
          sum(ofCompany) >= controlLimits.perCompany ||
          sum(ofCompany.filter((each) => each.user.id === user.id)) >= controlLimits.perUser;
        const asked = refuseTooFast(system(), {
          scope,
          clock: { ...clock, now: () => now },
        });

        if (isRefused) await expect(asked).rejects.toMatchObject({ code: "control_limit" });
        else await expect(asked).resolves.toBeUndefined();
      }
    }),
    { numRuns: 60 },
  );
});
