import { writeFile } from "node:fs/promises";
import { smartImport } from "@metrum/contract/accounting";
import { sheetImports } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devices } from "#metering/devices";
import { takeSheets } from "../../metering/sheets/work.ts";
import { openTestApi, type TestApi } from "#testing/api";
import { aLicence, serverBuild } from "#testing/access/licence";
import { aClosedPeriod } from "#testing/series/periods";
import { makeFixture } from "#testing/records";
import { statementsOf } from "#testing/statements";
import { until } from "#testing/until";

const now = Date.UTC(2026, 10, 23) / 1000;
let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await makeFixture(api);
  token = await api.token("engineer@metrum.example");
  await aClosedPeriod(api.services.database.system, api.companies.first);
});
afterAll(() => api.close());

const usual = {
  "Object (path)": "Town / Main street / 1",
  "Kind of object": "house",
  Address: "Main street 1",
  Latitude: "49.5",
  Longitude: "105.5",
  "Accounting point": "Flat 1",
  Resource: "Electricity",
  Consumer: "Cooperative",
  "Tax number of the consumer": "",
  Supplier: "Grid",
  "Make missing parties": "1",
  Ratio: "40",
  "Holds from": "2026-11-01",
  "Device number": "T-1",
  "Device name": "",
  Model: "SDM630-Modbus",
  Gateway: "",
  "Starting value": "12.5",
  "Address on the line": "1",
};
type Cells = Partial<typeof usual>;
const file = (rows: readonly Cells[]) => {
  const lines = rows.map((row) => Object.values({ ...usual, ...row }).join(";"));
  return [Object.keys(usual).join(";"), ...lines].join("\n");
};

/** Imports rows, each of them alone or as many together as there are; returns the import. */
async function imported(rows: readonly Cells[], together?: number): Promise<number> {
  const { data } = await api.ask(smartImport.start, {
    token,
    input: { query: {}, body: { file_name: "town.csv", text: file(rows) } },
  });
  await takeSheets(api.services, undefined, together);
  return data.file.id;
}

async function undo(id: number): Promise<void> {
  const answer = await api.ask(sheetImports.undo, { token, input: { body: { id } } });
  if (answer.status !== 200) throw new Error(answer.text);
  const stop = await devices.worker?.(api.services);
  await until(async () => (await rowsOf(sql`select from device where removed_at is not null`)).length === 0);
  await stop?.();
}

const rowsOf = async (query: ReturnType<typeof sql>): Promise<unknown[]> =>
  (await query.execute(api.services.database.system)).rows;

const company = () => sql`${api.companies.first}::int`;
const pathOf = (id: ReturnType<typeof sql>) => sql`(
  with recursive up as (
    select w.id, w.parent_id, w.name, 0 as distance from object_node w where w.id = ${id}
    union all select w.id, w.parent_id, w.name, distance + 1 from up join object_node w on w.id = up.parent_id)
  select string_agg(name, '/' order by distance desc) from up)`;
const plain = (alias: string, ...without: readonly string[]) =>
  sql`to_jsonb(${sql.ref(alias)}) - ${["id", "created_at", "company_id", ...without]}::text[]`;

/** What the company has, by names instead of ids. */
const picture = () =>
  Promise.all(
    [
      sql`select ${pathOf(sql`n.id`)} as path, ${plain("n", "parent_id")} as row from object_node n where n.company_id = ${company()}`,
      sql`select ${pathOf(sql`i.object_id`)} as path, d."deviceID" as device, i.is_counted from object_item i
        join device d on d.id = i.device_id where i.company_id = ${company()}`,
      sql`select ${plain("d")} as row from device d where d.company_id = ${company()}`,
      sql`select ${pathOf(sql`p.object_id`)} as path, ${plain("p", "object_id")} as row from accounting_point p
        where p.company_id = ${company()}`,
      sql`select ${pathOf(sql`p.object_id`)} as path, p.name as point, c.name as consumer, s.name as supplier,
          ${plain("t", "point_id", "consumer_id", "supplier_id")} as row
        from point_term t join accounting_point p on p.id = t.point_id left join consumer c on c.id = t.consumer_id
          left join supplier s on s.id = t.supplier_id where t.company_id = ${company()}`,
      sql`select ${pathOf(sql`p.object_id`)} as path, p.name as point, d."deviceID" as device,
          ${plain("t", "point_id", "device_id")} as row
        from point_device t join accounting_point p on p.id = t.point_id join device d on d.id = t.device_id
        where t.company_id = ${company()}`,
      sql`select ${pathOf(sql`p.object_id`)} as path, p.name as point, d."deviceID" as device, e.kind, e.ts
        from point_event e join accounting_point p on p.id = e.point_id left join device d on d.id = e.device_id
        where e.company_id = ${company()}`,
      sql`select ${plain("c")} as row from consumer c where c.company_id = ${company()}`,
      sql`select ${plain("s")} as row from supplier s where s.company_id = ${company()}`,
    ].map(async (query) => (await rowsOf(query)).map((row) => JSON.stringify(row)).toSorted()),
  );

