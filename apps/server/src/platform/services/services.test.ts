import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { currentCompany, services } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

let api: TestApi;
let fixture: Fixture;
/** The same, not configured for the export. */
let plain: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
  plain = await openTestApi({ env: { METRUM_ALMATY_SU_DIR: "" } });
});
afterAll(async () => {
  await plain.close();
  await api.close();
});

const engineer = () => api.token("engineer@metrum.example");
const almaty = 1;
const set = async (body: { service_id: number; is_active?: boolean; settings?: Record<string, unknown> }) =>
  api.ask(services.companySet, { token: await engineer(), language: "en", input: { body } });
const listed = async () =>
  (await api.ask(services.companyList, { token: await engineer(), language: "en" })).data;
const logged = async (body = {}) =>
  (await api.ask(services.companyLog, { token: await engineer(), language: "en", input: { body } })).data
    .service_logs;
const offer = async (email: string, body: Record<string, unknown> = {}) =>
  api.ask(services.offer, {
    token: await api.token(email),
    language: "en",
    input: {
      body: {
        code: "reading_rounds",
        group: { code: "data_exchange" },
        title: { ru: "Обход", en: "Reading round", mn: "Заалт авах" },
        price: 1200.5,
        currency: "KZT",
        is_available: true,
        ...body,
      },
    },
  });

test("SERV-032 services are listed in groups, in the language of the user, with price and availability", async () => {
  const ask = async (from: TestApi, language: string) =>
    (await from.ask(services.groups, { token: await from.token("engineer@metrum.example"), language })).data
      .service_groups;

  const [english, russian, without] = [await ask(api, "en"), await ask(api, "ru"), await ask(plain, "en")];

  const service = (groups: typeof english) =>
    groups.flatMap((group) => group.services).find(({ code }) => code === "almaty_su");
  expect(english[0]?.title).toBe("Data exchange");
  expect(russian[0]?.title).toBe("Обмен данными");
  expect(service(english)).toMatchObject({ title: "Export to Almaty Su", price: null, is_available: true });
  expect(service(without)?.is_available).toBe(false);
});

test("SERV-032 only staff of the provider can offer and withdraw services", async () => {
  const made = await offer("admin@metrum.example");
  const given = await set({ service_id: made.data.service.id });
  const changed = await offer("admin@metrum.example", { is_available: false });
  const kept = await set({ service_id: made.data.service.id, is_active: false });
  const refused = await set({ service_id: made.data.service.id, is_active: true });

  expect(made.data.service).toMatchObject({ title: "Reading round", price: 1200.5, currency: "KZT" });
  expect(changed.data.service.id).toBe(made.data.service.id);
  expect([given.status, kept.status, refused.code]).toEqual([200, 200, "service_unavailable"]);
  expect((await offer("dealer@metrum.example")).code).toBe("right_missing");
  expect((await offer("admin@metrum.example", { group: { code: "nobody" } })).status).toBe(404);
});

test("SERV-014 SERV-015 a company lists its services and saves their settings, each directly under data", async () => {
  const answer = await set({ service_id: almaty, settings: { contract_number: "A-17", noise: 1 } });
  const off = await set({ service_id: almaty, is_active: false });

  expect(answer.data).toMatchObject({
    service_id: almaty,
    company_id: api.companies.first,
    is_active: true,
    settings: { contract_number: "A-17" },
  });
  expect(answer.data.settings).not.toHaveProperty("noise");
  expect(off.data).toMatchObject({ is_active: false, settings: { contract_number: "A-17" } });
  expect(await listed()).toContainEqual(off.data);
  expect((await set({ service_id: almaty, settings: { contract_number: 7 } })).attributes).toHaveProperty(
    "settings",
  );
  expect((await set({ service_id: 99_999 })).status).toBe(404);
});

