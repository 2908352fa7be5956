import { describe, expect, it } from "vitest";
import { violations } from "./axe.ts";
import { answersOf, ask, eventually, hashOf, newToken, useBrowser } from "./journey.ts";

const { visit, tokenOf, provoked } = useBrowser();

describe("the palette", () => {
  it("Ctrl K and the slash work with a Cyrillic layout, by their position on the keyboard", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    await page.locator("tbody tr[data-index]").first().waitFor();
    const press = (init: KeyboardEventInit) => page.locator("body").dispatchEvent("keydown", init);

    await press({ key: ".", code: "Slash" });
    expect(await page.getByRole("searchbox").evaluate((box) => box === document.activeElement)).toBe(true);
    await press({ key: "л", code: "KeyK", ctrlKey: true });

    await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
  });

  it("Ctrl K finds a device by its number, and Enter opens it", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    await page.locator("tbody tr[data-index]").first().waitFor();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
    await page.keyboard.type("41200012");
    await page.getByRole("option", { name: /B23 №41200012/ }).waitFor();
    await page.keyboard.press("Enter");

    await eventually(() => hashOf(page)).toMatch(/^\/cloud\/devices\/data\/\d+/);
    await page.getByRole("combobox", { name: "Search and commands" }).waitFor({ state: "detached" });
  });

  it("requests nothing and shows no screen without the right", async () => {
    const page = await visit({ as: "viewer", at: "/cloud/devices" });
    const refused = [answersOf(page, "company/users"), answersOf(page, "company/list")];
    await page.getByRole("button", { name: /Search and commands/ }).click();
    await page.getByRole("combobox", { name: "Search and commands" }).fill("no such thing");

    await page.getByRole("status").getByText("Nothing found").waitFor();

    expect(refused.flat()).toEqual([]);
    await page.getByRole("combobox", { name: "Search and commands" }).fill("users");
    expect(await page.getByRole("option", { name: "Users" }).count()).toBe(0);
  });
});

describe("the bar", () => {
  it("SHELL-012 SHELL-032 SHELL-033 ACL-002 SERV-002 SERV-003 SERV-004: the user menu leads to the pages this user has", async () => {
    const linksOf = async (as: "admin" | "engineer" | "operator") => {
      const page = await visit({ as, at: "/cloud/devices" });
      await page.getByRole("button", { name: /^User:/ }).click();
      await page.getByRole("link", { name: "Sign out" }).waitFor();
      return page.locator(".user-menu a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    };

    expect(await linksOf("operator")).toEqual(["#/cloud/profile", "#/auth/logout"]);
    expect(await linksOf("engineer")).toEqual([
      "#/cloud/profile",
      "#/cloud/company-settings",
      "#/cloud/administration",
      "#/auth/logout",
    ]);
    expect(await linksOf("admin")).toEqual(
      expect.arrayContaining(["#/cloud/company-settings", "#/cloud/administration", "#/admin"]),
    );
  });

  it("SHELL-031 SHELL-004: help leads to the built-in pages in the language, or to the address of the branding", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    const help = page.getByRole("link", { name: "Help" });
    await help.waitFor();
    expect(await help.getAttribute("href")).toBe("/help/en.html");

    const branded = await visit({
      as: "engineer",
      at: "/cloud/devices",
      before: async (fresh) => {
        const { data } = await ask("personal_design", { method: "GET" });
        const design = { ...data, linkToHelp: "https://help.example/", title: "Heat", is_default: false };
        await fresh.route("**/api/personal_design", (route) =>
          route.fulfill({ json: { data: design, msg: "" } }),
        );
      },
    });
    await eventually(() => branded.getByRole("link", { name: "Help" }).getAttribute("href")).toBe(
      "https://help.example/",
    );
    await eventually(() => branded.title()).toBe("Devices · Heat");
  });

  it("SHELL-002: the logo is that of the language", async () => {
    const withLogos = async (language: string) => {
      const page = await visit({
        as: "engineer",
        at: "/cloud/devices",
        language,
        before: async (fresh) => {
          const { data } = await ask("personal_design", { method: "GET" });
          const design = { ...data, logo_cloud: "/favicon.svg?ru", logo_cloud_en: "/favicon.svg?en" };
          await fresh.route("**/api/personal_design", (route) =>
            route.fulfill({ json: { data: design, msg: "" } }),
          );
        },
      });
      const logo = page.locator(".shell-logo img");
      await logo.waitFor();
      return logo.getAttribute("src");
    };

    expect(await withLogos("ru")).toBe("/favicon.svg?ru");
    expect(await withLogos("en")).toBe("/favicon.svg?en");
    expect(await withLogos("mn")).toBe("/favicon.svg?en");
  });

  it("SHELL-013 NOTIF-015: the bell keeps the messages and links to the events, with the right to read them", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    await page.getByRole("button", { name: "Messages", exact: true }).click();
    await page.getByRole("link", { name: "To the events" }).waitFor();
    expect(await page.getByRole("link", { name: "To the events" }).getAttribute("href")).toBe(
      "#/cloud/events",
    );

    const other = await visit({ as: "viewer", at: "/cloud/devices" });
    await other.getByRole("button", { name: "Messages", exact: true }).click();
    await other.getByText("No messages since this page was opened.").waitFor();
    expect(await other.getByRole("link", { name: "To the events" }).count()).toBe(0);
  });

  it("SESS-017 ROUTE-017: inside another company the bar shows it, and leaving leads to the companies", async () => {
    const dealer = await newToken("dealer");
    const { data } = await ask("company/list", { token: dealer, body: { search_string: "Darkhan Utility" } });
    const { data: rows } = data["companies"] as { readonly data: readonly { readonly id: number }[] };
    const entered = await ask(`company/enter/${String(rows[0]?.id)}`, { token: dealer, body: {} });
    const page = await visit({ token: String(entered.data["access_token"]), at: "/cloud/devices" });
    const block = page.getByRole("group", { name: "Inside another company" });
    await block.getByText("Darkhan Utility Networks").waitFor();

    await block.getByRole("button", { name: "Leave" }).click();

    await eventually(() => hashOf(page)).toBe("/cloud/companies");
    await block.waitFor({ state: "detached" });
  });
});

