import { statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "@metrum/vocabulary";
import { openDatabase, secretsKeyFile } from "#core";
import { accountOf } from "#access/users";
import { openTestApi, type TestApi } from "#testing/api";
import { codeOf } from "#testing/access/secondFactor";
import {
  beginTwoFactor,
  confirmPending,
  disableTwoFactor,
  enableTwoFactor,
  hasTwoFactor,
  recoveryLeft,
  spendCode,
} from "./index.ts";

const email = "engineer@metrum.example";
/** The middle of a step of 30 s, so that a test does not cross its edge. */
let nowSec = 0;
let api: TestApi;
let userId: UserId;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => nowSec, nowMs: () => nowSec * 1000 } });
  const account = await accountOf(api.services.database.system, email);
  if (!account) throw new Error("no account");
  userId = account.id;
});
beforeEach(async () => {
  nowSec = Math.floor(Date.now() / 30_000) * 30 + 15;
  await disableTwoFactor(system(), userId);
});
afterAll(() => api.close());

const system = () => api.services.database.system;
const spend = (code: string, services = api.services) => spendCode(services, userId, code);

/** Sets up the second factor with the code of two steps ago, so that the present one is unused. */
async function setUp(): Promise<{ secret: string; recovery: string[] }> {
  const offered = await beginTwoFactor(api.services, { id: userId, email });
  const secret = offered?.secret ?? "";
  nowSec -= 60;
  const confirmed = await confirmPending(api.services, userId, codeOf(secret, api));
  nowSec += 60;
  const recovery = confirmed && (await enableTwoFactor(api.services, system(), { userId, confirmed }));
  return { secret, recovery: recovery ?? [] };
}

test("TFA-001 a pending secret requires no code and can be replaced; an enabled one is kept", async () => {
  const first = await beginTwoFactor(api.services, { id: userId, email });
  const second = await beginTwoFactor(api.services, { id: userId, email });

  expect(first?.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(second?.secret).not.toBe(first?.secret);
  expect(await hasTwoFactor(system(), userId)).toBe(false);
  expect(await spend(codeOf(second?.secret ?? "", api))).toBe("wrong");
  expect(await confirmPending(api.services, userId, codeOf(first?.secret ?? "", api))).toBeUndefined();

  await setUp();

  expect(await beginTwoFactor(api.services, { id: userId, email })).toBeUndefined();
});

test("TFA-007 a code is accepted one step early or late and no further, and never at or before a used step", async () => {
  const { secret } = await setUp();
  const spendAt = async (steps: number) => {
    await sql`update two_factor set last_step = 0 where user_id = ${userId}`.execute(system());
    return spend(codeOf(secret, api, steps));
  };

  expect(await Promise.all([-2, 2].map(spendAt))).toEqual(["wrong", "wrong"]);
  expect([await spendAt(-1), await spendAt(0), await spendAt(1)]).toEqual(["ok", "ok", "ok"]);
  // The next step is already used: neither it nor an earlier one is accepted.
  expect([
    await spend(codeOf(secret, api, 1)),
    await spend(codeOf(secret, api)),
    await spend(codeOf(secret, api, -1)),
  ]).toEqual(["wrong", "wrong", "wrong"]);
});

test("TFA-007 of 20 concurrent uses of one code in two processes one is accepted", async () => {
  const { secret, recovery } = await setUp();
  // Another process has its own connections to the same database.
  const other = { ...api.services, database: openDatabase({ ...api.database.connection, max: 6 }) };
  const tries = (code: string) =>
    Promise.all(Array.from({ length: 20 }, (_, at) => spend(code, at % 2 === 0 ? api.services : other)));

  const [codes, recoveries] = [await tries(codeOf(secret, api)), await tries(recovery[3] ?? "")];

  await other.database.close();
  expect(codes.filter((each) => each === "ok")).toHaveLength(1);
  expect(recoveries.filter((each) => each === "ok")).toHaveLength(1);
});

test("TFA-007 ten recovery codes, each accepted once, in any spelling", async () => {
  const { recovery } = await setUp();
  const [first = "", second = ""] = recovery;

  expect(new Set(recovery).size).toBe(10);
  expect(first).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/);
  expect(await spend(first)).toBe("ok");
  expect(await spend(first)).toBe("wrong");
  expect(await spend(` ${second.toUpperCase().replace("-", " ")} `)).toBe("ok");
  expect(await recoveryLeft(system(), userId)).toBe(8);
  expect(await spend("zzzzz-zzzzz")).toBe("wrong");
});

test("of two concurrent requests to enable it one succeeds, with one secret", async () => {
  const offered = await beginTwoFactor(api.services, { id: userId, email });
  const confirmed = await confirmPending(api.services, userId, codeOf(offered?.secret ?? "", api));
  if (!confirmed) throw new Error("not confirmed");

  const results = await Promise.all(
    [1, 2, 3].map(() =>
      system()
        .transaction()
        .execute((db) => enableTwoFactor(api.services, db, { userId, confirmed })),
    ),
  );

  expect(results.filter((codes) => codes !== undefined)).toHaveLength(1);
  expect(await recoveryLeft(system(), userId)).toBe(10);
  expect(await spend(codeOf(offered?.secret ?? "", api))).toBe("wrong");
});

test("neither the secret nor a recovery code is stored in plain text, and the API's role cannot read the tables", async () => {
  const { secret, recovery } = await setUp();
  const { rows } = await sql<{ row: string }>`
    select encode(secret, 'escape') || encode(secret, 'hex') as row from two_factor
    union all select encode(code_hash, 'escape') from two_factor_recovery
  `.execute(system());
  const text = rows.map(({ row }) => row).join();
  const session = await api.services.database.system
    .selectFrom("company")
    .selectAll()
    .executeTakeFirstOrThrow();
  const scope = {
    companyId: session.id,
    companyPath: session.path,
    userId,
    access: {
      is_admin: true,
      is_platform: true,
      rules: { create: [], read: [], update: [], delete: [], access_all: [] },
    },
    onlyTiedDevices: false,
    timeZone: "Etc/UTC",
  };

  for (const each of [secret, ...recovery, ...recovery.map((code) => code.replace("-", ""))])
    expect(text).not.toContain(each);
  expect(statSync(join(api.services.config.dataDir, secretsKeyFile)).mode & 0o777).toBe(0o600);
  for (const table of ["two_factor", "two_factor_recovery"])
    await expect(
      api.services.database.scoped(scope, (db) => sql`select * from ${sql.table(table)}`.execute(db)),
    ).rejects.toMatchObject({ code: "42501" });
});
