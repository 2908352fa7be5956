import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import { listDevices, useBrowser, type Visit } from "./journey.ts";

const { visit, leave, tokenOf } = useBrowser();

const screens = {
  login: { at: "/auth/login" },
  list: { as: "engineer", at: "/cloud/devices" },
  "device data": { as: "engineer", at: "tariffs" },
  "instant readings": { as: "engineer", at: "instant_readings" },
  "power profile": { as: "engineer", at: "power_profiles" },
  "poll log": { as: "engineer", at: "journal" },
  "without access": { as: "norights", at: "/cloud/devices" },
} as const satisfies Record<string, Visit>;
type Screen = keyof typeof screens;

/** Opens a screen and waits until it has loaded completely. */
async function openScreen(screen: Screen, more: Visit = {}): Promise<Page> {
  const { at, ...wish } = screens[screen];
  const page = await visit({ ...wish, ...more, at: at.startsWith("/") ? at : await dataPage(at) });
  await page.locator(".shell-content, .login, .alone").first().waitFor();
  await page.locator("h1").first().waitFor({ state: "attached" });
  const ready = {
    list: "tbody tr[data-index]",
    "device data": "tbody tr[data-index]",
    "instant readings": "tbody tr[data-index]",
    "power profile": ".uplot",
  };
  if (screen === "poll log") await page.locator(".log-line, .log-empty").first().waitFor();
  else if (screen in ready)
    await page
      .locator(ready[screen as keyof typeof ready])
      .first()
      .waitFor();
  await page.waitForLoadState("networkidle");
  return page;
}

async function dataPage(tab: string): Promise<string> {
  const { data } = await listDevices(await tokenOf("engineer"), { search_string: "SDM630" });
  return `/cloud/devices/data/${String(data[0]?.id)}?tab=${tab}`;
}

const screenNames = Object.keys(screens) as Screen[];

/** Number of the texts of a page, and those that are keys. */
async function keysOn(page: Page) {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) found.push(node.textContent?.trim() ?? "");
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        found.push(element.getAttribute(name)?.trim() ?? "");
    return found;
  });
  return {
    count: texts.filter((each) => each !== "").length,
    keys: texts.filter((each) => /^([a-zA-Z]+:)?[a-z][a-zA-Z_]*(\.[a-zA-Z_-]+)+$/.test(each)),
  };
}

async function expectTexts(page: Page, screen: Screen, language: string): Promise<void> {
  const { count, keys } = await keysOn(page);
  expect(count).toBeGreaterThan(5);
  expect(keys, screen).toEqual([]);
  expect(await page.locator("html").getAttribute("lang")).toBe(language);
}

describe("every screen", () => {
  it.each(screenNames)(
    "UI-070 PROD-010 PROD-024: %s is accessible in both themes, wide and narrow, and writes nothing to the console",
    async (screen) => {
      const written: string[] = [];
      const page = await openScreen(screen, {
        isNew: true,
        before: (fresh) => {
          fresh.on("console", (message) => {
            if (!message.text().startsWith("Failed to load resource")) written.push(message.text());
          });
          return Promise.resolve();
        },
      });
      await page.mouse.move(400, 400);

      await expectTexts(page, screen, "en");
      expect(await violationsOfLooks(page)).toEqual({});
      expect(written).toEqual([]);
    },
  );

  it.each(["ru", "mn"] as const)("PROD-010: no untranslated key is on any screen in %s", async (language) => {
    for (const screen of screenNames) {
      const page = await openScreen(screen, { language });
      await expectTexts(page, screen, language);
      await leave(page);
    }
  });
});
