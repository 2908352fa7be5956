import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { address, ask, eventually, hashOf, useBrowser } from "./journey.ts";

const { visit, leave, tokenOf } = useBrowser();

const menu = (page: Page) => page.getByRole("navigation", { name: "Sections" });
const entries = async (page: Page) => {
  await menu(page).waitFor();
  return menu(page)
    .locator("li > *")
    .evaluateAll((found) => found.map((each) => each.querySelector("span")?.textContent ?? ""));
};

/** The real access answer of the server, modified. */
async function withAccess(page: Page, token: string, change: object): Promise<void> {
  const { data } = await ask("user/access", { method: "GET", token });
  await page.route("**/api/user/access", (route) =>
    route.fulfill({ json: { data: { ...data, ...change }, msg: "" } }),
  );
}

describe("menu", () => {
  it("SHELL-023 SHELL-024 ACL-001 ACL-005 ACL-006: an administrator of a client company sees all modules except companies and the hidden ones", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });

    expect(await entries(page)).toEqual([
      "Dashboard",
      "Devices",
      "Objects",
      "Directories",
      "Reports",
      "Events",
      "Users",
    ]);
  });

  it("ACL-006: a dealer has companies as well", async () => {
    const page = await visit({ as: "dealer", at: "/cloud/devices" });

    expect(await entries(page)).toContain("Companies");
  });

  it("ACL-003 SHELL-024: a group sees the modules that it may read and no others", async () => {
    const page = await visit({ as: "operator", at: "/cloud/devices" });

    expect(await entries(page)).toEqual(["Dashboard", "Devices", "Objects", "Directories", "Events"]);
  });

  it("SHELL-023 ACL-005: entries are in the order of sort, without duplicates, never 3 and 9", async () => {
    const token = await tokenOf("engineer");
    const active_modules = [
      { id: 8, slug: "events", sort: 4 },
      { id: 4, slug: "devices", sort: 2 },
      { id: 4, slug: "devices", sort: 5 },
      { id: 3, slug: "access_rules", sort: 3 },
      { id: 9, slug: "objects_map", sort: 6 },
      { id: 7, slug: "reports", sort: 1 },
    ];
    const page = await visit({
      token,
      at: "/cloud/devices",
      before: (fresh) => withAccess(fresh, token, { active_modules }),
    });

    expect(await entries(page)).toEqual(["Reports", "Devices", "Events"]);
  });

  it("SHELL-009 SHELL-011: entries are links; the current one is marked and a middle click opens a tab", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    const link = menu(page).getByRole("link", { name: "Devices" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe("#/cloud/devices");
    expect(await link.getAttribute("aria-current")).toBe("page");
    const opened = page.context().waitForEvent("page");

    await link.click({ button: "middle" });

    // The old headless mode of the bundled Chromium often loses the renderer of such a tab: its link is
    // opened manually.
    await opened;
    expect(await link.getAttribute("aria-current")).toBe("page");
    const tab = await page.context().newPage();
    await tab.goto(`${address}/${(await link.getAttribute("href")) ?? ""}`);
    await tab.getByRole("grid", { name: "Metering devices" }).waitFor();
  });

  it("SHELL-029: the menu collapses to a rail by keyboard, names its entries on focus, and stays so for the user", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices", width: 1500, height: 900 });
    const width = async () => (await menu(page).boundingBox())?.width;
    const fold = page.getByRole("button", { name: "Fold the menu" });
    await fold.waitFor();
    expect([await width(), await fold.getAttribute("aria-expanded")]).toEqual([200, "true"]);

    await fold.press("Enter");

    const unfold = page.getByRole("button", { name: "Expand the menu" });
    await unfold.waitFor();
    expect([await width(), await unfold.getAttribute("aria-expanded")]).toEqual([56, "false"]);
    const label = menu(page).getByText("Users", { exact: true });
    expect(await label.evaluate((element) => getComputedStyle(element).opacity)).toBe("0");
    // Backwards from the button at the bottom: the last entry.
    await page.keyboard.press("Shift+Tab");
    await eventually(() => label.evaluate((element) => getComputedStyle(element).opacity)).toBe("1");
    await page.reload();
    await unfold.waitFor();
    expect(await width()).toBe(56);
    await unfold.click();
    await fold.waitFor();
    expect(await width()).toBe(200);
  });

  it("SHELL-007: at 360 px the burger opens the menu as a popup, Escape closes it and gives the focus back", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices", width: 360, height: 844 });
    const burger = page.getByRole("button", { name: "Open the menu" });
    await burger.waitFor();
    expect(await menu(page).isVisible()).toBe(false);

    await burger.click();
    await menu(page).getByRole("link", { name: "Devices" }).waitFor();
    await page.keyboard.press("Escape");

    await menu(page).waitFor({ state: "hidden" });
    await eventually(() => burger.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe("bar", () => {
  it("SHELL-008 SHELL-027: the clock ticks each second in the zone of the user, with the offset", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    const clock = page.locator(".shell-clock");
    await clock.waitFor();
    expect(await clock.innerText()).toContain("+8");
    const seen = new Set<string>();
    const startedAt = Date.now();

    await eventually(
      async () => seen.add(await clock.locator("time").innerText()).size,
    ).toBeGreaterThanOrEqual(4);

    const [hours] = [...seen].map((each) => each.slice(0, 2));
    const expected = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone: "Asia/Ulaanbaatar" });
    expect([expected.format(Date.now()), expected.format(Date.now() - 60_000)]).toContain(hours);
    expect(seen.size).toBeLessThanOrEqual((Date.now() - startedAt) / 1000 + 2);
  });

  it("SHELL-001 SHELL-006: the logo leads home and the user menu names who is signed in", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/events" });

    await page.getByRole("button", { name: /^User:/ }).click();
    await page.getByText("engineer@metrum.example").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Metrum, home" }).click();

    await eventually(() => hashOf(page)).toBe("/cloud/devices");
  });

  it("SHELL-028: the first Tab offers to skip to the content, focus is visible and returns to what opened a menu", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    await page.getByRole("link", { name: /№/ }).first().waitFor();

    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    expect(await skip.evaluate((element) => element === document.activeElement)).toBe(true);
    await eventually(async () => (await skip.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe("content");

    const user = page.getByRole("button", { name: /^User:/ });
    await user.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Sign out" }).waitFor();
    const outline = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement ?? document.body);
      return [style.outlineStyle, style.boxShadow];
    });
    expect(outline).not.toEqual(["none", "none"]);
    await page.keyboard.press("Escape");
    await eventually(() => user.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it("SHELL-034: without a connection a strip is shown and the content stays", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    const row = page.getByRole("link", { name: /№/ }).first();
    await row.waitFor();

    await page.context().setOffline(true);

    await page.getByRole("status").getByText("No connection").waitFor();
    expect(await row.isVisible()).toBe(true);
    await page.context().setOffline(false);
    await page.getByText("No connection").waitFor({ state: "detached" });
  });
});

