import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violationsOfLooks } from "./axe.ts";
import {
  address,
  ask,
  eventually,
  hashOf,
  newToken,
  openSection,
  stored,
  useBrowser,
  type Visit,
} from "./journey.ts";

const { visit, tokenOf } = useBrowser();
const at = "/cloud/administration";

/** Staff with their own session: entering and leaving must not disturb other tests. */
const asStaff = async (more: Visit = {}): Promise<Page> =>
  visit({ token: await newToken("admin"), at, ...more });
const banner = (page: Page) => page.locator(".shell-entered");
const enterButton = (page: Page, name: string) =>
  page.getByRole("button", { name: `Enter: ${name}`, exact: true });

async function enter(page: Page, name: string): Promise<void> {
  await enterButton(page, name).click();
  await banner(page).waitFor();
}

async function companyId(token: string, name: string): Promise<number> {
  const { data } = await ask("company/list", { token, body: { search_string: name } });
  const { data: rows } = data["companies"] as { data: readonly { id: number }[] };
  return rows[0]?.id ?? 0;
}

/** A link as the administration page creates it. */
async function entryLink(token: string, name: string): Promise<string> {
  const { data } = await ask(`admin/company/enter/${String(await companyId(token, name))}`, { token });
  return String(data["url"]);
}

describe("entering from the administration", () => {
  it("SERV-028 SESS-012 SESS-013 SESS-042 ROUTE-018: a company is entered, named in the banner, and left again", async () => {
    const page = await asStaff();
    const own = await stored(page, "token");

    await enter(page, "Darkhan Utility Networks");
    const inside = await stored(page, "token");
    const words = await banner(page).textContent();
    await page.locator("tbody tr[data-index]").first().waitFor();
    const previous = await stored(page, "previousToken");
    await banner(page).getByRole("button").click();
    await enterButton(page, "Darkhan Utility Networks").waitFor();

    expect(words).toContain("Darkhan Utility Networks");
    expect([inside === own, previous]).toEqual([false, own]);
    expect(hashOf(page)).toBe(at);
    expect([await stored(page, "token"), await stored(page, "previousToken")]).toEqual([own, null]);
    expect((await ask("user/access", { method: "GET", token: String(inside) })).status).toBe(401);
  });

  it("SESS-042: an entered user's session has the rights of that user, who is named", async () => {
    const page = await asStaff({ at: `${at}/users?q=viewer` });

    await enter(page, "Viewer");
    const words = await banner(page).textContent();

    expect(words).toContain("Viewer");
    expect(words).toContain("Orkhon Housing Association");
    expect(await stored(page, "enteredFromAdmin")).toBe("true");
  });

  it("SESS-009 SESS-011 SESS-041: a link with a code enters; neither address nor history ever hold code or token", async () => {
    const token = await newToken("admin");
    const page = await visit({ token, at: "/cloud/devices" });
    const link = await entryLink(token, "Selenge Energy");
    const code = link.slice(-43);
    const seen: string[] = [];
    page.on("request", (request) => seen.push(`${request.url()} ${request.headers()["referer"] ?? ""}`));

    await page.goto("about:blank");
    await page.goto(link.replace(/^[^#]+/, `${address}/`));
    await banner(page).waitFor();
    const urls = [page.url()];
    await page.goBack();
    urls.push(page.url());

    expect(new URL(link).hash).toBe(`#/entry/${code}`);
    for (const each of [...urls, ...seen]) {
      expect(each).not.toContain(code);
      expect(each).not.toContain(token);
    }
  });

  it("SESS-009: a link put into the address of the open page enters as well", async () => {
    const token = await newToken("admin");
    const page = await visit({ token, at });
    await enterButton(page, "Selenge Energy").waitFor();
    const link = await entryLink(token, "Selenge Energy");

    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URL(link).hash);
    await banner(page).waitFor();

    expect(await banner(page).textContent()).toContain("Selenge Energy");
    expect(page.url()).not.toContain(link.slice(-43));
  });

  it("SESS-039 SESS-040: a used code is reported and keeps the session of the staff member", async () => {
    const token = await newToken("admin");
    const link = await entryLink(token, "Selenge Energy");
    await ask("auth/entry", { token, body: { code: link.slice(-43) } });

    const page = await visit({ token, at: new URL(link).hash.slice(1) });
    await page.getByText("The entry code is refused").waitFor();
    await page.locator(".shell-content").waitFor();

    expect([await stored(page, "token"), await banner(page).count()]).toEqual([token, 0]);
  });

  it("SESS-040: opened without a session, the link leads to the login page, which explains where it works", async () => {
    const link = await entryLink(await newToken("admin"), "Selenge Energy");

    const page = await visit({ at: new URL(link).hash.slice(1) });
    await page.getByText("An entry link opens only where you are signed in").waitFor();

    expect(hashOf(page)).toBe("/auth/login");
    expect(await stored(page, "token")).toBeNull();
  });

  it("SESS-013: an entered session that was ended elsewhere leads back without signing anybody out", async () => {
    const page = await asStaff();
    const own = await stored(page, "token");
    await enter(page, "Darkhan Utility Networks");

    await ask("company/exit", { token: String(await stored(page, "token")), body: { exit_point: "" } });
    // A call of the page itself may have led back first, or be about to.
    await page
      .evaluate(() => {
        if (localStorage.getItem("metrum.previousToken") !== null) location.hash = "#/cloud/users";
      })
      .catch((error: unknown) => {
        if (!String(error).includes("Execution context was destroyed")) throw error;
      });
    await enterButton(page, "Darkhan Utility Networks").waitFor();

    expect([hashOf(page), await stored(page, "token")]).toEqual([at, own]);
  });

  it("signing out inside ends both sessions", async () => {
    const page = await asStaff();
    const own = String(await stored(page, "token"));
    await enter(page, "Darkhan Utility Networks");

    await page.goto(`${address}/#/auth/logout`);
    await eventually(() => hashOf(page)).toBe("/auth/login");

    expect([await stored(page, "token"), await stored(page, "previousToken")]).toEqual([null, null]);
    await eventually(async () => (await ask("user/access", { method: "GET", token: own })).status).toBe(401);
  });
});

describe("access to the administration", () => {
  it("SERV-030 ACL-041: users other than provider staff are redirected to withoutAccess from every section", async () => {
    for (const section of ["", "/users", "/health", "/licence"]) {
      const page = await visit({ as: "dealer", at: `${at}${section}` });
      await eventually(() => hashOf(page)).toBe("/withoutAccess");
    }
  });

  it("LIC-004 ACL-041: the cloud build has no licence panel at any address", async () => {
    const page = await visit({ as: "admin", at: `${at}/licence` });
    await enterButton(page, "Darkhan Utility Networks").waitFor();

    expect(await page.getByRole("link", { name: /Licence/ }).count()).toBe(0);
    const { status } = await ask("admin/license/info", { method: "GET", token: await tokenOf("admin") });
    expect(status).toBe(403);
  });
});

/** The page in a server build with this licence; other calls reach the platform. */
const ofServerBuild = (info: object) => async (page: Page) => {
  const fulfil = (data: object) => ({ json: { data, msg: "" } });
  await page.route("**/api/site_properties", async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill(fulfil({ ...answer.data, build_type: "server" }));
  });
  await page.route("**/api/admin/license/info", (route) => route.fulfill(fulfil(info)));
  await page.route("**/api/admin/license", (route) =>
    route.fulfill({
      status: 422,
      json: {
        msg: "It does not hold",
        data: { msg: "It does not hold" },
        attributes: {},
        code: "licence_invalid",
      },
    }),
  );
};

describe("the licence panel", () => {
  const until = Date.parse("2031-03-01T00:00:00Z") / 1000;
  const info = {
    license_expiry: until,
    server_devices_count: 224,
    max_allowable_devices_count: 500,
    state: "valid",
    company: "Heat District East",
  };

  it("LIC-005 PROD-022: shows devices used of allowed as a bar, and the last day", async () => {
    const page = await visit({ as: "admin", at: `${at}/licence`, before: ofServerBuild(info) });

    const meter = page.getByRole("meter", { name: "Devices" });
    await meter.waitFor();
    const panel = await page.getByRole("region", { name: "Licence" }).last().textContent();

    expect([await meter.getAttribute("aria-valuenow"), await meter.getAttribute("aria-valuemax")]).toEqual([
      "224",
      "500",
    ]);
    for (const word of ["224 of 500", "28.02.2031", "Heat District East", "Valid"])
      expect(panel).toContain(word);
  });

  it("LIC-007: an expired licence shows what is refused and what continues", async () => {
    const ended = { ...info, state: "expired", license_expiry: Date.parse("2026-01-01T00:00:00Z") / 1000 };
    const page = await visit({ as: "admin", at: `${at}/licence`, before: ofServerBuild(ended) });

    await page.getByText("Expired", { exact: true }).waitFor();
    await page
      .getByText(/New devices, manual polls and control are refused.*scheduled polling continues/)
      .waitFor();
  });

  it("LIC-009: an invalid file is refused with the server's message", async () => {
    const page = await visit({ as: "admin", at: `${at}/licence`, before: ofServerBuild(info) });
    await page.getByRole("meter").waitFor();

    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Upload a licence file" }).click();
    await (
      await chooser
    ).setFiles({ name: "licence.json", mimeType: "application/json", buffer: Buffer.from("{}") });

    await page.getByText("It does not hold").waitFor();
  });
});

describe("sections", () => {
  it("health shows versions, queues and running processes", async () => {
    const page = await visit({ as: "admin", at: `${at}/health` });

    await page.getByRole("region", { name: "Processes" }).getByText("Running").waitFor();
    const versions = await page.getByRole("region", { name: "Versions" }).textContent();

    expect(versions).toContain(process.versions.node);
    expect(await page.getByRole("region", { name: "Storage" }).textContent()).toMatch(/Last backup/);
  });

  it("a simulated park is started in a company, shown, and removed", async () => {
    const page = await visit({ as: "admin", at: `${at}/simulation` });
    const panel = page.getByRole("region", { name: "Parks of simulated devices" });

    await panel.getByRole("combobox", { name: "Company" }).selectOption({ label: "Selenge Energy" });
    await panel.getByRole("textbox", { name: "Devices" }).fill("12");
    await panel.getByRole("button", { name: "Start", exact: true }).click();
    const remove = panel.getByRole("button", { name: "Remove the park of Selenge Energy" });
    await remove.waitFor();
    const words = await panel.textContent();
    await remove.click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
    await panel.getByText("No parks are running").waitFor();

    expect(words).toContain("Devices: 12");
  });

  it("CTRL-109: control of a company is stopped from its menu with a reason, seen in the administration, and released there", async () => {
    const page = await visit({ as: "admin", at: "/cloud/companies" });
    await page.getByRole("button", { name: "Actions: Greenhouse South" }).click();
    await page.getByRole("menuitem", { name: "Stop control" }).click();
    const dialog = page.getByRole("dialog", { name: /Greenhouse South/ });
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Court order 14");
    await page.keyboard.press("Enter");
    await page.locator("[data-frozen]").waitFor();
    await openSection(page, at, "control");
    await page.getByText("Court order 14").waitFor();

    expect(await violationsOfLooks(page, { root: ".administration" })).toEqual({});

    await page.getByRole("button", { name: "Allow control: Greenhouse South" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Allow control" }).click();
    await page.getByText("No company is stopped").waitFor();
  });

  it.each(["companies", "users", "services", "service-log", "health", "letters", "simulation"])(
    "axe finds nothing on %s in both themes, wide and narrow",
    async (section) => {
      const page = await visit({ as: "admin", at: `${at}/${section}` });
      await page.locator(".settings-page").waitFor();
      await page.waitForLoadState("networkidle");

      expect(await violationsOfLooks(page, { root: ".administration" })).toEqual({});
    },
  );
});
