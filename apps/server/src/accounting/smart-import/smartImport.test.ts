import { accessGroups, consumers, users, type AccessRules } from "@metrum/contract/access";
import { balances, objectMap, objects, smartImport } from "@metrum/contract/accounting";
import { sheetImports, type ImportedRow, type SheetKind } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devices } from "#metering/devices";
import { ingest } from "#metering/messages";
import { takeSheets } from "../../metering/sheets/work.ts";
import { openTestApi, type TestApi } from "#testing/api";
import { aReading } from "#testing/readings";
import { makeFixture } from "#testing/records";

const now = Date.UTC(2026, 10, 23) / 1000;
let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await makeFixture(api);
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const heading = [
  "Object (path)",
  "Kind of object",
  "Address",
  "Latitude",
  "Longitude",
  "Accounting point",
  "Resource",
  "Consumer",
  "Tax number of the consumer",
  "Contract",
  "Supplier",
  "Make missing parties",
  "Ratio",
  "Holds from",
  "Device number",
  "Model",
  "Starting value",
  "Address on the line",
] as const;
type Column = (typeof heading)[number];

const usual: Readonly<Record<Column, string>> = {
  "Object (path)": "Smart town / Main street / 1",
  "Kind of object": "house",
  Address: "Smart town, Main street 1",
  Latitude: "49.5",
  Longitude: "105.5",
  "Accounting point": "Electricity",
  Resource: "Electricity",
  Consumer: "Housing cooperative",
  "Tax number of the consumer": "1234567890",
  Contract: "E-1",
  Supplier: "Grid",
  "Make missing parties": "1",
  Ratio: "40",
  "Holds from": "2026-11-01",
  "Device number": "SI-1",
  Model: "SDM630-Modbus",
  "Starting value": "12.5",
  "Address on the line": "1",
};
const line = (n: number, more: Partial<Record<Column, string>> = {}): string => {
  const own = {
    ...usual,
    "Object (path)": `Smart town / Main street / ${String(n)}`,
    Address: `Smart town, Main street ${String(n)}`,
    "Device number": `SI-${String(n)}`,
    ...more,
  };
  return heading.map((name) => own[name]).join(";");
};
const file = (...lines: readonly string[]) => [heading.join(";"), ...lines].join("\n");

