import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import { ask, eventually, hashOf, newToken, openSection, stored, useBrowser } from "./journey.ts";

const { visit } = useBrowser();

const list = "/cloud/companies";
const settings = "/cloud/company-settings";
const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });
const act = async (page: Page, name: string, action: string) => {
  await page.getByRole("button", { name: `Actions: ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

/** Names unique to this run, so that another one on the same platform does not interfere. */
const run = String(Date.now() % 1_000_000);
const named = (name: string) => `${name} ${run}`;

/** A company below the dealer used by this test only. */
async function make(name: string, fields: object = {}): Promise<number> {
  const token = await newToken("dealer");
  const { data } = await ask("company/create", { token, body: { name, ...fields } });
  return (data["company"] as { readonly id: number }).id;
}

async function found(name: string) {
  const token = await newToken("dealer");
  const { data } = await ask("company/list", { token, body: { search_string: name } });
  const page = data["companies"] as {
    readonly data: readonly {
      readonly is_active: boolean;
      readonly active_modules: readonly { slug: string }[];
    }[];
  };
  return page.data[0];
}

describe("companies", () => {
  test("SERV-023 the tree expands, is searched, and shows expiry, zone and counts", async () => {
    const id = await make(named("Tree dealer"), { is_dealer: true });
    await make(named("Tree leaf"), {
      parent_id: id,
      expires_at: Math.floor(Date.now() / 1000) + 3 * 86_400 + 3600,
    });
    const page = await visit({ as: "dealer", at: list });

    await row(page, "Selenge Energy").waitFor();
    expect(await row(page, named("Tree leaf")).count()).toBe(0);
    await page.getByRole("button", { name: `Open: ${named("Tree dealer")}` }).click();
    await row(page, named("Tree leaf")).waitFor();
    expect(await row(page, named("Tree leaf")).textContent()).toContain("3 days");
    await page.getByRole("searchbox").fill(named("Tree leaf"));
    await eventually(() => page.getByRole("row").count()).toBe(2);
    expect(hashOf(page)).toContain("q=Tree");
  });

  test("the whole branch is exported as CSV with the visible columns, as text", async () => {
    const name = named("Saved; as text");
    await make(name, { expires_at: Math.floor(Date.now() / 1000) + 3 * 86_400 + 3600 });
    const page = await visit({ as: "dealer", at: `${list}?q=${encodeURIComponent(name)}` });
    await row(page, name).waitFor();

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page
        .getByRole("button", { name: "Save as a file" })
        .click()
        .then(() => page.getByRole("menuitem", { name: "CSV" }).click()),
    ]);

    const text = await readFile(await file.path(), "utf8");
    expect(file.suggestedFilename()).toMatch(/^Companies \d{4}-\d\d-\d\d\.csv$/);
    const [head = "", line = ""] = text.replace("\uFEFF", "").split("\r\n");
    expect(head).toMatch(/^Company,Until \([\w/]+\),Devices/);
    // Quoted for the semicolon, which separates the cells of other languages.
    expect(line.split(",")[0]).toBe(`"${name}"`);
  });

  test("SERV-031 a popup asks for confirmation before the active state changes, and No keeps it", async () => {
    const name = named("Switched by hand");
    await make(name);
    const page = await visit({ as: "dealer", at: `${list}?q=${encodeURIComponent(name)}` });
    const toggle = page.getByRole("switch", { name: `Active: ${name}` });

    await toggle.click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    expect([await toggle.isChecked(), (await found(name))?.is_active]).toEqual([true, true]);
    await toggle.click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Switch off" }).click();
    await eventually(async () => (await found(name))?.is_active).toBe(false);
    await eventually(() => toggle.isChecked()).toBe(false);
  });

  test("SERV-023 a company is added, changed and deleted by its typed id", async () => {
    const name = named("Made by hand");
    const page = await visit({ as: "dealer", at: list });
    await page.getByRole("button", { name: "Add company" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByText("Enter the name of the company").waitFor();
    await form.getByLabel("Name", { exact: true }).fill(name);
    await form.getByRole("checkbox", { name: "Events" }).uncheck();
    await form.getByRole("button", { name: "Create" }).click();
    await row(page, name).waitFor();
    expect((await found(name))?.active_modules.map(({ slug }) => slug)).not.toContain("events");

    await act(page, name, "Company card");
    await form.getByLabel("Last day").fill("2030-12-31");
    await form.getByRole("button", { name: "Save" }).click();
    await eventually(() => row(page, name).textContent()).toContain("31.12.2030");

    await act(page, name, "Delete");
    await form.getByRole("textbox").fill("1");
    await form.getByRole("button", { name: "Delete" }).click();
    await form.getByText(/^The id is/).waitFor();
    const id = /\d+/.exec((await form.getByText(/Type the id/).textContent()) ?? "")?.[0] ?? "";
    await form.getByRole("textbox").fill(id);
    await form.getByRole("button", { name: "Delete" }).click();
    await eventually(() => row(page, name).count()).toBe(0);
    expect(await found(name)).toBeUndefined();
  });

  test("a company is found, entered and left by keyboard alone", async () => {
    await make(named("Found by keys"));
    const page = await visit({ token: await newToken("dealer"), at: list });
    const before = await stored(page, "token");
    await row(page, "Selenge Energy").waitFor();

    await page.keyboard.press("/");
    await page.keyboard.type(named("Found by keys"));
    await eventually(() => page.getByRole("row").count()).toBe(2);
    for (let at = 0; at < 40; at += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.getAttribute("role") === "row")) break;
    }
    await page.keyboard.press("Enter");

    // Entering loads the page anew: what was read once is kept.
    let token = before ?? "";
    await eventually(async () => (token = (await stored(page, "token")) ?? token)).not.toBe(before);
    const access = await ask("user/access", { method: "GET", token });
    expect(access.data).toMatchObject({ entered_company: true });
    await eventually(() => hashOf(page)).not.toContain(list);
  });

  test("SERV-021 companies other than dealers have no list of companies, neither in the menu nor by address", async () => {
    const page = await visit({ as: "engineer", at: list });

    await page.getByText("No access").waitFor();
    expect(await page.getByRole("link", { name: "Companies" }).count()).toBe(0);
    const dealer = await visit({ as: "dealer", at: list });
    await dealer.getByRole("link", { name: "Companies" }).first().waitFor();
  });

  test("of five thousand companies only visible rows are drawn", async () => {
    const page = await visit({
      as: "dealer",
      at: list,
      before: async (opened) => {
        await opened.route("**/api/company/list", async (route) => {
          const response = await route.fetch();
          const answer = (await response.json()) as Answer;
          const [sample] = answer.data.companies.data;
          const data = Array.from({ length: 5_000 }, (_, at) => ({ ...sample, id: 100_000 + at }));
          await route.fulfill({
            response,
            json: {
              ...answer,
              data: { ...answer.data, companies: { ...answer.data.companies, data, total: 5_000 } },
            },
          });
        });
      },
    });

    await page.getByRole("row").nth(20).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(100);
  });

  test("a failed list shows the reason and a retry; an empty result offers to reset", async () => {
    let isAway = true;
    const page = await visit({
      as: "dealer",
      at: list,
      before: async (opened) => {
        await opened.route("**/api/company/list", (route) =>
          isAway
            ? route.fulfill({ status: 503, json: { msg: "Away", code: "database_away" } })
            : route.continue(),
        );
      },
    });
    await page.getByText("Away").first().waitFor();
    isAway = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await row(page, "Selenge Energy").waitFor();
    await page.getByRole("searchbox").fill("no such company");
    await page.getByRole("button", { name: "Reset filter" }).click();
    await row(page, "Selenge Energy").waitFor();
  });
});

interface Answer {
  readonly data: { readonly companies: { readonly data: readonly object[] } };
}

describe("company settings", () => {
  test("SERV-001 company settings require an administrator", async () => {
    const page = await visit({ as: "operator", at: settings });

    await eventually(() => hashOf(page)).toBe("/withoutAccess");
  });

  test("SERV-027 an administrator saves particulars, zone and rules of sign-in, and the log shows before and after", async () => {
    const id = await make(named("Settings company"));
    const dealer = await newToken("dealer");
    const entered = await ask(`company/enter/${String(id)}`, { token: dealer, body: {} });
    const page = await visit({ token: String(entered.data["access_token"]), at: settings });

    await page.getByLabel("Tax number").fill("7701234567");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("link", { name: /Time zone/ }).click();
    await page.getByLabel("Time zone of the company").selectOption("Asia/Hovd");
    await page
      .getByText(/UTC\+7$/)
      .first()
      .waitFor();
    const zone = page.getByRole("form", { name: "Time zone" });
    await zone.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: /UTC\+7 · Asia\/Hovd/ }).waitFor();
    await page.getByRole("link", { name: /Security/ }).click();
    const signIn = page.getByRole("form", { name: "Security" });
    await signIn.getByRole("switch", { name: "Two-factor sign-in is required" }).click();
    await signIn.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: /2FA is required/ }).waitFor();

    await page.getByRole("link", { name: /Company log/ }).click();
    const entry = page.getByRole("row", { name: /Changing a company/ }).first();
    await entry.click();
    await page.getByRole("rowheader", { name: "options.two_factor_required" }).waitFor();
    expect(await page.locator(".log-details ins").first().textContent()).toBe("true");
    await page.getByLabel("What", { exact: true }).selectOption({ label: "Entering a company" });
    await eventually(() => page.getByRole("row", { name: /Changing a company/ }).count()).toBe(0);
    expect(await page.getByRole("row", { name: /Entering a company/ }).textContent()).toContain(
      "Selenge Energy",
    );
  });

  test("SERV-018 SERV-019 peak hours are painted by mouse and keyboard, and saved as the company's own list", async () => {
    const id = await make(named("Peak company"));
    const dealer = await newToken("dealer");
    const entered = await ask(`company/enter/${String(id)}`, { token: dealer, body: {} });
    const token = String(entered.data["access_token"]);
    const page = await visit({ token, at: `${settings}/peak-hours` });
    const cell = (name: string) => page.getByRole("gridcell", { name, exact: true });

    await page.getByText("Not official hours", { exact: false }).waitFor();
    await page.getByRole("radio", { name: "Custom hours" }).check();
    await cell("January, 8 to 9").hover();
    await page.mouse.down();
    await cell("February, 10 to 11").hover();
    await page.mouse.up();
    await cell("December, 0 to 1").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.getByText("A month can have two ranges at most", { exact: false }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();

    const { data } = await ask("user/company", { method: "GET", token });
    expect(data["company"]).toMatchObject({
      options: { peak_hours_zone: "manual" },
      peak_hours: [
        { month: 1, ranges: [{ start: 8, stop: 11 }] },
        { month: 2, ranges: [{ start: 8, stop: 11 }] },
        {
          month: 12,
          ranges: [
            { start: 0, stop: 1 },
            { start: 2, stop: 3 },
          ],
        },
      ],
    });
  });

  test("unsaved changes are not lost without confirmation", async () => {
    const page = await visit({ as: "engineer", at: settings });
    await page.getByLabel("Tax number").fill("1");
    await page.getByRole("link", { name: /Security/ }).click();

    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();

    expect(await page.getByLabel("Tax number").inputValue()).toBe("1");
  });
});

test("SERV-022 companies and settings keep their layout at 360 px: nothing is cut off at the right", async () => {
  const page = await visit({ as: "dealer", at: list, width: 360 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await row(page, "Selenge Energy").waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  for (const section of ["company", "peak-hours", "security", "services", "retention", "log"]) {
    await openSection(page, settings, section);
    expect([section, (await overflow()) <= 0]).toEqual([section, true]);
  }
});

test("axe finds nothing on companies and settings in both themes", async () => {
  const wide = { widths: [1440] };
  const page = await visit({ as: "dealer", at: list });
  await row(page, "Selenge Energy").waitFor();
  expect(await violationsOfLooks(page, wide)).toEqual({});
  await page.getByRole("button", { name: "Add company" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor();
  expect(await violationsOfLooks(page, wide)).toEqual({});
  await page.keyboard.press("Escape");
  for (const section of [
    "company",
    "time",
    "peak-hours",
    "security",
    "services",
    "service-log",
    "retention",
    "log",
  ]) {
    await openSection(page, settings, section);
    expect([section, await violationsOfLooks(page, wide)]).toEqual([section, {}]);
  }
});
