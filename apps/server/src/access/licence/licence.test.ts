import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { currentCompany, licence, users } from "@metrum/contract/access";
import { control, polling, tasks } from "@metrum/contract/headend";
import { readings } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { aLicence, serverBuild, testKeys } from "#testing/access/licence";
import { makeFixture, type Fixture } from "#testing/records";
import { makeKeys, readLicence, refuseNewDevices } from "./index.ts";

const day = 86_400;
const owner = "admin@metrum.example";
const now = Math.floor(Date.now() / 1000);

let fixture: Fixture;
let api: TestApi;
let path: string;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ env: serverBuild }));
  ({ api } = fixture);
  path = api.services.config.licenceFile;
});
beforeEach(() => rm(path, { force: true }));
afterAll(() => api.close());

const put = (text: string) => writeFile(path, text);
const info = async (email = owner) => api.ask(licence.info, { token: await api.token(email) });
const upload = async (file: string, email = owner) =>
  api.ask(licence.upload, { token: await api.token(email), input: { body: { file } } });
const stateNow = async () => (await info()).data.state;
const daysLeft = async (email: string) =>
  (await api.ask(users.access, { token: await api.token(email) })).data.license_days_left;

/** Adds devices as a call that creates them does. */
async function add(count: number): Promise<string> {
  const { services, companies } = api;
  const scope = { companyId: companies.first, companyPath: "1" } as unknown as Parameters<
    typeof services.database.scoped
  >[0];
  return services.database
    .scoped(scope, async (db) => {
      await refuseNewDevices({ ...services, db }, count);
      return "added";
    })
    .catch((error: unknown) => (error instanceof Error ? error.message : "?"));
}

test("LIC-009 a file with any field changed is invalid; reformatting it makes no difference", () => {
  const text = aLicence({ devices: 100 });
  const file = JSON.parse(text) as { licence: Record<string, unknown>; signature: string };
  const changed = (part: object) => JSON.stringify({ ...file, licence: { ...file.licence, ...part } });
  const keys = [testKeys.publicKey];

  const held = readLicence(text, keys);
  const reordered = Object.fromEntries(Object.entries(file.licence).toReversed());

  expect(held).toMatchObject({ devices: 100, company: "Darkhan Utility Networks" });
  expect(readLicence(JSON.stringify({ signature: file.signature, licence: reordered }), keys)).toEqual(held);
  for (const part of [
    { devices: 101 },
    { expires_at: 5_000_000_000 },
    { company: "X" },
    { id: "x" },
    { more: true },
  ])
    expect(readLicence(changed(part), keys), JSON.stringify(part)).toBeUndefined();
  for (const broken of ["", "{}", "[]", "null", "nonsense", JSON.stringify({ ...file, signature: "AAAA" })])
    expect(readLicence(broken, keys), broken).toBeUndefined();
});

test("LIC-009 a licence signed with an unknown key is invalid, as is any if no key is known", () => {
  const foreign = aLicence({ privateKey: makeKeys().privateKey });

  expect(readLicence(foreign, [testKeys.publicKey])).toBeUndefined();
  expect(readLicence(aLicence(), [])).toBeUndefined();
  expect(readLicence(aLicence(), [makeKeys().publicKey, testKeys.publicKey])).toBeDefined();
});

test("a public key never begins with a dash: `--public-key KEY` would parse it as an option", () => {
  const keys = Array.from({ length: 1000 }, () => makeKeys().publicKey);

  expect(keys.filter((key) => key.startsWith("-"))).toEqual([]);
});

test("LIC-006 LIC-005 PROD-022 the first company's administrator sees expiry, count and limit; without a licence 50", async () => {
  const none = await info();
  await put(aLicence({ devices: 300, expires_at: now + 10 * day }));
  const valid = await info();

  expect(none.data).toEqual({
    license_expiry: null,
    server_devices_count: 2,
    max_allowable_devices_count: 50,
    state: "evaluation",
    company: null,
  });
  expect(valid.data).toEqual({
    license_expiry: now + 10 * day,
    server_devices_count: 2,
    max_allowable_devices_count: 300,
    state: "valid",
    company: "Darkhan Utility Networks",
  });
});

test("the file is read again when it changes or disappears", async () => {
  const states = [await stateNow()];
  await put(aLicence({ expires_at: now - 1 }));
  states.push(await stateNow());
  await put(aLicence({ privateKey: makeKeys().privateKey }));
  states.push(await stateNow());
  await put(aLicence());
  states.push(await stateNow());
  await rm(path);
  states.push(await stateNow());

  expect(states).toEqual(["evaluation", "expired", "invalid", "valid", "evaluation"]);
});

test("LIC-004 ACL-041 only an administrator of company 1 sees it, but none who entered another company from there", async () => {
  const dealer = await api.token("dealer@metrum.example");
  for (const email of ["engineer@metrum.example", "dealer@metrum.example", "api@metrum.example"])
    expect([(await info(email)).status, (await info(email)).code]).toEqual([403, "licence_not_here"]);
  expect((await info("operator@metrum.example")).code).toBe("right_missing");
  expect((await upload(aLicence(), "engineer@metrum.example")).code).toBe("licence_not_here");
  expect((await api.ask(currentCompany.own, { token: dealer })).status).toBe(200);
  expect((await info()).status).toBe(200);
});