describe("strips and crashes", () => {
  it("PROD-035: when another build is served a strip offers to reload, without forcing it", async () => {
    const page = await visit({
      as: "engineer",
      at: "/cloud/devices",
      before: (fresh) =>
        fresh.route("**/version", (route) =>
          route.fulfill({ json: { version: "x", build: "000000000000" } }),
        ),
    });

    await page.getByRole("status").getByText("A new version is ready").waitFor();

    expect(await page.getByRole("button", { name: "Reload" }).isVisible()).toBe(true);
  });

  it("SHELL-018: at a login with 5 days left a dialog shows the remaining time", async () => {
    const { data } = await ask("user/access", { method: "GET", token: await tokenOf("engineer") });
    const page = await visit({
      before: (fresh) =>
        fresh.route("**/api/user/access", (route) =>
          route.fulfill({ json: { data: { ...data, license_days_left: 5 }, msg: "" } }),
        ),
    });
    await page.getByRole("textbox", { name: "E-mail" }).fill("engineer@metrum.example");
    await page.getByLabel("Password", { exact: true }).fill("Metrum!2026");
    await page.keyboard.press("Enter");

    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("5 days").waitFor();
    await dialog.getByRole("button", { name: "OK" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: /^User:/ }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it("SHELL-034: without a connection a change is refused with a message, and works again with the connection", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices" });
    const active = page.getByRole("switch").first();
    await active.waitFor();
    const before = await active.isChecked();
    await page.context().setOffline(true);
    await page.getByRole("status").getByText("sending is off").waitFor();

    await active.click();

    await page.locator(".snackbar").getByText("cannot be reached").waitFor();
    await eventually(() => active.isChecked()).toBe(before);
    await page.context().setOffline(false);
    await page.getByText("sending is off").waitFor({ state: "detached" });
  });

  it("PROD-025: the cached shell opens without a connection and says so; the session is kept", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices", isNew: true });
    await eventually(() =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state ?? ""),
    ).toBe("activated");
    await page.context().setOffline(true);

    await page.reload();

    await page.getByText("No connection to the server").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("metrum.token"))).not.toBeNull();
    const kept = await page.evaluate(async () => {
      const rooms = await caches.keys();
      const all = await Promise.all(
        rooms
          .filter((name) => name.startsWith("metrum-shell-"))
          .map(async (name) =>
            (await (await caches.open(name)).keys()).map((each) => new URL(each.url).pathname),
          ),
      );
      return all.flat();
    });
    expect(kept.filter((path) => path.startsWith("/api"))).toEqual([]);
    await page.context().setOffline(false);
    await page.getByRole("button", { name: /^User:/ }).waitFor();
  });
});

it("SNACK-010: an uncaught error of a page is reported to the server", async () => {
  const page = await visit({ as: "engineer", at: "/cloud/devices" });
  await page.locator("tbody tr[data-index]").first().waitFor();
  const report = page.waitForResponse("**/api/service/error_report");

  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error("the row is gone");
    });
  });

  expect((await report).status()).toBe(200);
  expect((await report).request().postDataJSON()).toMatchObject({
    message: "Error: the row is gone",
    url: "#/cloud/devices",
  });
  expect(await provoked()).toEqual([expect.stringContaining("the row is gone")]);
});

describe("axe finds nothing", () => {
  it.each([
    ["light", 1440, "ru"],
    ["dark", 360, "mn"],
  ] as const)("on bar, palette and messages, %s at %i px in %s", async (theme, width, language) => {
    const page = await visit({ as: "engineer", at: "/cloud/devices", theme, width, language });
    await page.locator(".shell-bell").click();
    await page.locator(".bell h2").waitFor();
    expect(await violations(page, { isStrict: true })).toEqual([]);
    await page.keyboard.press("Escape");

    await page.locator(".shell-search").click();
    await page.locator(".palette-input input").waitFor();

    expect(await violations(page, { isStrict: true })).toEqual([]);
  });
});
