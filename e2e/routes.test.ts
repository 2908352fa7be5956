import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { address, eventually, hashOf, listDevices, password, people, stored, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();

const loginForm = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true });
const deviceRows = (page: Page) =>
  page.getByRole("grid", { name: "Metering devices" }).locator("tbody tr[data-index]");

async function signIn(page: Page, person: keyof typeof people): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(people[person]);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

describe("addresses without a session", () => {
  it.each([
    ["ROUTE-002", "/"],
    ["ROUTE-003", "/no/such/path"],
    ["ROUTE-004", "/auth/login"],
  ])("%s: %s shows the login form at auth/login", async (_, at) => {
    const page = await visit({ at });

    await loginForm(page).waitFor();

    expect(hashOf(page)).toBe("/auth/login");
  });

  it("ROUTE-001: the address without a hash is the app, and its routes are hashes", async () => {
    const page = await visit();

    await page.goto(`${address}/`);
    await loginForm(page).waitFor();

    expect(new URL(page.url())).toMatchObject({ pathname: "/", hash: "#/auth/login" });
  });

  it("ROUTE-005: auth/loginNew shows the login form too", async () => {
    const page = await visit({ at: "/auth/loginNew" });

    await loginForm(page).waitFor();

    expect(hashOf(page)).toBe("/auth/loginNew");
  });

  it("SESS-001 ROUTE-011 ROUTE-027: a deep link redirects to login, and is opened after sign-in", async () => {
    const link = "/cloud/devices?q=EM24&f.status=on_time";
    const token = await tokenOf("engineer");
    // A platform that has just started has not read them yet.
    await eventually(async () =>
      (await listDevices(token, { search_string: "EM24" })).data.map(({ state }) => state),
    ).toContain("on_time");
    const page = await visit({ at: link });
    await loginForm(page).waitFor();
    expect(hashOf(page)).toBe("/auth/login");

    await signIn(page, "engineer");

    await deviceRows(page).first().waitFor();
    expect(hashOf(page)).toBe(link);
    expect(await page.getByRole("searchbox").inputValue()).toBe("EM24");
  });
});

describe("addresses with a session", () => {
  it.each(["/cloud", "/cloud/no-such-child"])(
    "ROUTE-012 ROUTE-016: %s leads to the dashboard, and until it exists to the first screen",
    async (at) => {
      const page = await visit({ as: "engineer", at });

      await deviceRows(page).first().waitFor();

      expect(hashOf(page)).toBe("/cloud/devices");
    },
  );

  it("ROUTE-028: every route works when opened directly", async () => {
    const token = await tokenOf("engineer");
    const later = ["objects", "directories", "reports", "events", "users", "profile", "company-settings"];
    const [device] = (await listDevices(token)).data;
    const page = await visit({ token, at: "/cloud/devices" });
    await deviceRows(page).first().waitFor();

    for (const part of later) {
      await page.goto("about:blank");
      await page.goto(`${address}/#/cloud/${part}`);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      // The tree of objects adds the node that it opens with.
      expect(hashOf(page).replace(/\?node=\d+$/, "")).toBe(`/cloud/${part}`);
    }
    await page.goto("about:blank");
    await page.goto(`${address}/#/cloud/devices/data/${String(device?.id)}?tab=journal`);
    await page.getByRole("tab", { name: "Poll log", selected: true }).waitFor();
  });

  it("an unknown device is reported as missing, with a link back", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices/data/999999" });

    await page.getByRole("alert").getByText("There is no such device").waitFor();
    await page.getByRole("link", { name: "Back to the list" }).click();

    await deviceRows(page).first().waitFor();
  });

  it("an address without a device number is reported likewise, without a retry", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices/data/meter" });

    await page.getByRole("alert").getByText("There is no such device").waitFor();
    expect(await page.getByRole("alert").getByRole("button").count()).toBe(0);
  });
});

describe("guards", () => {
  it("SESS-003 ACL-013: a user of an API-only company loses the session and is told why", async () => {
    const page = await visit({ at: "/auth/login" });

    await signIn(page, "api");

    await page.getByRole("status").getByText("works through the API only").waitFor();
    expect(hashOf(page)).toBe("/auth/login");
    expect(await stored(page, "token")).toBeNull();
  });

  it("SESS-004 ROUTE-014: without any read rule there is a message, a link back and a sign-out", async () => {
    const page = await visit({ as: "norights", at: "/cloud/devices" });
    await page.getByText("No access to any section").first().waitFor();
    expect(hashOf(page)).toBe("/withoutAccess");

    await page.getByRole("link", { name: "Back to the application" }).click();
    await eventually(() => hashOf(page)).toBe("/withoutAccess");
    await page.getByRole("link", { name: "Sign out" }).waitFor();
  });

  it("ROUTE-014: signing out from withoutAccess ends the session", async () => {
    const page = await visit({ at: "/auth/login" });
    await signIn(page, "norights");

    await page.getByRole("link", { name: "Sign out" }).click();

    await loginForm(page).waitFor();
    expect(await stored(page, "token")).toBeNull();
  });

  it.each([
    ["SESS-021", "users"],
    ["SESS-022", "companies"],
    ["SESS-023", "objects"],
    ["SESS-024", "reports"],
    ["SESS-025", "events"],
    ["SESS-026", "directories"],
  ])("%s: with the right to read devices only %s is not accessible", async (_, slug) => {
    const page = await visit({ as: "viewer", at: `/cloud/${slug}` });

    await page.getByText("No access to this section").first().waitFor();

    expect(hashOf(page)).toBe("/withoutAccess");
  });
});
