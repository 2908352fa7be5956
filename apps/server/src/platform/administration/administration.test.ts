import { administration } from "@metrum/contract/platform";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { version } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture } from "#testing/records";
import { administration as domain } from "./index.ts";

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("admin@metrum.example");
  await makeFixture(api);
});
afterAll(() => api.close());

const listOf = async (body: object) =>
  (await api.ask(administration.users, { token, input: { body } })).data.users;
const healthNow = async () => (await api.ask(administration.health, { token })).data;
const run = (text: string) => api.services.database.pool.query(text);

test("SERV-028 users of every company are listed, searched, sorted and paged", async () => {
  const all = await listOf({ per_page: 100 });
  const found = await listOf({ search_string: "orkhon", per_page: 100 });
  const literal = await listOf({ search_string: "%" });
  const pages = await Promise.all([1, 2].map((page) => listOf({ page, per_page: 10, sort_field: "email" })));

  expect(new Set(all.data.map(({ company_name }) => company_name)).size).toBeGreaterThanOrEqual(6);
  expect(found.data.map(({ email }) => email).toSorted()).toEqual([
    "engineer2@metrum.example",
    "viewer@metrum.example",
  ]);
  expect((await listOf({ per_page: 9_999 })).per_page).toBe(1000);
  expect(literal.total).toBe(0);
  const emails = pages.flatMap(({ data }) => data.map(({ email }) => email));
  expect(emails).toEqual(emails.toSorted());
  expect(pages[0]).toMatchObject({ current_page: 1, last_page: Math.ceil(all.total / 10), total: all.total });
});

test("users that cannot be entered are marked: of one's own company, switched off, or of a closed company", async () => {
  await run("update users set is_active = false where email = 'viewer@metrum.example'");
  await run("update company set expires_at = 1 where name = 'Industrial Park Darkhan'");

  const { data } = await listOf({ per_page: 100 });
  await run("update company set expires_at = null");
  await run("update users set is_active = true");

  const can = new Map(data.map(({ email, can_enter }) => [email, can_enter]));
  expect(["admin", "viewer", "api", "engineer"].map((name) => can.get(`${name}@metrum.example`))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test("letters are listed newest first, read without a mail server with a note in the log, and sent again", async () => {
  const link = "https://metrum.example/#/auth/reset/x";
  await run(`insert into letter (company_id, recipient, language, kind, params, state, error) values
    (51, 'a@plant.example', 'en', 'reset', '{"link": "${link}"}', 'parked', '550 no such mailbox'),
    (51, 'b@plant.example', 'en', 'reset', null, 'sent', null)`);
  const letters = async (body: object) =>
    (await api.ask(administration.letters, { token, input: { body } })).data.letters;

  const [all, parked] = [await letters({}), await letters({ state: "parked", search_string: "A@PLANT" })];
  const params = { id: String(parked.data[0]?.id) };
  const read = await api.ask(administration.letter, { token, input: { params } });
  const health = await healthNow();
  const again = await api.ask(administration.letterAgain, { token, input: { params } });
  const twice = await api.ask(administration.letterAgain, { token, input: { params } });

  expect(
    all.data.map(({ recipient, can_read, can_send_again }) => [recipient, can_read, can_send_again]),
  ).toEqual([
    ["b@plant.example", false, false],
    ["a@plant.example", true, true],
  ]);
  expect(parked).toMatchObject({ total: 1, data: [{ error: "550 no such mailbox", state: "parked" }] });
  expect(read.data).toMatchObject({ to: "a@plant.example", text: expect.stringContaining(link) as string });
  expect([health.letters_waiting, health.letters_parked]).toEqual([0, 1]);
  expect([again.status, twice.status]).toEqual([200, 404]);
  const { rows } = await run("select action from audit where action like 'letter.%' order by id");
  expect(rows).toEqual([{ action: "letter.read" }, { action: "letter.again" }]);
  await run("delete from letter");
});

test("reports versions, sizes and queues as health", async () => {
  const { rowCount } = await run(
    "update device_state set next_poll_at = extract(epoch from now())::int8 - 120",
  );
  await run(
    "insert into reading_due (kind, device_id, from_ts, to_ts) select k, min(id), 0, 1 from device, unnest(array[0, 1]) k group by k",
  );
  await run(
    'insert into installation (key, value) values (\'backup.last\', \'{"at": 1790000000.4, "file": "x"}\')',
  );

  const health = await healthNow();

  expect(health).toMatchObject({
    version,
    node: process.versions.node,
    build_type: "cloud",
    devices: 2,
    polls_due: rowCount,
    letters_waiting: 0,
    letters_parked: 0,
    derive_waiting: 1,
    recompute_waiting: 1,
    recompute_parked: 0,
    last_backup_at: 1_790_000_000,
  });
  expect(health.polls_oldest_sec).toBeGreaterThanOrEqual(119);
  expect(health.postgres).toMatch(/^\d+/);
  expect(health.database_bytes).toBeGreaterThan(1_000_000);
  expect(health.disk_free_bytes).toBeGreaterThan(0);
  expect(health.disk_total_bytes).toBeGreaterThan(health.disk_free_bytes ?? Infinity);
});

test("each process is listed with its roles while it runs, once for all of them", async () => {
  const stops = [await domain.api?.(api.services, api.fastify), await domain.worker?.(api.services)];
  const during = (await healthNow()).processes;
  for (const stop of stops) await stop?.();
  const after = (await healthNow()).processes;

  expect(during).toHaveLength(1);
  expect(during[0]).toMatchObject({ pid: process.pid, roles: ["api", "worker", "broker"], version });
  expect(after).toEqual([]);
});

test("the reported version is that of the package", () => {
  expect(version).toBe(manifest.version);
});