async function imported(text: string, { isRehearsal = false } = {}): Promise<number> {
  const answer = await api.ask(smartImport.start, {
    token,
    input: { query: isRehearsal ? { dry_run: "true" } : {}, body: { file_name: "town.csv", text } },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  await takeSheets(api.services);
  return answer.data.file.id;
}

const fileOf = async (id: number) =>
  (await api.ask(smartImport.file, { token, language: "en", input: { params: { id: String(id) } } })).data;

async function rowsOf(id: number): Promise<ImportedRow[]> {
  const { data } = await api.ask(sheetImports.rows, {
    token,
    language: "en",
    input: { body: { id, per_page: 2500 } },
  });
  return data.rows.data;
}

const undo = (id: number) => api.ask(sheetImports.undo, { token, language: "en", input: { body: { id } } });

const tables = [
  "object_node",
  "object_item",
  "device",
  "accounting_point",
  "point_device",
  "point_term",
  "point_event",
  "consumer",
  "supplier",
] as const;

/** Every row of the company in the tables that an import touches. */
async function picture(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(table)} t where company_id = ${api.companies.first} order by id`.execute(
      api.services.database.system,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** Devices of an undone import are removed by their worker. */
async function settled(): Promise<Record<string, string[]>> {
  const stop = await devices.worker?.(api.services);
  for (let tries = 0; tries < 200; tries += 1) {
    const { rows } = await sql`select from device where removed_at is not null`.execute(
      api.services.database.system,
    );
    if (rows.length === 0) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  await stop?.();
  return picture();
}

describe("a file of objects, points and devices", () => {
  it("TREE-017 TREE-038 TREE-039 makes nodes, points with their terms, parties and devices, each tied to the other", async () => {
    const id = await imported(
      file(
        line(1),
        line(2),
        line(3, { "Device number": "", Model: "", "Starting value": "", "Address on the line": "" }),
      ),
    );

    const { file: found, reasons } = await fileOf(id);
    const { data: list } = await api.ask(smartImport.files, { token });
    const { rows } = await sql<object>`
      select n.name as house, p.name, p.resource_type_id as resource, d."deviceID" as device, pd.field, pd.opening,
        pd.from_ts, r.number::text as ratio, c.name as consumer, c.inn, c.number_of_contract as contract, s.name as supplier
      from accounting_point p join object_node n on n.id = p.object_id
        left join point_device pd on pd.point_id = p.id left join device d on d.id = pd.device_id
        left join point_term r on r.point_id = p.id and r.kind = 'ratio'
        left join point_term ct on ct.point_id = p.id and ct.kind = 'consumer' left join consumer c on c.id = ct.consumer_id
        left join point_term st on st.point_id = p.id and st.kind = 'supplier' left join supplier s on s.id = st.supplier_id
      where p.company_id = ${api.companies.first} and p.name = 'Electricity' order by n.name`.execute(
      api.services.database.system,
    );

    expect([found.status, found.counts, reasons]).toEqual([
      "done",
      { made: 3, changed: 0, same: 0, refused: 0 },
      [],
    ]);
    expect(list.files[0]).toMatchObject({ id, name: "town.csv" });
    const common = {
      name: "Electricity",
      resource: 3,
      ratio: "40",
      consumer: "Housing cooperative",
      inn: "1234567890",
      contract: "E-1",
      supplier: "Grid",
    };
    const from_ts = String(Date.UTC(2026, 10, 1) / 1000 - 8 * 3600);
    expect(rows.slice(0, 2)).toMatchObject([
      { ...common, house: "1", device: "SI-1", from_ts: expect.anything() as unknown },
      { ...common, house: "2", device: "SI-2" },
    ]);
    expect(rows[2]).toMatchObject({ ...common, house: "3", device: null });
    expect(Object.values((rows[0] as { opening: Record<string, number> }).opening)).toEqual([12.5]);
    expect(from_ts).toBeTruthy();
    const { data: map } = await api.ask(objectMap.all, { token });
    expect(map.objects).toMatchObject([{ name: "1" }, { name: "2" }, { name: "3" }]);
    expect((await undo(id)).status).toBe(200);
    await settled();
  });

  it("TREE-017 a rehearsal names exactly the wrong cells by row, column and reason, and changes nothing", async () => {
    const before = await picture();
    const wrong: [Partial<Record<Column, string>>, Column, string][] = [
      [{ "Object (path)": "" }, "Object (path)", "required"],
      [{ "Object (path)": Array.from({ length: 17 }, () => "x").join("/") }, "Object (path)", "path_deep"],
      [{ Latitude: "91" }, "Latitude", "large"],
      [{ Longitude: "" }, "Longitude", "required"],
      [{ Resource: "Steam" }, "Resource", "unknown_resource"],
      [{ "Accounting point": "" }, "Accounting point", "required"],
      [
        { Consumer: "Nobody", "Tax number of the consumer": "", "Make missing parties": "0" },
        "Consumer",
        "unknown_party",
      ],
      [{ Ratio: "4O" }, "Ratio", "ratio_needed"],
      [{ "Holds from": "31.02.2026" }, "Holds from", "day_needed"],
      [{ "Device number": "" }, "Device number", "required"],
      [{ Model: "Mercury 9" }, "Model", "unknown_model"],
      [{ "Device number": "SI-0" }, "Device number", "same_in_file"],
      [{ Resource: "Cold water" }, "Device number", "point_resource"],
    ];
    const id = await imported(
      file(line(0), ...wrong.map(([more], at) => line(100 + at, more)), line(1), line(2)),
      { isRehearsal: true },
    );

    const refused = (await rowsOf(id)).filter(({ outcome }) => outcome === "refused");

    expect(
      refused.map(({ row, faults }) => [row, heading[faults[0]?.column ?? -1], faults[0]?.code]),
    ).toEqual(wrong.map(([, column, code], at) => [at + 3, column, code]));
    expect((await fileOf(id)).file).toMatchObject({
      status: "rehearsed",
      counts: { made: 3, changed: 0, same: 0, refused: wrong.length },
    });
    expect(await picture()).toEqual(before);
  });

  it("TRUST-028 TREE-017 a starting value that the device contradicts is refused with its row, or stored with a reason", async () => {
    const first = await imported(
      file(
        ...[171, 172, 173].map((n) =>
          line(n, {
            "Accounting point": "",
            Resource: "",
            Consumer: "",
            Contract: "",
            Supplier: "",
            Ratio: "",
            "Starting value": "",
            "Tax number of the consumer": "",
            "Holds from": "",
            "Make missing parties": "",
          }),
        ),
      ),
    );
    const { rows: devices } = await sql<{ id: DeviceId }>`
      select id from device where "deviceID" in ('SI-171', 'SI-172', 'SI-173') order by "deviceID"`.execute(
      api.services.database.system,
    );
    const ts = Date.UTC(2026, 9, 30) / 1000;
    await ingest(
      api.services,
      devices.map(({ id: deviceId }) =>
        aReading({ deviceId, ts, receivedAt: ts, values: { tariff0: 1000 } }),
      ),
    );
    const values = [1001, 900, 900].map((value) => String(value));
    const reasons = ["", "", "The display was photographed"];
    const text = [
      `${heading.join(";")};Why the starting value counts`,
      ...values.map((value, n) => `${line(171 + n, { "Starting value": value })};${reasons[n] ?? ""}`),
    ].join("\n");

    const second = await imported(text);

    expect((await fileOf(first)).file.counts).toMatchObject({ made: 3 });
    expect(
      (await rowsOf(second)).map(({ outcome, faults }) => [
        outcome,
        heading[faults[0]?.column ?? -1],
        faults[0]?.code,
      ]),
    ).toEqual([
      ["made", undefined, undefined],
      ["refused", "Starting value", "reading_below"],
      ["made", undefined, undefined],
    ]);
    const { rows } = await sql<{ confirmed: string | null }>`
      select after ->> 'confirmed' as confirmed from audit where action = 'point.tieDevice' order by id desc limit 2`.execute(
      api.services.database.system,
    );
    expect(rows.map(({ confirmed }) => confirmed)).toEqual(["The display was photographed", null]);
    expect((await undo(second)).status).toBe(200);
  });

  it("TREE-040 a second time nothing changes; an undo restores every column, and a deleted file is gone", async () => {
    const first = await imported(file(line(1), line(2)));
    const before = await picture();
    const again = await imported(file(line(1), line(2)));
    expect((await fileOf(again)).file.counts).toEqual({ made: 0, changed: 0, same: 2, refused: 0 });
    expect(await picture()).toEqual(before);

    const change = await imported(
      file(
        line(1, {
          Address: "Other street 5",
          Latitude: "50",
          Ratio: "60",
          "Holds from": "2026-11-10",
          Consumer: "New one",
          "Tax number of the consumer": "",
        }),
        line(2, {
          "Object (path)": "Smart town / Side street / 9",
          "Accounting point": "",
          Resource: "",
          Consumer: "",
          "Tax number of the consumer": "",
          Supplier: "",
          Contract: "",
          Ratio: "",
        }),
      ),
    );
    expect((await fileOf(change)).file.counts).toEqual({ made: 1, changed: 1, same: 0, refused: 0 });
    expect(await picture()).not.toEqual(before);
    expect((await undo(change)).status).toBe(200);
    expect(await settled()).toEqual(before);

    const deleted = await api.ask(smartImport.delete, { token, input: { params: { id: String(again) } } });
    expect(deleted.status).toBe(200);
    expect(
      (await api.ask(smartImport.file, { token, input: { params: { id: String(again) } } })).status,
    ).toBe(404);
    expect((await undo(first)).status).toBe(200);
    await settled();
  });

  it("TREE-017 an undo is refused with the rows whose things were changed or used since, and does nothing then", async () => {
    const id = await imported(file(line(1), line(2), line(3)));
    const { data: tree } = await api.ask(objects.buildTree, {
      token,
      input: { body: { search_string: "Main street" } },
    });
    const house = tree.tree.find(({ name }) => name === "2")?._id ?? "";
    await api.ask(objects.add, { token, input: { body: { name: "Cellar", parent_id: house } } });
    const { data: parties } = await api.ask(consumers.list, {
      token,
      input: { body: { search_string: "cooperative" } },
    });
    const consumer = parties.consumers.data[0]?._id ?? "";
    await api.ask(consumers.update, { token, input: { body: { _id: consumer, comment: "Changed" } } });
    const before = await picture();

    const refused = await undo(id);

    expect([refused.status, refused.code]).toEqual([409, "sheet_changed_since"]);
    expect(Object.keys(refused.attributes)).toEqual(["2", "3"]);
    expect(await picture()).toEqual(before);
  });

  it("TREE-017 AP-028 an undo is refused while a balance needs a point that the import has made", async () => {
    const id = await imported(file(line(41), line(42)));
    const { rows } = await sql<{ id: number }>`
      select id from accounting_point where company_id = ${api.companies.first} order by id desc limit 2`.execute(
      api.services.database.system,
    );
    const [output, input] = rows.map((row) => row.id);
    const body = { name: "Of the import", input_point_ids: [input ?? 0], output_point_ids: [output ?? 0] };
    const { data } = await api.ask(balances.create, { token, input: { body } });
    const before = await picture();

    const refused = await undo(id);
    const after = await picture();
    const params = { id: String(data.balance_group.id) };
    await api.ask(balances.delete, { token, input: { params } });

    expect([refused.status, refused.code]).toEqual([409, "point_in_balance"]);
    expect(refused.msg).toContain("Of the import");
    expect(after).toEqual(before);
    expect((await undo(id)).status).toBe(200);
  });

  it("TRUST-017 TREE-040 an undo of terms or ties is refused with the row once their time is billed", async () => {
    const system = api.services.database.system;
    const first = await imported(file(line(61, { "Holds from": "2026-09-10" })));
    const change = await imported(file(line(61, { Ratio: "60", "Holds from": "2026-10-10" })));
    const later = await imported(file(line(61, { Ratio: "80", "Holds from": "2026-11-10" })));
    await sql`insert into settlement_period (company_id, from_day, to_day, state)
      values (${api.companies.first}, '2026-10-01', '2026-10-31', 'closed')`.execute(system);

    const free = await undo(later);
    const before = await picture();
    const refused = await undo(change);
    const whole = await undo(first);
    const after = await picture();
    await sql`delete from settlement_period`.execute(system);

    expect(free.status).toBe(200);
    expect([refused.status, refused.code, Object.keys(refused.attributes)]).toEqual([
      409,
      "period_closed",
      ["2"],
    ]);
    expect([whole.status, after]).toEqual([409, before]);
    expect([(await undo(change)).status, (await undo(first)).status]).toEqual([200, 200]);
    await settled();
  });

  it("TREE-017 needs the right to create objects, by either way", async () => {
    const viewer = await api.token("viewer@metrum.example");
    const asked = await api.ask(smartImport.start, {
      token: viewer,
      input: { body: { text: file(line(50)) } },
    });
    const upload = await api.ask(sheetImports.upload, {
      token: await api.token("operator@metrum.example"),
      input: { body: { kind: "objects", file_name: "a.csv", text: file(line(50)) } },
    });

    expect([asked.status, upload.status]).toEqual([403, 403]);
  });

  it("TREE-017 rights on objects alone import objects and points; a row with a device is refused at its number", async () => {
    const operator = await api.token("operator@metrum.example");
    const { data } = await api.ask(users.access, { token: operator });
    const params = { id: String(data.access_group?.id) };
    const none = { create: [], read: [], update: [], delete: [], access_all: [] };
    const hold = (access_rules: Partial<AccessRules>) =>
      api.ask(accessGroups.update, {
        token,
        input: { params, body: { access_rules: { ...none, ...access_rules } } },
      });
    await hold({ create: [6], read: [6], update: [6], delete: [6] });
    const { data: known } = await api.ask(sheetImports.list, { token: operator });
    const upload = (kind: SheetKind, text: string) =>
      api.ask(sheetImports.upload, {
        token: operator,
        input: { body: { kind, file_name: "a.csv", text } },
      });
    const without = { "Device number": "", Model: "", "Starting value": "", "Address on the line": "" };

    const started = await upload("objects", file(line(61, without), line(62)));
    const { id, mapping } = started.data.import;
    const step = async (call: typeof sheetImports.run) =>
      (await api.ask(call, { token: operator, input: { body: { id } } })).status;
    await api.ask(sheetImports.rehearse, { token: operator, input: { body: { id, mapping } } });
    await takeSheets(api.services);
    const ran = await step(sheetImports.run);
    await takeSheets(api.services);

    expect(known.imports.map(({ kind }) => kind)).not.toContain("devices");
    expect([(await upload("devices", "Number\n1")).status, ran]).toEqual([403, 200]);
    expect((await fileOf(id)).file.counts).toEqual({ made: 1, changed: 0, same: 0, refused: 1 });
    expect((await rowsOf(id)).map(({ reason }) => reason)).toEqual([
      "",
      "Device number: no rights on devices: remove the device from the row",
    ]);
    expect(await step(sheetImports.undo)).toBe(200);

    // What has made a device is undone by who may delete devices.
    const withDevice = await imported(file(line(63)));
    expect(
      (await api.ask(sheetImports.undo, { token: operator, input: { body: { id: withDevice } } })).status,
    ).toBe(403);
    expect((await undo(withDevice)).status).toBe(200);
  });
});
