import { expect, it } from "vitest";
import { violations } from "./axe.ts";
import { eventually, hashOf, useBrowser } from "./journey.ts";

const { visit } = useBrowser();

it("the model cell of a device links to its data sheet, and the sheet to the directory", async () => {
  const page = await visit({ as: "engineer", at: "/cloud/devices?q=CE308" });

  await page.getByRole("link", { name: "CE308 (SPODES)" }).click();
  await page.getByRole("heading", { name: "Energomera CE308 (SPODES)", level: 1 }).waitFor();

  expect(hashOf(page)).toBe("/cloud/devices/models/704");
  const checked = page.getByRole("region", { name: "Verified against" });
  await checked.getByText("We have not read a real device of this model yet", { exact: false }).waitFor();
  await page.getByRole("region", { name: "What it measures" }).getByText("Energy A+, total").waitFor();
  await page.getByText("every 30 min, at least 45 days back").waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("link", { name: "Models" }).click();
  await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
});

it("the directory searches brand and title, keeps the search in the address, and reports an empty result", async () => {
  const page = await visit({ as: "engineer", at: "/cloud/devices/models" });
  const search = page.getByRole("searchbox", { name: "Brand or model" });

  await search.fill("eastron sdm6");
  await eventually(() => page.locator(".models-list li").count()).toBe(1);

  expect(hashOf(page)).toBe("/cloud/devices/models?q=eastron+sdm6");
  await search.fill("no such brand");
  await page.getByText("Nothing matches", { exact: false }).waitFor();
});

it.each([
  ["ru", "light"],
  ["mn", "dark"],
] as const)("a phone shows directory and sheet completely, in %s, %s", async (language, theme) => {
  for (const at of ["/cloud/devices/models", "/cloud/devices/models/702"]) {
    const page = await visit({ as: "engineer", at, width: 360, language, theme });
    await page.locator(".models .settings-panel").first().waitFor();

    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violations(page)).toEqual([]);
  }
});

it("a gateway's sheet has its rules; an unknown model is reported", async () => {
  const page = await visit({ as: "engineer", at: "/cloud/devices/models/2" });
  await page.getByText("Raw bytes can be sent to it").waitFor();

  await page.goto(page.url().replace("/models/2", "/models/999999"));

  await page.getByText("There is no such model").waitFor();
});
