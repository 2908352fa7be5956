import { users } from "@metrum/contract/access";
import { contract } from "@metrum/contract/calls";
import { pathOf, type Call, type ListFile } from "@metrum/contract/core";
import { devices } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi } from "../api.ts";
import { unevenColumns } from "./columns.ts";
import { examples } from "./examples.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { rowFieldsOf } from "./schemaFields.ts";
import { statementsOf } from "../statements.ts";

const engineer = "engineer@metrum.example";
let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi());
});
afterAll(() => fixture.api.close());

const zone = "Asia/Ulaanbaatar";
const nameColumn = { title: "Name", of: ["name"] };

function fileOf(more: Partial<ListFile> = {}): ListFile {
  return { format: "csv", title: "Приборы учёта", zone, columns: [nameColumn], ...more };
}

interface Asked {
  readonly as?: string;
  readonly body?: object;
  readonly file?: object;
  readonly language?: string;
}

async function ask(call: Call, { as = engineer, body, file = fileOf(), language = "en" }: Asked = {}) {
  const { params, body: usual } = (await examples[call.id]?.input?.(fixture)) ?? {};
  const response = await fixture.api.fastify.inject({
    method: call.method,
    url: `/api/${pathOf(call, params)}`,
    headers: {
      authorization: `Bearer ${await fixture.api.token(as)}`,
      "accept-language": language,
      "accept-encoding": "identity",
    },
    payload: { ...(body ?? (usual as object | undefined)), file },
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: response.rawPayload,
    text: response.body,
  };
}

const linesOf = (text: string): string[] => text.replace("\ufeff", "").trimEnd().split("\r\n");

const lists = [...contract.values()].filter(({ rows }) => rows !== undefined);

describe("XLS-010 XLS-015 every list is answered as a file by its own call", () => {
  test.each(lists.map((call): [string, Call] => [call.id, call]))("%s", async (_, call) => {
    const as = examples[call.id]?.as ?? (call.right === "platform" ? "admin@metrum.example" : engineer);
    const list = await fixture.api.ask(call, {
      token: await fixture.api.token(as),
      input: (await examples[call.id]?.input?.(fixture)) ?? {},
    });
    const columns = rowFieldsOf(call)
      .slice(0, 100)
      .map((path) => ({ title: path, of: [path] }));

    const csv = await ask(call, { as, file: fileOf({ columns }) });
    const xlsx = await ask(call, { as, file: fileOf({ columns, format: "xlsx" }) });

    expect(list.status).toBe(200);
    expect(columns.length).toBeGreaterThan(4);
    expect([csv.status, csv.headers["content-type"]], csv.text).toEqual([200, "text/csv; charset=utf-8"]);
    // Readings of a period have the decimals of their fields, which differ by device.
    expect(call.isPeriod === true ? [] : unevenColumns(csv.text)).toEqual([]);
    expect(linesOf(csv.text)[0]).toBe(columns.map(({ title }) => title).join(","));
    expect([xlsx.status, xlsx.headers["content-type"]]).toEqual([
      200,
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]);
    expect(xlsx.bytes.subarray(0, 2).toString()).toBe("PK");
  });

  test.each(lists.filter(({ right }) => right !== null).map((call): [string, Call] => [call.id, call]))(
    "%s keeps its right",
    async (_, call) => {
      const { status, text } = await ask(call, { as: "norights@metrum.example" });

      expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([403, "right_missing"]);
    },
  );
});

describe("a file of devices", () => {
  test("API-005 API-021 has a name in UTF-8, a type, and is saved rather than shown", async () => {
    const { headers } = await ask(devices.list, { body: {} });

    expect(headers["content-disposition"]).toMatch(
      /^attachment; filename="[ -~]+\.csv"; filename\*=UTF-8''%D0%9F%D1%80[-%\w]+%20\d{4}-\d\d-\d\d\.csv$/,
    );
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("XLS-010 has the requested columns in their order, with texts, units and times of the zone", async () => {
    const { ours, api } = fixture;
    await sql`update device set name = '=Meter', place = '' where id = ${ours.device}`.execute(
      api.services.database.system,
    );
    await sql`update device_state set last_data_at = ${Date.UTC(2026, 10, 23, 9) / 1000}, silent_at = 1
      where device_id = ${ours.device}`.execute(api.services.database.system);
    const columns = [
      { title: "Состояние", of: ["state"], words: { silent: "молчит" } },
      { title: "Название", of: ["name"] },
      { title: "Через", of: ["gateway.name", "base_station.name"] },
      { title: "Данные", of: ["last_data_at"], shows: "time" as const },
      { title: "Вкл", of: ["is_active"], words: { true: "да", false: "нет" } },
      { title: "Неделя", of: ["completeness"], shows: "shares" as const },
      { title: "Место", of: ["place"] },
    ];

    const { text } = await ask(devices.list, {
      body: { ids: [ours.device] },
      file: fileOf({ columns }),
      language: "ru",
    });

    const [heading, row, ...rest] = linesOf(text);
    expect(heading).toBe("Состояние;Название;Через;Данные (Asia/Ulaanbaatar);Вкл;Неделя;Место");
    expect(row).toMatch(/^молчит;'=Meter;[^;]*;23\.11\.2026 17:00:00;да;[–\d ]+;$/);
    expect(rest).toEqual([]);
  });

  test("XLS-015 has the whole filter beyond one page, each device once and in the order of the list, found once", async () => {
    const { api, ours } = fixture;
    const { system } = api.services.database;
    const columns = await sql<{ names: string; values: string }>`
      select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_name = 'device' and table_schema = current_schema() and is_generated = 'NEVER'
        and column_name not in ('id', 'name', 'uuid', 'deviceID')`.execute(system);
    const names = columns.rows[0]?.names ?? "";
    await sql
      .raw(
        `insert into device (name, "deviceID", ${names})
         select 'Bulk ' || lpad(n::text, 5, '0'), 'bulk-' || n, ${names} from device, generate_series(1, 6001) n
         where id = ${String(ours.device)}`,
      )
      .execute(system);

    let text = "";
    const sent = await statementsOf(api, async () => {
      const body = { search_string: "Bulk", page: 3, per_page: 10, sort: "desc" };
      ({ text } = await ask(devices.list, { body }));
    });

    const found = linesOf(text).slice(1);
    expect(found).toHaveLength(6001);
    expect(found).toEqual([...found].toSorted().reverse());
    expect(new Set(found).size).toBe(6001);
    const having = (part: string) => sent.filter((each) => each.includes(part)).length;
    expect(having("order by page.place") / having("order by device.name")).toBe(7);
  });

  test("ACL-037 has only devices of the company", async () => {
    const { api, ours } = fixture;
    const { rows } = await sql<{ name: string }>`
      select name from device where company_id = ${ours.company} and deleted_at is null and removed_at is null
        and not is_archived`.execute(api.services.database.system);

    const own = linesOf((await ask(devices.list, { body: {} })).text).slice(1);
    const foreign = linesOf((await ask(devices.list, { body: { ids: [fixture.theirs.device] } })).text);

    expect(own).toHaveLength(rows.length);
    expect(foreign).toEqual(["Name"]);
  });

  test("refuses fields that the list does not declare, a zone that does not exist, and a wrong filter", async () => {
    const refused = [
      await ask(devices.list, { file: fileOf({ columns: [nameColumn, { title: "x", of: ["search"] }] }) }),
      await ask(devices.list, { file: fileOf({ columns: [{ title: "x", of: ["gateway"] }] }) }),
      await ask(devices.list, { file: fileOf({ columns: [{ title: "x", of: ["constructor.name"] }] }) }),
      await ask(users.list, { file: fileOf({ columns: [{ title: "x", of: ["password"] }] }) }),
      await ask(devices.list, { file: fileOf({ zone: "Asia/Atlantis" }) }),
      await ask(devices.list, { body: { device_state: "lost" } }),
      await ask(devices.list, { file: fileOf({ columns: [] }) }),
    ].map(({ status, text }) => [
      status,
      Object.keys((JSON.parse(text) as { attributes: object }).attributes),
    ]);

    expect(refused).toEqual([
      [422, ["file.columns.1.of"]],
      [422, ["file.columns.0.of"]],
      [422, ["file.columns.0.of"]],
      [422, ["file.columns.0.of"]],
      [422, ["file.zone"]],
      [422, ["device_state"]],
      [422, ["file.columns"]],
    ]);
  });

  test("releases its connection and its slot when it ends, also after the client has disconnected", async () => {
    const { database } = fixture.api.services;
    const address = await fixture.api.fastify.listen({ port: 0, host: "127.0.0.1" });
    const token = await fixture.api.token(engineer);
    const get = (signal: AbortSignal) =>
      fetch(`${address}/api/${devices.list.path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ file: fileOf() }),
        signal,
      });

    for (let round = 0; round < 6; round += 1) {
      const leave = new AbortController();
      const response = await get(leave.signal);
      expect(response.status).toBe(200);
      if (round % 2 === 0) leave.abort();
      else await response.text();
      await expect.poll(() => database.pool.totalCount - database.pool.idleCount).toBe(0);
    }
  });
});
