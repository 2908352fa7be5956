import { pathOf } from "@metrum/contract/core";
import { sheetImports, type ImportedRow, type SheetImport, type SheetKind } from "@metrum/contract/metering";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { bookOf, formatted } from "#testing/books";
import { takeSheets } from "./work.ts";

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

async function rehearsed({ id, mapping }: Pick<SheetImport, "id" | "mapping">) {
  await api.ask(sheetImports.rehearse, { token, input: { body: { id, mapping } } });
  await takeSheets(api.services);
  return (await api.ask(sheetImports.get, { token, input: { body: { id } } })).data;
}

async function run(text: string, kind: SheetKind) {
  const body = { kind, file_name: "things.csv", text };
  const { data } = await api.ask(sheetImports.upload, { token, input: { body } });
  await rehearsed(data.import);
  return runOf(data.import.id);
}

async function runOf(id: number): Promise<SheetImport> {
  await api.ask(sheetImports.run, { token, input: { body: { id } } });
  await takeSheets(api.services);
  return (await api.ask(sheetImports.get, { token, input: { body: { id } } })).data.import;
}

async function rowsOf(id: number, more: object = {}): Promise<ImportedRow[]> {
  const body = { id, per_page: 2500, ...more };
  const { data } = await api.ask(sheetImports.rows, { token, language: "en", input: { body } });
  return data.rows.data;
}

