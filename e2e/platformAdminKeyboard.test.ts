import type { Park } from "@metrum/simulator";
import type { Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import { eventually, hashOf, password, people, useBrowser } from "./journey.ts";
import { tabTo } from "./keyboard.ts";
import { anImei, startStranger, threePhaseModem } from "./strangers.ts";

const { visit, tokenOf } = useBrowser();
const at = "/admin";
const parks: Park[] = [];
afterEach(() => Promise.all(parks.splice(0).map((each) => each.stop())));

const rows = (page: Page) => page.locator("tbody tr[data-index]");
const rowOf = (page: Page, id: string) => rows(page).filter({ hasText: id });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** An unregistered modem; it disconnects after the test. */
async function aStranger(): Promise<string> {
  const imei = anImei();
  parks.push(await startStranger(imei, await tokenOf("admin")));
  return imei;
}

it("PADMIN-022 PADMIN-003 PADMIN-005 PADMIN-006 PADMIN-007: signing in, searching, filtering and clearing by keyboard", async () => {
  const known = await threePhaseModem(await tokenOf("admin"));
  const page = await visit({ at });
  const unseen: string[] = [];
  const goTo = async (...way: Parameters<typeof tabTo>) => unseen.push(...(await tabTo(...way)));

  await goTo(page, page.locator('input[name="email"]'));
  await page.keyboard.type(people.admin);
  await goTo(page, page.locator('input[name="password"]'));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await rows(page).nth(1).waitFor();

  await page.keyboard.press("/");
  await page.keyboard.type(known);
  await eventually(() => rows(page).count()).toBe(1);
  await goTo(page, page.getByLabel("Port", { exact: true }));
  await page.keyboard.press("ArrowDown");
  await eventually(() => hashOf(page)).toContain("f.port=");
  await goTo(page, page.getByRole("radio", { name: "All" }));
  await page.keyboard.press("ArrowRight");
  await eventually(() => hashOf(page)).toContain("f.status=online");
  await goTo(page, button(page, "Clear filters").first());
  await page.keyboard.press("Enter");
  await eventually(() => hashOf(page)).toBe(at);

  expect(unseen).toEqual([]);
});

it("PADMIN-010 PADMIN-011: sorting and 1000 rows per page by keyboard, keeping the focus", async () => {
  const page = await visit({ as: "admin", at });
  await rows(page).first().waitFor();
  const sort = button(page, "Device ID");
  const size = page.locator(".grid-pages select");

  const unseen = [...(await tabTo(page, sort))];
  await page.keyboard.press("Enter");
  await eventually(() => hashOf(page)).toContain("sort=device_id");
  await page.keyboard.press("Enter");
  await eventually(() => hashOf(page)).toContain("sort=-device_id");
  unseen.push(...(await tabTo(page, size)));
  await page.keyboard.press("End");
  await eventually(() => hashOf(page)).toContain("size=1000");

  expect(await size.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(unseen).toEqual([]);
});

it("PADMIN-014 PADMIN-021: polling, reading and polling again by keyboard, returning to the row", async () => {
  const known = await threePhaseModem(await tokenOf("admin"));
  const page = await visit({ as: "admin", at: `${at}?q=${known}` });
  const poll = rowOf(page, known).getByRole("button", { name: /Poll/ });
  await poll.waitFor();
  const dialog = page.getByRole("dialog");

  const unseen = [...(await tabTo(page, poll))];
  await page.keyboard.press("Enter");
  await page.locator(".poll-values").waitFor();
  await eventually(() => page.locator(".vectors canvas").count()).toBe(1);
  unseen.push(...(await tabTo(page, dialog.getByRole("button", { name: "Refresh" }))));
  const again = page.waitForResponse((response) => response.url().endsWith("/admin/broker/request_data"));
  await page.keyboard.press("Enter");
  await again;
  await page.locator('[data-field="voltage1"]').waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await eventually(() => poll.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(unseen).toEqual([]);
});

it("an unknown modem is registered by keyboard, and the focus stays in the page", async () => {
  const imei = await aStranger();
  const page = await visit({ as: "admin", at });
  await rowOf(page, imei).or(rows(page).first()).first().waitFor();
  const tab = page.getByRole("tab", { name: /Unknown callers/ });
  const dialog = page.getByRole("dialog");

  const unseen = [...(await tabTo(page, page.getByRole("tab", { selected: true })))];
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await rowOf(page, imei).waitFor();
  unseen.push(...(await tabTo(page, rowOf(page, imei).getByRole("button", { name: /Add/ }))));
  await page.keyboard.press("Enter");
  await dialog.getByRole("option", { name: "Darkhan Utility Networks" }).waitFor({ state: "attached" });
  unseen.push(...(await tabTo(page, dialog.getByLabel("Company"))));
  await page.keyboard.type("Darkhan");
  unseen.push(...(await tabTo(page, dialog.getByLabel(/model/i).first())));
  await page.keyboard.press("ArrowDown");
  unseen.push(...(await tabTo(page, dialog.getByRole("button", { name: "Add and poll" }))));
  await page.keyboard.press("Enter");
  await rowOf(page, imei).waitFor({ state: "detached" });
  await dialog.waitFor({ state: "detached" });

  await eventually(() => tab.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(unseen).toEqual([]);
});