/** How often each action is in the log since an entry; devices at one node may be one entry. */
const logSince = (mark: unknown) =>
  rowsOf(sql`
    select action, sum(coalesce(jsonb_array_length(after -> 'device_ids'), 1))::int as count from audit
    where company_id = ${company()} and id > ${mark} group by 1 order by 1`);
const lastEntry = async () =>
  ((await rowsOf(sql`select coalesce(max(id), 0)::text as id from audit`))[0] as { id: string }).id;

/** Outcome and faults of each row, and what it has done to which table. */
const outcomesOf = (id: number) =>
  rowsOf(sql`
    select row, outcome, faults, (
      select array_agg(concat_ws(' ', s ->> 't', case when s -> 'b' = 'null' then 'made' when s -> 'h' = 'null' then 'gone'
        else 'changed' end) order by s ->> 't', s -> 'b' = 'null', s -> 'h' = 'null')
      from jsonb_array_elements(before) s) as steps
    from sheet_import_row where import_id = ${id} order by row`);

/** What an import of these rows does, and what the company has then. It is undone. */
async function resultOf(rows: readonly Cells[], together?: number) {
  const mark = await lastEntry();
  const before = await picture();
  const id = await imported(rows, together);
  const result = { rows: await outcomesOf(id), picture: await picture(), log: await logSince(mark) };
  await undo(id);
  expect(await picture()).toEqual(before);
  return result;
}

/** A row of a house of its own. */
const own = (n: number, more: Cells = {}): Cells => ({
  "Object (path)": `Town / Side street / ${String(n)}`,
  "Device number": `O-${String(n)}`,
  ...more,
});
const noDevice: Cells = { "Device number": "", Model: "", "Starting value": "", "Address on the line": "" };
const noPoint: Cells = {
  "Accounting point": "",
  Resource: "",
  Consumer: "",
  Supplier: "",
  Ratio: "",
};

/** Rows that meet in one batch, some of them wrong. */
const mixed: readonly Cells[] = [
  {},
  // The same house, and a node between that states itself later.
  { "Accounting point": "Flat 2", "Device number": "T-2" },
  { "Object (path)": "TOWN / main street", "Kind of object": "street", ...noPoint, ...noDevice },
  {
    "Object (path)": "town/MAIN street/1",
    "Accounting point": "Flat 3",
    "Device number": "T-3",
    Address: "New",
  },
  // Wrong ones, each for its own reason.
  own(10, { Longitude: "" }),
  own(11, { "Device number": "t-1" }),
  own(12, { Consumer: "Nobody", "Make missing parties": "0" }),
  own(13, { Resource: "Cold water" }),
  own(14, { Gateway: "999999999999999" }),
  own(15, { "Accounting point": "" }),
  own(16, { "Holds from": "2040-01-01" }),
  own(17, { "Holds from": "2010-01-01" }),
  own(18, { "Object (path)": Array.from({ length: 17 }, () => "x").join("/") }),
  own(19, { Ratio: "0" }),
  own(20, { Model: "Mercury 9" }),
  own(21, { "Device number": "" }),
  // What they have not made is made by those after them.
  own(14, { "Device number": "O-22" }),
  own(13, { "Device number": "O-23" }),
  // The same point again: the second row changes it.
  { ...noDevice, Ratio: "60", "Holds from": "2026-11-10" },
  // One consumer by tax number and by name; another of the same name.
  own(30, { Consumer: "Altan", "Tax number of the consumer": "1234567890" }),
  own(31, { Consumer: "altan" }),
  own(32, { Consumer: "Altan", "Tax number of the consumer": "1234567891" }),
  own(33, { Consumer: "Altan" }),
  own(34, { Consumer: "Other name", "Tax number of the consumer": "1234567890" }),
  // Things that there are already: moved, changed, renewed, and left as they are.
  { "Object (path)": "Old town / 1", "Device number": "OLD-1", "Device name": "Renamed", ...noPoint },
  { "Object (path)": "Old town / 2", "Device number": "OLD-2", "Accounting point": "Old 2", Ratio: "50" },
  { "Object (path)": "Old town / 3", "Device number": "OLD-3", "Accounting point": "Old 3" },
  { "Object (path)": "Old town / 4", "Device number": "NEW-4", "Accounting point": "Old 4" },
  { "Object (path)": "Old town", "Kind of object": "district", ...noPoint, ...noDevice },
  { "Object (path)": "Old town", "Kind of object": "street", ...noPoint, ...noDevice },
  own(40, noDevice),
  own(41, noPoint),
];
const old = [1, 2, 3, 4].map((n): Cells => ({
  "Object (path)": `Old town / ${String(n)}`,
  "Accounting point": `Old ${String(n)}`,
  "Device number": `OLD-${String(n)}`,
}));