test("the company whose administrators see it can be configured", async () => {
  const ask = async (METRUM_LICENCE_COMPANY: string) => {
    const env = { ...serverBuild, METRUM_PROVIDER_COMPANY: "70", METRUM_LICENCE_COMPANY };
    const moved = await openTestApi({ env });
    const { code, status } = await moved.ask(licence.info, { token: await moved.token(owner) });
    await moved.close();
    return status === 200 ? status : code;
  };

  expect([await ask("70"), await ask("1")]).toEqual([200, "licence_not_here"]);
});

test("LIC-004 the cloud build has no licence", async () => {
  const cloud = await openTestApi();

  const answer = await cloud.ask(licence.info, { token: await cloud.token(owner) });

  expect([answer.status, answer.code]).toEqual([403, "licence_not_here"]);
  await cloud.close();
});

test("LIC-009 a licence is uploaded by its owner; an invalid one changes nothing", async () => {
  const good = aLicence({ devices: 77 });
  const taken = await upload(good);
  const refused = await upload(good.replace("77", "78"));

  expect(taken.data).toMatchObject({ state: "valid", max_allowable_devices_count: 77 });
  expect([refused.status, refused.code]).toEqual([422, "licence_invalid"]);
  expect(refused.attributes).toHaveProperty("file");
  expect(await readFile(path, "utf8")).toBe(good);
  expect((await stat(path)).mode & 0o077).toBe(0);
  const { rows } = await sql<{ after: object }>`
    select after from audit where action = 'license.upload'`.execute(api.services.database.system);
  expect(rows).toEqual([{ after: expect.objectContaining({ devices: 77 }) as object }]);
});

test("LIC-008 devices beyond the limit are refused with limit and count; those in the trash and simulated ones do not count", async () => {
  const { system } = api.services.database;
  await put(aLicence({ devices: 4 }));
  const [within, beyond] = [await add(2), await add(3)];
  await sql`update device set deleted_at = now() where id = ${fixture.theirs.device}`.execute(system);
  const withTrash = await add(3);
  await sql`insert into installation (key, value) values ('demo.devices', ${JSON.stringify([fixture.ours.device])}::jsonb)`.execute(
    system,
  );
  const simulated = await add(4);
  await sql`delete from installation where key = 'demo.devices'`.execute(system);
  await sql`update device set deleted_at = null where id = ${fixture.theirs.device}`.execute(system);

  expect([within, beyond, withTrash, simulated]).toEqual(["added", "device_limit_reached", "added", "added"]);
});

test("LIC-008 an evaluation allows 50 devices, and so does an invalid licence", async () => {
  const evaluation = [await add(48), await add(49)];
  await put("nonsense");
  const invalid = [await add(48), await add(49)];

  expect([...evaluation, ...invalid]).toEqual([
    "added",
    "device_limit_reached",
    "added",
    "device_limit_reached",
  ]);
});

test("LIC-007 with an expired licence manual polls, control and new devices are refused with the reason; data stay readable", async () => {
  const token = await api.token("engineer@metrum.example");
  const { device } = fixture.ours;
  const ask = () =>
    Promise.all([
      api.ask(polling.run, { token, language: "en", input: { body: { device_id: device, run: true } } }),
      api.ask(control.device, {
        token,
        language: "en",
        input: { body: { id: device, management: { now_value: 1 } } },
      }),
      api.ask(tasks.create, {
        token,
        language: "en",
        input: { body: { command_type: "poll", title: "Now", device_ids: [device] } },
      }),
    ]);

  await put(aLicence({ expires_at: now + day }));
  const valid = await ask();
  await put(aLicence({ expires_at: Date.parse("2026-01-01T00:00:00Z") / 1000 }));
  const expired = await ask();
  const record = await api.ask(polling.run, { token, input: { body: { device_id: device } } });
  const rows = await api.ask(readings.list, {
    token,
    input: { body: { device_id: device, msgType: 1, startDate: now - day, stopDate: now } },
  });

  expect(valid.some(({ code }) => code === "licence_expired")).toBe(false);
  for (const { status, code, msg } of expired) {
    expect([status, code]).toEqual([403, "licence_expired"]);
    expect(msg).toContain("2025-12-31");
  }
  expect(await add(1)).toBe("licence_expired");
  expect([record.status, rows.status]).toEqual([200, 200]);
});

test("the remaining days are part of the access answer: in the server build those of the licence, for all users", async () => {
  const without = await daysLeft("operator@metrum.example");
  await put(aLicence({ expires_at: now + 3 * day + 60 }));

  expect(without).toBeNull();
  expect([await daysLeft("operator@metrum.example"), await daysLeft(owner)]).toEqual([3, 3]);
  await put(aLicence({ expires_at: now - 60 }));
  expect(await daysLeft(owner)).toBe(-1);
});

test("the remaining days are part of the access answer: in the cloud those of the company, for its administrators", async () => {
  const cloud = await openTestApi();
  const of = async (email: string) =>
    (await cloud.ask(users.access, { token: await cloud.token(email) })).data.license_days_left;
  await sql`update company set expires_at = ${now + 4 * day + 60} where id = ${cloud.companies.first}`.execute(
    cloud.services.database.system,
  );

  expect([
    await of("engineer@metrum.example"),
    await of("operator@metrum.example"),
    await of("engineer2@metrum.example"),
  ]).toEqual([4, null, null]);
  await cloud.close();
});
