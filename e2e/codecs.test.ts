import { describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import { eventually, useBrowser } from "./journey.ts";

const { visit } = useBrowser();
const at = "/cloud/devices/codecs";

describe("payload codecs", () => {
  test("DEV-054: a codec is written, tried on a payload, switched on, switched off by Undo and deleted", async () => {
    const page = await visit({ as: "engineer", at });
    await page.getByLabel("Device model").selectOption({ label: "Decentlab DL-DS18" });
    await page.getByRole("button", { name: "New codec" }).click();
    await page
      .getByLabel("Source of the codec, JavaScript")
      .fill("function decodeUplink({ bytes }) { return { data: { temperature: bytes[0], odd: 1 } }; }");
    await page.getByLabel("Payload, hex").fill("15");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("odd: no field of this name").waitFor();
    expect(await page.getByRole("row", { name: /temperature/ }).textContent()).toContain("21");
    expect(await violations(page)).toEqual([]);

    await page.getByRole("button", { name: "Save and switch on" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByText("Active", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByRole("button", { name: /Delete version/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await eventually(() => page.getByText("No codecs of your own yet").count()).toBe(1);
  });

  test("the screen fits a phone, in the dark theme and in Mongolian", async () => {
    const page = await visit({ as: "engineer", at, width: 360, height: 844, theme: "dark", language: "mn" });
    await page.getByLabel("Төхөөрөмжийн загвар").selectOption({ label: "Decentlab DL-DS18" });
    await page.getByRole("button", { name: "Шинэ кодек" }).click();
    await page.getByLabel("Илгээлт, hex").waitFor();

    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