/** Sends a file as a part of a form, and rehearses it. */
async function rehearseFile(bytes: Uint8Array) {
  const form = new FormData();
  form.set("kind", "devices");
  form.set("file_name", "register.xlsx");
  form.set("file", new Blob([Uint8Array.from(bytes)]), "register.xlsx");
  const encoded = new Response(form);
  const answer = await api.fastify.inject({
    method: "POST",
    url: `/api/${pathOf(sheetImports.upload)}`,
    headers: { authorization: `Bearer ${token}`, "content-type": encoded.headers.get("content-type") ?? "" },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  const { import: uploaded } = answer.json<{ data: { import: SheetImport } }>().data;
  return rehearsed(uploaded);
}

describe("a register as a utility keeps it", () => {
  const heads = [
    [
      "№ п/п",
      "Прибор учёта",
      null,
      null,
      "Адрес установки",
      "Связь",
      null,
      "КТТ",
      "Период опроса",
      "Опрос",
      "Дата поверки",
    ],
    [null, "Зав.\n№", "Тип прибора", "Наименование", null, "Модем", "Сетевой адрес"],
  ];
  const merges = ["A1:K1", "A3:A4", "B3:D3", "E3:E4", "F3:G3", "H3:H4", "I3:I4", "J3:J4", "K3:K4"];
  const serial = (n: number) =>
    n % 3 === 0
      ? `0012345${String(n).padStart(2, "0")}`
      : n % 3 === 1
        ? 88_400_000 + n
        : formatted(77_000 + n, "00000000");
  const line = (n: number, more: Readonly<Record<number, string | number | null>> = {}) => {
    const cells = [
      ...[
        n,
        serial(n),
        "SDM630-Modbus",
        `Квартира ${String(n)}`,
        `ул. Ленина, ${String(n)}`,
        "GW-0150",
        n,
        40,
        30,
      ],
      ...[n % 2 === 0, formatted(45_000 + n, "dd.mm.yyyy")],
    ];
    return cells.map((cell, at) => (at in more ? (more[at] ?? null) : cell));
  };
  const book = (lines: readonly ReturnType<typeof line>[]) =>
    bookOf([["Перечень приборов учёта"], [], ...heads, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], ...lines], {
      merges,
    });

  test("XLS-002 FC-67 its 15 rows are read in one round: title, merged heads, serials as numbers and texts, dates, yes and no", async () => {
    await run("Name;Number;Model\nGW-0150;35630150;601\n", "gateways");

    const { import: checked, reasons } = await rehearseFile(
      book(Array.from({ length: 15 }, (_, n) => line(n + 1))),
    );
    await runOf(checked.id);

    expect(checked.mapping).toEqual([
      ...[null, "deviceID", "model_id", "name", "place", "gatewayID", "inside_addr", "transformation_ratio"],
      ...["report_period_minutes", "is_active", null],
    ]);
    expect([checked.counts, reasons]).toEqual([{ made: 15, changed: 0, same: 0, refused: 0 }, []]);
    const { rows } = await sql<object>`
      select "deviceID", place, inside_addr, transformation_ratio, report_period_update, is_active,
        (select g.device_id from gateway g where g.id = device.gateway_id) as gateway
      from device where name in ('Квартира 2', 'Квартира 3', 'Квартира 4') order by name`.execute(
      api.services.database.system,
    );
    const common = { transformation_ratio: 40, report_period_update: 1800, gateway: "35630150" };
    expect(rows).toEqual([
      { deviceID: "00077002", place: "ул. Ленина, 2", inside_addr: "2", is_active: true, ...common },
      { deviceID: "001234503", place: "ул. Ленина, 3", inside_addr: "3", is_active: false, ...common },
      { deviceID: "88400004", place: "ул. Ленина, 4", inside_addr: "4", is_active: true, ...common },
    ]);
  });

  test("XLS-012 all reasons of a row come at once, of its cells and of the rest", async () => {
    const { import: checked } = await rehearseFile(
      book([
        line(31, { 2: "Меркурий 9", 6: 999, 7: "сорок", 8: -1 }),
        line(32, { 1: 8.970_102_030_405_06e19, 9: "возможно" }),
        line(33, { 1: "#N/A", 7: -3, 6: 999 }),
        line(34),
        line(35, { 1: null, 2: "Меркурий 9", 7: -3, 8: 0 }),
        line(36, { 1: 88_400_034, 6: 999 }),
      ]),
    );

    const refused = await rowsOf(checked.id, { outcome: "refused" });
    expect(checked.counts).toMatchObject({ made: 1, refused: 5 });
    expect(refused.map(({ faults }) => faults.map(({ column, code }) => [column, code]))).toEqual([
      [
        [2, "unknown_model"],
        [7, "ratio_needed"],
        [8, "small"],
      ],
      [
        [1, "digits_lost"],
        [9, "yes_or_no_needed"],
      ],
      [
        [1, "cell_error"],
        [6, "device_address"],
        [7, "above"],
      ],
      [
        [1, "required"],
        [2, "unknown_model"],
        [7, "above"],
        [8, "small"],
      ],
      [
        [1, "same_in_file"],
        [6, "device_address"],
      ],
    ]);
  });

  test("XLS-012 what only follows from a column at fault is no reason of another", async () => {
    const done = await run(
      "Number;Name;Model;Address on the line;Poll period, s;Warning period, s\nDEP-1;One;SDM630-Modbus;1;-5;60\nDEP-2;Two;SDM630-Modbus;1;3600;60\n",
      "devices",
    );

    const changes = await run("Number;Name\n#N/A;One\nDEP-3;\n", "devices");

    const refusedOf = async (id: number) =>
      (await rowsOf(id, { outcome: "refused" })).map(({ faults }) =>
        faults.map(({ column, code }) => [column, code]),
      );
    expect(await refusedOf(done.id)).toEqual([[[4, "small"]], [[5, "sooner_than_reports"]]]);
    // The first may be of a device that there is, the second is new.
    expect(await refusedOf(changes.id)).toEqual([
      [[0, "cell_error"]],
      [
        [1, "required"],
        [null, "required"],
      ],
    ]);
  });

  test("XLS-012 a period in seconds and in minutes is one period, or the row is refused", async () => {
    const done = await run(
      "Number;Name;Model;Address on the line;Poll period, s;Poll period, min\nPER-1;One;SDM630-Modbus;1;1800;30\nPER-2;Two;SDM630-Modbus;1;1800;60\n",
      "devices",
    );

    expect((await rowsOf(done.id)).map(({ outcome, faults }) => [outcome, faults[0]?.column])).toEqual([
      ["made", undefined],
      ["refused", 5],
    ]);
  });

  test("XLS-012 a column that the model does not use is a note of the row, which is stored without it", async () => {
    const done = await run(
      "Number;Name;Model;Interface;Address on the line\nNOTE-1;Noted;SDM630-Modbus;LoRaWAN;1\nNOTE-2;Refused;SDM630-Modbus;LoRaWAN;999\n",
      "devices",
    );

    const [noted, refused] = await rowsOf(done.id);
    expect(noted).toMatchObject({ outcome: "made", reason: "Interface: not used by the model" });
    expect(refused?.faults.map(({ column, code }) => [column, code])).toEqual([[4, "device_address"]]);
    expect(done.counts).toMatchObject({ made: 1, refused: 1 });
  });
});
