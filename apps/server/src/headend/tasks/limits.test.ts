import { taskLimits } from "@metrum/contract/headend";
import type { UserId } from "@metrum/vocabulary";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { refuseTooMany } from "./requests.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const daySec = 86_400;
/** Clocks of processes differ by less: a task from further ahead does not count. */
const aheadSec = 600;
const now = 1_795_000_000;

const nothing = { read: [], create: [], update: [], delete: [], access_all: [] };
const whole: Omit<Scope, "companyId"> = {
  userId: 1 as UserId,
  companyPath: "",
  access: { is_admin: false, is_platform: false, rules: nothing },
  onlyTiedDevices: false,
  timeZone: "UTC",
};

const row = fc.record({
  company: fc.constantFrom("first", "second"),
  ageSec: fc.constantFrom(0, 1, daySec - 1, daySec, daySec + 1, -aheadSec, -aheadSec - 1),
  tasks: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(1, 2) },
    { weight: 1, arbitrary: fc.constantFrom(taskLimits.tasks - 1, taskLimits.tasks) },
  ),
  devices: fc.constantFrom(0, 1, 400_000, taskLimits.devices - 1),
});
const wanted = fc.constantFrom(1, 2, 200_000, taskLimits.devices);

test("the requests of a company are those of a plain counter of its last day", async () => {
  const { system } = api.services.database;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 4 }), wanted, async (given, devices) => {
      await sql`delete from device_task`.execute(system);
      for (const { company, ageSec, tasks, devices: count } of given)
        await sql`
          insert into device_task (company_id, title, command_type, status_id, created_at, expires_at, device_count)
          select ${api.companies[company]}, 'Poll', 'poll', 4, ${now - ageSec}, ${now},
            case when n = 1 then ${count}::int else 0 end
          from generate_series(1, ${tasks}::int) as n`.execute(system);

      for (const company of ["first", "second"] as const) {
        const counted = given.filter(
          (each) => each.company === company && each.ageSec < daySec && each.ageSec >= -aheadSec,
        );
        const asked = counted.reduce(
          (all, each) => ({ tasks: all.tasks + each.tasks, devices: all.devices + each.devices }),
          { tasks: 0, devices: 0 },
        );
        const isRefused = asked.tasks >= taskLimits.tasks || asked.devices + devices > taskLimits.devices;
        const scope = { ...whole, companyId: api.companies[company] };
        const outcome = refuseTooMany(
          system,
          { scope, clock: { ...api.services.clock, now: () => now } },
          devices,
        );

        if (isRefused) await expect(outcome).rejects.toMatchObject({ code: "task_limit" });
        else await expect(outcome).resolves.toBeUndefined();
      }
    }),
    { numRuns: 40 },
  );
});
