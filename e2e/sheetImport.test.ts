import { describe, expect, it } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import { eventually, hashOf, listDevices, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();

const rows = [
  "Meter no.;Name;Model;Address on the line;Floor",
  "E2E-IMPORT-1;Import 1;SDM630-Modbus;1;1",
  "E2E-IMPORT-2;Import 2;SDM630-Modbus;2;1",
  "E2E-IMPORT-3;Import 3;No such model;3;2",
];
const file = {
  name: "new meters.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(rows.join("\r\n")),
};

describe("DEV-034 an import of devices from a spreadsheet", () => {
  it("goes from the file over its columns and a rehearsal into the list, and back", async () => {
    const imported = async () =>
      (await listDevices(await tokenOf("engineer"), { search_string: "E2E-IMPORT" })).total;
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await page.getByText("Columns that are understood").waitFor();
    await page.locator("input[type=file]").setInputFiles(file);

    await page.getByLabel("What is the column Meter no.").selectOption({ label: "Number *" });
    await page.getByRole("button", { name: "Check all rows" }).click();
    await page.getByText("Why rows are refused").waitFor();
    const refused = page.getByRole("row").filter({ hasText: "E2E-IMPORT-3" });
    await eventually(() => refused.textContent()).toContain("Refused");
    expect(await page.locator(".sheets-wrong").textContent()).toBe("No such model");
    expect(await imported(), "a rehearsal writes nothing").toBe(0);

    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByRole("link", { name: "Show devices" }).waitFor();
    expect(await imported()).toBe(2);
    const back = hashOf(page);
    await page.getByRole("link", { name: "Show devices" }).click();
    await page.getByRole("searchbox", { name: "Name, number, address" }).fill("E2E-IMPORT");
    await page.getByRole("link", { name: "Import 2", exact: true }).waitFor();

    await page.evaluate((hash) => {
      location.hash = hash;
    }, back);
    await page.getByRole("button", { name: "Undo import" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo import" }).click();
    await page.getByText("everything is as it was before").waitFor();

    expect(await imported()).toBe(0);
    expect(await violationsOfLooks(page)).toEqual({});
  });
});