test("SERV-033 a service is removed from the company, its log is kept, and another company keeps its own", async () => {
  const before = await listed();
  const id = fixture.ours.companyService;
  const remove = async (which: number) =>
    api.ask(services.companyDelete, { token: await engineer(), input: { params: { id: String(which) } } });

  const gone = await remove(id);
  const foreign = await remove(fixture.theirs.companyService);

  expect([gone.status, foreign.status, (await remove(id)).status]).toEqual([200, 404, 404]);
  expect((await listed()).map((each) => each.id)).toEqual(
    before.map((each) => each.id).filter((each) => each !== id),
  );
  const { rows } = await sql`select from company_service where id = ${fixture.theirs.companyService}`.execute(
    api.services.database.system,
  );
  expect(rows).toHaveLength(1);
  expect((await logged()).data[0]).toMatchObject({ message: "The service has been removed", result: "ok" });
});

test("SERV-013 the log of services is paged and limited to a period, newest first", async () => {
  for (let at = 1; at <= 6; at += 1) {
    await set({ service_id: almaty, is_active: true });
    await set({ service_id: almaty, is_active: false });
  }
  const now = api.services.clock.now();

  const first = await logged({ per_page: 1, page: 1 });
  const second = await logged({ per_page: 1, page: 2 });
  const none = await logged({ start_date: now + 3600, stop_date: now + 7200 });
  const some = await logged({ start_date: now - 3600, stop_date: now + 3600 });

  expect([first.data.length, new Set([...first.data, ...second.data].map(({ id }) => id)).size]).toEqual([
    10,
    Math.min(20, first.total),
  ]);
  expect([first.data[0]?.message, second.data[1]?.message]).toEqual([
    "The service is switched off",
    "The service is switched on",
  ]);
  expect(first).toMatchObject({ current_page: 1, per_page: 10, last_page: Math.ceil(first.total / 10) });
  expect([none.total, some.total]).toEqual([0, first.total]);
});

test("SERV-016 the export writes the newest readings of the period as one file, completely or not at all", async () => {
  await set({ service_id: almaty, is_active: true, settings: { contract_number: "A-17" } });
  const ts = 1_793_500_000;
  await sql`update device set name = '=1+1', place = 'House "5", left' where id = ${fixture.ours.device}`.execute(
    api.services.database.system,
  );
  await sql`insert into field_set (id, fields) overriding system value values (900, '{tariff1}')`.execute(
    api.services.database.system,
  );
  await sql`insert into device_latest (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
    values (${fixture.ours.device}, 1, ${ts}, ${ts}, 900, 0, 0, '{12.5}')`.execute(
    api.services.database.system,
  );
  const run = async (body = {}) =>
    api.ask(services.almatySuExport, { token: await engineer(), language: "en", input: { body } });

  const done = await run({ start_date: ts - 10, stop_date: ts + 10, device_ids: [fixture.ours.device] });
  const outside = await run({ start_date: ts + 1, stop_date: ts + 10 });

  const folder = join(api.services.config.dataDir, "almaty-su");
  expect(done.msg).toBe("Rows exported: 1");
  expect(readFileSync(join(folder, done.data.file), "utf8")).toBe(
    "contract_number,device_id,number,name,place,time,field,value,unit\r\n" +
      `A-17,${fixture.ours.device},serial-${api.companies.first},'=1+1,"House ""5"", left",2026-11-01T02:26:40.000Z,tariff1,12.5,kWh\r\n`,
  );
  expect(outside.data.rows).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  expect((await logged()).data[1]?.message).toBe(`Rows exported: 1, file ${done.data.file}`);
});

test("SERV-016 the export is off unless both the installation and the company have it, and the refusal names the missing one", async () => {
  await set({ service_id: almaty, is_active: false });

  const off = await api.ask(services.almatySuExport, { token: await engineer(), input: { body: {} } });
  const notSetUp = await plain.ask(services.almatySuExport, {
    token: await plain.token("engineer@metrum.example"),
    input: { body: {} },
  });

  expect([off.status, off.code]).toEqual([422, "service_off"]);
  expect([notSetUp.status, notSetUp.code]).toEqual([422, "service_not_configured"]);
});

test("services are set by administrators, not by demonstration users", async () => {
  const ask = async (email: string) =>
    api.ask(services.companySet, { token: await api.token(email), input: { body: { service_id: almaty } } });

  expect((await ask("operator@metrum.example")).code).toBe("right_missing");
  expect((await ask("demo@metrum.example")).code).toBe("demo_refused");
  expect((await api.ask(currentCompany.own, { token: await engineer() })).status).toBe(200);
});
