import { contract } from "@metrum/contract/calls";
import { expect, test } from "vitest";
import { systemClock } from "#core";
import { openTestApi, type TestApi } from "../api.ts";
import type { MovableClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { makeFixture } from "../records.ts";

/** In Ulaanbaatar the next day has begun. */
const now = Date.parse("2026-11-21T17:30:00Z");

/** It stands still, but for waits, which end at once. */
function standingClock(): MovableClock {
  const clock: MovableClock = {
    ahead: 0,
    skipsWaits: true,
    nowMs: () => now + clock.ahead * 1000,
    now: () => Math.floor(clock.nowMs() / 1000),
    monotonicMs: () => performance.now() + clock.ahead * 1000,
    after: (ms, run) =>
      systemClock.after(0, () => {
        clock.ahead += ms / 1000;
        run();
      }),
  };
  return clock;
}

interface Person {
  readonly timezone: string;
  readonly language: "en" | "mn";
}
const people: readonly Person[] = [
  { timezone: "Europe/Berlin", language: "en" },
  { timezone: "Asia/Ulaanbaatar", language: "mn" },
];

/** Makes the example of every call as users of one zone and language; the rows of all tables afterwards. */
async function storedBy({ timezone, language }: Person): Promise<ReadonlyMap<string, readonly string[]>> {
  const api = await openTestApi({ clock: standingClock() });
  try {
    const fixture = await makeFixture(api);
    await api.services.database.pool.query("update users set timezone = $1, language = $2", [
      timezone,
      language,
    ]);
    const sessions = new Map<string, string>();
    for (const call of contract.values()) {
      const { as = "engineer@metrum.example", build, input } = examples[call.id] ?? {};
      if (build === "server") continue;
      const token = call.auth === "none" ? undefined : (sessions.get(as) ?? (await api.token(as)));
      const answer = await api.ask(call, {
        language,
        input: (await input?.(fixture)) ?? {},
        ...(token === undefined ? {} : { token }),
      });
      if (token !== undefined && answer.code !== "not_signed_in") sessions.set(as, token);
      else sessions.delete(as);
    }
    // Receipts are written a second after their readings.
    await api.services.parts.readingStore.settle();
    return await rowsOf(api);
  } finally {
    await api.close();
  }
}

/** Tables of the users themselves, of letters to them, and of what is drawn by lot. */
const ofUsers = new Set(["users", "letter", "captcha"]);
/** The settings of who acted, and when marks for the workers were made. */
const ofActs = new Set(["acting", "marked_at", "again_at"]);

/** Names drawn by lot, and those that examples number in the order in which they are made in a process. */
const likeAll = (row: string): string =>
  row
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "<drawn>")
    .replaceAll(/Z-[\da-f]{8}\.csv/g, "Z-<drawn>.csv")
    .replaceAll(/\b(Group|Spare) \d+/gi, "$1 <number>");
/** The audit log shows the settings of users when they change. */
const likeAllUsers = (row: string): string =>
  row.replaceAll(/"language": "\w+"|"timezone": "(?:Europe\/Berlin|Asia\/Ulaanbaatar)"/g, "<own setting>");

async function rowsOf({ services: { database } }: TestApi): Promise<Map<string, readonly string[]>> {
  const { rows: columns } = await database.pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.atttypid not in ('timestamptz'::regtype, 'bytea'::regtype, 'uuid'::regtype)
      group by c.relname`,
  );
  const found = new Map<string, readonly string[]>();
  for (const { name, columns: all } of columns) {
    if (ofUsers.has(name)) continue;
    const shown = all.filter((each) => !ofActs.has(each)).map((each) => `"${each}"`);
    const { rows } = await database.pool.query<{ row: string }>(
      `select to_jsonb(t)::text as row from (select ${shown.join(", ")} from "${name}") t`,
    );
    const alike = rows.map(({ row }) => likeAll(row));
    found.set(name, (name === "audit" ? alike.map(likeAllUsers) : alike).sort());
  }
  return found;
}

test("TRUST-023 the zone and the language of a user change nothing that is stored", async () => {
  const [one, other] = await Promise.all(people.map(storedBy));

  const differing = [...(one ?? [])].flatMap(([table, rows]) => {
    const others = other?.get(table) ?? [];
    const isSame = rows.length === others.length && rows.every((row, at) => row === others[at]);
    if (isSame) return [];
    return [
      {
        table,
        one: rows.filter((row) => !others.includes(row)),
        other: others.filter((row) => !rows.includes(row)),
      },
    ];
  });
  expect([...(one?.values() ?? [])].flat().length).toBeGreaterThan(500);
  expect(differing).toEqual([]);
});