describe("the end of the licence", () => {
  /** The platform as a server build whose licence expires in a number of days. */
  const ending = (license_days_left: number) => async (page: Page) => {
    const change = async (path: string, more: object) =>
      page.route(`**/api/${path}`, async (route) => {
        const answer = (await (await route.fetch()).json()) as { data: object };
        await route.fulfill({ json: { ...answer, data: { ...answer.data, ...more } } });
      });
    await change("site_properties", { build_type: "server" });
    await change("user/access", { license_days_left });
  };
  /** Text of the strip, and the state of its colour. */
  const stripOn = (page: Page) =>
    page.evaluate(() => {
      const shown = [...document.querySelectorAll(".shell-strip")].find((each) => each.textContent !== "");
      const colour = (name: string, share: number): string => {
        const probe = document.body.appendChild(document.createElement("div"));
        probe.style.backgroundColor = `color-mix(in srgb, var(--${name}) ${String(share)}%, var(--panel))`;
        const { backgroundColor } = getComputedStyle(probe);
        probe.remove();
        return backgroundColor;
      };
      if (!shown) return null;
      const own = getComputedStyle(shown).backgroundColor;
      const state =
        own === colour("pending", 12) ? "information" : own === colour("warn", 14) ? "warning" : own;
      return [shown.textContent, state];
    });
  async function expectStrip(days: number, strip: unknown): Promise<void> {
    const page = await visit({ as: "operator", at: "/cloud/devices", before: ending(days) });
    // The kind of build has its own call, which may be answered after the list.
    await eventually(() => stripOn(page)).toEqual(strip);
    await leave(page);
  }

  it("LIC-001 LIC-003: the strip of the server build is information first, and a warning at last", async () => {
    await expectStrip(4, [expect.stringMatching(/4 days/), "information"]);
    await expectStrip(1, [expect.stringMatching(/1 day/), "warning"]);
  });
});
