import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "#core";
import { registrationLetters } from "#access/registration";
import { accountLetters } from "#access/users";
import { openTestApi, type TestApi } from "#testing/api";
import { hasHadEnough, isInvitedEnough, lettersPerDay, lettersPerHour, sendLetter } from "./letters.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const [, , reset] = registrationLetters;
const [, invitation] = accountLetters;
/** Of an hour: invitations to one address, and of one company. */
const invitations = { toAddress: 2, ofCompany: 60 };
const hourMs = 3_600_000;
const recipients = ["one@letters.example", "other@letters.example"] as const;
const companies = ["first", "second"] as const;

const row = fc.record({
  company: fc.constantFrom(...companies),
  to: fc.constantFrom(...recipients),
  kind: fc.constantFrom("invitation", "reset"),
  // The bounds are those of the transaction, in which no time passes.
  ageMs: fc.constantFrom(0, hourMs - 1, hourMs, hourMs + 1, 24 * hourMs - 1, 24 * hourMs),
  count: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(1, 2, lettersPerHour - 1) },
    { weight: 1, arbitrary: fc.constantFrom(invitations.ofCompany - 1, lettersPerDay - 1, lettersPerDay) },
  ),
});
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

class Undone extends Error {}

/** Runs in a transaction that leaves nothing. */
async function undone(run: (db: Db) => Promise<void>): Promise<void> {
  const ended = api.services.database.system.transaction().execute(async (db) => {
    await run(db);
    throw new Undone();
  });
  await ended.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}

async function isParked(db: Db, companyId: Parameters<typeof sendLetter>[1]["companyId"]): Promise<boolean> {
  const params = { link: "https://example.org" };
  const to = "new@letters.example";
  await sendLetter(db, { companyId, to, language: "en", kind: reset, params });
  const { rows } = await sql<{ state: string }>`select state from letter where recipient = ${to}`.execute(db);
  return rows[0]?.state === "parked";
}

test("letters to an address and of a company are limited as by a plain counter of their hour and day", async () => {
  const sum = (rows: readonly Row[]): number => rows.reduce((all, { count }) => all + count, 0);
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 5 }),
      fc.constantFrom(...companies),
      async (given, company) => {
        const companyId = api.companies[company];
        const [to] = recipients;
        await undone(async (db) => {
          await sql`delete from letter`.execute(db);
          for (const each of given)
            await sql`
            insert into letter (company_id, recipient, language, kind, params, created_at)
            select ${api.companies[each.company]}, ${each.to}, 'en', ${each.kind}, '{}',
              now() - ${each.ageMs} * interval '1 millisecond'
            from generate_series(1, ${each.count}::int)`.execute(db);
          const ofHour = given.filter(({ ageMs }) => ageMs < hourMs);
          const toAddress = (kind: string): number =>
            sum(ofHour.filter((each) => each.to === to && each.kind === kind));
          const ofCompany = ofHour.filter((each) => each.company === company && each.kind === "invitation");
          const ofDay = given.filter((each) => each.company === company && each.ageMs < 24 * hourMs);
          const seen = [
            await hasHadEnough(db, to, reset),
            await isInvitedEnough(db, { to, companyId, kind: invitation }),
            await isParked(db, companyId),
          ];

          expect(seen).toEqual([
            toAddress("reset") >= lettersPerHour,
            toAddress("invitation") >= invitations.toAddress || sum(ofCompany) >= invitations.ofCompany,
            sum(ofDay) >= lettersPerDay,
          ]);
        });
      },
    ),
    { numRuns: 80 },
  );
});