describe("rows that are stored together", () => {
  it("TREE-017 have the outcomes, the tables and the log of rows that are stored one after another", async () => {
    await imported(old);

    const oneByOne = await resultOf(mixed, 1);
    const together = await resultOf(mixed);

    expect(together.rows).toEqual(oneByOne.rows);
    expect(together).toEqual(oneByOne);
    expect(
      (oneByOne.rows as { outcome: string; faults: { code: string }[] | null }[]).map(
        ({ outcome, faults }) => faults?.[0]?.code ?? outcome,
      ),
    ).toMatchInlineSnapshot(`
      [
        "made",
        "made",
        "changed",
        "made",
        "required",
        "same_in_file",
        "unknown_party",
        "point_resource",
        "unknown_gateway",
        "required",
        "point_moment",
        "period_closed",
        "path_deep",
        "above",
        "unknown_model",
        "required",
        "made",
        "made",
        "changed",
        "made",
        "made",
        "made",
        "unknown_party",
        "made",
        "changed",
        "changed",
        "same",
        "point_device_taken",
        "changed",
        "changed",
        "made",
        "made",
      ]
    `);
  });

  it("TREE-017 are refused from the row on whose device the licence does not cover", async () => {
    const server = await openTestApi({
      env: serverBuild,
      clock: { now: () => now, nowMs: () => now * 1000 },
    });
    await makeFixture(server);
    await writeFile(server.services.config.licenceFile, aLicence({ devices: 4 }));
    const session = await server.token("engineer@metrum.example");
    const rehearsed = async (together?: number) => {
      const rows = [own(1), own(2), own(3, noDevice), own(4), own(5, noDevice)];
      const { data } = await server.ask(smartImport.start, {
        token: session,
        input: { query: { dry_run: "true" }, body: { file_name: "town.csv", text: file(rows) } },
      });
      await takeSheets(server.services, undefined, together);
      const { rows: stored } = await sql<{ outcome: string; code: string | null }>`
        select outcome, faults -> 0 ->> 'code' as code from sheet_import_row
        where import_id = ${data.file.id} order by row`.execute(server.services.database.system);
      return stored.map(({ outcome, code }) => code ?? outcome);
    };

    const [oneByOne, together] = [await rehearsed(1), await rehearsed()];
    await server.close();

    expect(oneByOne).toEqual(["made", "made", "made", "device_limit_reached", "made"]);
    expect(together).toEqual(oneByOne);
  });

  it("TREE-017 take a number of statements that does not grow with their number", async () => {
    const count = async (rows: number) => {
      const all = Array.from({ length: rows }, (_, n) => own(n, { Consumer: `Consumer ${String(n)}` }));
      await api.ask(smartImport.start, {
        token,
        input: { query: { dry_run: "true" }, body: { file_name: "town.csv", text: file(all) } },
      });
      return (await statementsOf(api, () => takeSheets(api.services))).length;
    };

    const few = await count(5);

    expect(await count(100)).toBe(few);
  });
});
