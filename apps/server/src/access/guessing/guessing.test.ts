import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { networkOf, openDatabase, type Database } from "#core";
import { openTestDatabase, type TestDatabase } from "#testing/database";
import { beginTry, clearFailures, countFailure, failuresOf, takeBack } from "./index.ts";
import { windowMs } from "./limits.ts";
import { removeOld } from "./store.ts";

const account = "engineer@metrum.example";
const address = "192.0.2.7";
const now = 1_795_000_000_000;

let test_: TestDatabase;
let database: Database;
beforeAll(async () => {
  test_ = await openTestDatabase();
  database = openDatabase({ ...test_.connection, max: 12 });
});
beforeEach(async () => {
  await database.system.deleteFrom("guess").execute();
});
afterAll(async () => {
  await database.close();
  await test_.drop();
});

const db = () => database.system;
/** One attempt a second, each from a different address by default. */
async function fail(times: number, who: { account?: string; address?: string } = {}): Promise<void> {
  for (let n = 0; n < times; n += 1)
    await countFailure(
      db(),
      {
        account: who.account ?? `${String(n)}@metrum.example`,
        address: who.address ?? `10.0.0.${String(n)}`,
      },
      now + n * 1000,
    );
}

describe("LOGIN-027 failures require the captcha and then lock the account", () => {
  test("an account needs a captcha after 3 failures from any address", async () => {
    await fail(2, { account });
    const two = await failuresOf(db(), { account, address }, now + 5000);
    await fail(1, { account });
    const three = await failuresOf(db(), { account, address }, now + 5000);

    expect([two.captchaNeeded, three.captchaNeeded]).toEqual([false, true]);
  });

  test("an address needs a captcha after 10 failures on any accounts", async () => {
    await fail(9, { address });
    const nine = await failuresOf(db(), { account, address }, now + 20_000);
    await fail(1, { address });
    const ten = await failuresOf(db(), { account, address }, now + 20_000);
    const elsewhere = await failuresOf(db(), { account, address: "192.0.2.8" }, now + 20_000);

    expect([nine.captchaNeeded, ten.captchaNeeded, elsewhere.captchaNeeded]).toEqual([false, true, false]);
    expect(ten.locked).toBe(false);
  });

  test("10 failures lock an account for 15 minutes from the last one, then the count starts over", async () => {
    await fail(10, { account });
    const last = now + 9000;

    const standings = await Promise.all(
      [last, last + windowMs - 1, last + windowMs].map((at) => failuresOf(db(), { account, address }, at)),
    );

    expect(standings.map(({ locked }) => locked)).toEqual([true, true, false]);
    expect(standings[2]).toEqual({ captchaNeeded: false, locked: false });
  });

  test("10 failures over more than 15 minutes do not lock it: the window slides", async () => {
    for (let n = 0; n < 10; n += 1) await countFailure(db(), { account, address }, now + n * 110_000);

    const { locked, captchaNeeded } = await failuresOf(db(), { account, address }, now + 9 * 110_000);

    expect([locked, captchaNeeded]).toEqual([false, true]);
  });

  test("5 wrong codes lock the account and require no captcha", async () => {
    const standings = [];
    for (let n = 0; n < 5; n += 1) {
      await countFailure(db(), { account, address }, now + n, "code");
      standings.push(await failuresOf(db(), { account, address }, now + n));
    }

    expect(standings.map(({ locked }) => locked)).toEqual([false, false, false, false, true]);
    expect(standings.some(({ captchaNeeded }) => captchaNeeded)).toBe(false);
  });

  test("signing in clears the failures of the account but not those of the address", async () => {
    await fail(10, { account, address });

    await clearFailures(db(), account);

    const own = await failuresOf(db(), { account, address: "192.0.2.9" }, now + 20_000);
    const there = await failuresOf(db(), { account, address }, now + 20_000);
    expect(own).toEqual({ captchaNeeded: false, locked: false });
    expect(there.captchaNeeded).toBe(true);
  });
});

test("a password reset by letter clears the count of wrong passwords but not of wrong codes", async () => {
  await fail(10, { account });
  for (let n = 0; n < 5; n += 1) await countFailure(db(), { account, address }, now + n, "code");

  await clearFailures(db(), account, ["account"]);

  const standing = await failuresOf(db(), { account, address: "192.0.2.9" }, now + 20_000);
  expect(standing).toEqual({ captchaNeeded: false, locked: true });
});

describe("concurrent attempts", () => {
  const tries = (count: number, hasCaptcha: boolean) =>
    Promise.all(
      Array.from({ length: count }, () => beginTry(db(), { account, address }, { nowMs: now, hasCaptcha })),
    );

  test("only 3 of 50 without a captcha are admitted", async () => {
    const begun = await tries(50, false);

    expect(begun.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(3);
  });

  test("only 10 of 50 with a captcha are admitted, and the account is locked", async () => {
    const begun = await tries(50, true);

    expect(begun.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(10);
    expect(await failuresOf(db(), { account, address }, now)).toEqual({ captchaNeeded: true, locked: true });
  });

  test("only 5 of 50 codes are checked", async () => {
    const begun = await Promise.all(
      Array.from({ length: 50 }, () =>
        beginTry(db(), { account, address }, { nowMs: now, hasCaptcha: true, secret: "code" }),
      ),
    );

    expect(begun.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(5);
  });

  test("a successful attempt is uncounted, the others stay", async () => {
    await fail(2, { account, address });
    const nowMs = now + 5000;
    const begun = await beginTry(db(), { account, address }, { nowMs, hasCaptcha: false });

    await takeBack(db(), { account, address }, { nowMs });

    expect(begun.isAdmitted).toBe(true);
    const again = await beginTry(db(), { account, address }, { nowMs, hasCaptcha: false });
    expect(again.isAdmitted).toBe(true);
    expect((await failuresOf(db(), { account, address }, nowMs)).captchaNeeded).toBe(true);
  });

  test("attempts on different accounts from one address do not deadlock", async () => {
    const begun = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        beginTry(
          db(),
          { account: `${String(n % 7)}@metrum.example`, address },
          { nowMs: now, hasCaptcha: true },
        ),
      ),
    );

    expect(begun.every(({ isAdmitted }) => isAdmitted)).toBe(true);
  });
});

test("text typed as an e-mail is not stored in the table", async () => {
  await countFailure(db(), { account: "my secret", address }, now);

  const rows = await database.pool.query<{ row: string }>(
    "select row_to_json(guess)::text as row from guess",
  );

  expect(rows.rows.length).toBeGreaterThan(0);
  expect(rows.rows.some(({ row }) => row.includes("secret") || row.includes(address))).toBe(false);
});

test("old failures are deleted, those that still count are kept", async () => {
  await countFailure(db(), { address: "192.0.2.1" }, now - 3 * windowMs);
  await countFailure(db(), { address: "192.0.2.2" }, now);

  await removeOld(db(), now - 2 * windowMs);

  expect(await db().selectFrom("guess").selectAll().execute()).toHaveLength(1);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("the address %s is counted as %s", (given, counted) => {
  expect(networkOf(given)).toBe(counted);
});
