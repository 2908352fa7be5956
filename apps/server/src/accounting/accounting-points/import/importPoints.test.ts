import { accountingPoints, pointImport } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());
const system = () => tree.api.services.database.system;

describe("the import of points", () => {
  const load = (text: string) => tree.ask(pointImport.import, { text });
  const countOf = async (name: string) =>
    (await tree.ask(accountingPoints.companyList, { search_string: name })).data.accounting_points.total;

  it("AP-002 makes the points of a file with their terms and devices, headers in any language", async () => {
    const device = await tree.aDevice();
    await sql`update device set "deviceID" = 'IMPORT-7' where id = ${device}`.execute(system());

    const { data } = await load(
      "Название;Ресурс;Улица;Дом;Прибор;Начальное показание;Коэффициент\nLoaded A;Электроэнергия;Main;1;import-7;12,5;40\nLoaded B;2;Main;2;;;\n",
    );

    expect(data.imported).toBe(2);
    const list = await tree.ask(accountingPoints.companyList, { search_string: "Loaded A" });
    expect(list.data.accounting_points.data[0]).toMatchObject({
      street: "Main",
      resource_type_id: 3,
      device_id: device,
      transformation_ratio: 40,
    });
    expect(await countOf("Loaded B")).toBe(1);
  });

  it("TRUST-028 a number that may be two, and one below zero, are refused by their row and column", async () => {
    const text =
      "Name;Resource;Ratio;Contract power\nUnsure 1;3;1;12,5\nUnsure 2;3;1,234;\nUnsure 3;3;;-0,5\nUnsure 4;3;1 2345;\n";
    const refusedIn = async (language: string) => {
      const input = { body: { text } };
      return (await tree.api.ask(pointImport.import, { token: tree.token, language, input })).attributes;
    };

    const english = await refusedIn("en");
    expect(english["row 3"]).toEqual([
      "Ratio: “1,234” may be thousands or a fraction: write the first without a comma, the second with a point",
    ]);
    expect(Object.keys(english)).toEqual(["row 3", "row 4", "row 5"]);
    expect(english["row 4"]).toEqual([expect.stringMatching(/^Contract power: /)]);
    expect(Object.keys(await refusedIn("ru"))).toEqual(["row 4", "row 5"]);
  });

  it("AP-002 one wrong row refuses all, with the errors by row", async () => {
    const answer = await load(
      "Name;Resource;Ratio;Device\nWhole;3;1;\nRefused 1;99;1;\nRefused 2;3;0;\nRefused 3;3;1;no such number\n",
    );

    expect([answer.status, answer.code]).toEqual([422, "import_refused"]);
    expect(answer.attributes).toEqual({
      "row 3": ["Resource: такого ресурса нет"],
      "row 4": ["Ratio: больше 0"],
      "row 5": ["Device: такого прибора нет"],
    });
    expect(await countOf("Whole")).toBe(0);
  });

  it("TRUST-028 AP-002 a second starting value of one meter in a file is refused by its row, and nothing is stored", async () => {
    const device = await tree.aDevice();
    await sql`update device set "deviceID" = 'TWICE-1' where id = ${device}`.execute(system());

    const answer = await load(
      "Name;Resource;Device;Opening reading\nTwice 1;3;TWICE-1;12,5\nTwice 2;3;twice-1;99\n",
    );

    expect([answer.status, answer.code]).toEqual([422, "import_refused"]);
    expect(Object.keys(answer.attributes)).toEqual(["row 3"]);
    expect(Object.values(answer.attributes)).toEqual([[expect.stringMatching(/^Device: .*«Twice 1»/)]]);
    expect(await countOf("Twice")).toBe(0);
  });

  it("XLS-002 AP-002 a register of the trade is read below its title, and a ratio as transformers have it", async () => {
    const device = await tree.aDevice();
    await sql`update device set "deviceID" = '00140725' where id = ${device}`.execute(system());

    const { data } = await load(
      [
        "Реестр точек учёта;;;;;",
        ";;;;;",
        '"Наименование точки\nучёта";Вид ресурса;Зав. №;Ктт;№ дома;Кто снял',
        "1;2;3;4;5;6",
        "Feeder 4;Электроэнергия;00140725;200/5 х 6000/100;12;Bat",
      ].join("\n"),
    );

    expect(data).toMatchObject({ imported: 1, unused_columns: ["Кто снял"] });
    const list = await tree.ask(accountingPoints.companyList, { search_string: "Feeder 4" });
    expect(list.data.accounting_points.data[0]).toMatchObject({
      device_id: device,
      house: "12",
      transformation_ratio: 2400,
    });
  });

  it("XLS-004 AP-002 what a spreadsheet has made of a number is refused by its row and column", async () => {
    const answer = await load(
      [
        "Name;Resource;Device;Ratio;Opening reading;House",
        "Rounded 1;3;8,97E+14;1;;",
        "Rounded 2;3;;2026-05-20;;",
        "Rounded 3;3;;5/200;;",
        "Rounded 4;3;#N/A;;;",
        "Rounded 5;3;;;1;",
        "Rounded 6;3;;;;2026-01-12",
      ].join("\n"),
    );

    expect([answer.status, answer.code]).toEqual([422, "import_refused"]);
    expect(answer.attributes).toEqual({
      "row 2": ["Device: таблица округлила номер: сделайте ячейку текстовой и введите его снова"],
      "row 3": ["Ratio: таблица сделала из номера дату: сделайте ячейку текстовой и введите его снова"],
      "row 4": ["Ratio: нужен коэффициент: 40 или 200/5"],
      "row 5": ["Device: в ячейке ошибка #N/A"],
      "row 6": ["Device: обязательное поле"],
      "row 7": ["House: таблица сделала из номера дату: сделайте ячейку текстовой и введите его снова"],
    });
    expect(await countOf("Rounded")).toBe(0);
  });
});
