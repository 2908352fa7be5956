import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { address, answersOf, ask, eventually, hashOf, listDevices, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();

const list = "/cloud/devices";
const table = (page: Page) => page.getByRole("grid", { name: "Metering devices" });
const rows = (page: Page) => table(page).locator("tbody tr[data-index]");
const names = (page: Page) => rows(page).locator(".device-name a").allInnerTexts();
const search = (page: Page) => page.getByRole("searchbox");
const head = (page: Page, title: string) => table(page).locator("thead th", { hasText: title });
const selected = (page: Page) => table(page).locator("tbody tr[aria-selected=true]");
const sizes = (page: Page) => page.getByLabel("Rows on a page");

async function open(page: Page): Promise<Page> {
  await rows(page).first().waitFor();
  return page;
}

describe("the list", () => {
  it("DEV-001: more than 200 devices of every resource, of which the server sends a page", async () => {
    const token = await tokenOf("engineer");
    const groups = [1, 2, 3, 4].map((id) => listDevices(token, { device_group_id: [id] }));
    const { total } = await listDevices(token);
    expect(total).toBeGreaterThanOrEqual(200);
    const totals = (await Promise.all(groups)).map((each) => each.total);
    expect(totals.filter((each) => each > 0).length).toBeGreaterThanOrEqual(4);

    const page = await open(await visit({ as: "engineer", at: list }));

    expect(await rows(page).count()).toBe(25);
    await page.getByText(`1 – 25 of ${String(total)}`).waitFor();
  });

  it("UI-035 UI-060: page sizes are 10, 25 and 100, and paging moves through the list", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    const options = await sizes(page)
      .locator("option")
      .evaluateAll((all) => all.map((each) => each.getAttribute("value")));
    expect(options).toEqual(["10", "25", "100"]);
    await sizes(page).selectOption("10");
    await eventually(() => rows(page).count()).toBe(10);
    const first = await names(page);

    await page.getByRole("button", { name: "Next page" }).click();

    await page.getByText(/^11 – 20 of/).waitFor();
    await eventually(async () => (await names(page)).some((each) => first.includes(each))).toBe(false);
    expect(hashOf(page)).toContain("page=2");
    await page.getByRole("button", { name: "Previous page" }).click();
    await eventually(() => names(page)).toEqual(first);
  });

  it("UI-027 DEV-037: a click on a header sorts, another one reverses it, and the address follows", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    expect(await head(page, "Name and place").getAttribute("aria-sort")).toBe("ascending");
    const ascending = await names(page);

    await head(page, "Name and place").getByRole("button").click();
    await eventually(() => hashOf(page)).toContain("sort=-name");
    await eventually(async () => (await names(page))[0]).not.toBe(ascending[0]);
    expect(await head(page, "Name and place").getAttribute("aria-sort")).toBe("descending");

    await head(page, "Name and place").getByRole("button").click();
    await eventually(() => names(page)).toEqual(ascending);
    await head(page, "Last data").getByRole("button").click();
    await eventually(() => hashOf(page)).toContain("sort=last_data");
  });

  it("DEV-038 UI-032: the search is done by the server, also when cleared", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));

    await search(page).fill("EM24");
    await page.getByText(/^\d+ found$/).waitFor();

    await eventually(async () => (await names(page)).every((each) => each.startsWith("EM24"))).toBe(true);
    expect(hashOf(page)).toBe(`${list}?q=EM24`);
    await page.getByRole("button", { name: "Clear the search" }).click();
    await eventually(() => rows(page).count()).toBe(25);
    expect(await search(page).inputValue()).toBe("");
    await eventually(() => hashOf(page)).toBe(list);
  });

  it("UI-072: a slow answer to an older search never replaces a newer one", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const isOld = (request: Request) => (request.postData() ?? "").includes('"EM24"');
    await page.route("**/api/device/metering_devices", async (route) => {
      if (!isOld(route.request())) return route.fallback();
      await held;
      await route.continue().catch(() => undefined);
    });
    const oldAsked = page.waitForRequest(isOld);
    await search(page).pressSequentially("EM24");
    const old = await oldAsked;
    await search(page).fill("UMG");
    await eventually(async () => (await names(page))[0]).toMatch(/^UMG/);

    letGo();
    // None if the page has given up the request.
    const answer = await old.response();
    await answer?.finished();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));

    expect((await names(page)).every((each) => each.startsWith("UMG"))).toBe(true);
  });

  it("UI-072: text typed while an earlier search is written to the address is searched", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    await search(page).evaluate((box: HTMLInputElement) => {
      const replace = history.replaceState.bind(history);
      history.replaceState = (...given) => {
        replace(...given);
        if (!location.hash.includes("q=EM24") || box.value === "UMG") return;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, "UMG");
        box.dispatchEvent(new Event("input", { bubbles: true }));
      };
    });

    await search(page).fill("EM24");

    await eventually(() => hashOf(page)).toBe(`${list}?q=UMG`);
    expect(await search(page).inputValue()).toBe("UMG");
    await eventually(async () => (await names(page)).every((each) => each.startsWith("UMG"))).toBe(true);
  });

  it("UI-030: an empty result offers to reset, which restores the list", async () => {
    const page = await visit({ as: "engineer", at: `${list}?q=nothing-is-called-so&f.active=active` });
    await page.getByText("Nothing matches").waitFor();

    await page.getByRole("button", { name: "Reset filter" }).click();

    await open(page);
    expect(hashOf(page)).toBe(list);
  });

  it("the tab counts all devices, whatever the filter", async () => {
    const { total } = await listDevices(await tokenOf("engineer"));

    const page = await visit({ as: "engineer", at: `${list}?q=nothing-is-called-so` });

    await page.getByText("Nothing matches").waitFor();
    await page.getByRole("tab", { name: `Metering devices ${String(total)}` }).waitFor();
  });

  it("UI-023: a filter becomes a chip, whose cross removes it", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    await page.getByRole("button", { name: "+ Filter" }).click();
    await page.getByRole("dialog", { name: "Filter" }).getByRole("button", { name: "Resource" }).click();

    await page.getByRole("checkbox", { name: "Gas" }).click();

    await eventually(() => hashOf(page)).toMatch(/f\.resource=\d+$/);
    await page.getByRole("button", { name: "Resource: Gas", exact: true }).waitFor();
    await eventually(async () => (await names(page)).every((each) => /^G[PM]-/.test(each))).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Remove filter: Resource: Gas" }).click();
    await eventually(() => hashOf(page)).toBe(list);
  });

  it("ROUTE-026: reload and Back restore search, sort, page and filters", async () => {
    const at = `${list}?q=412&sort=-name&page=2&size=10&f.active=active`;
    const page = await open(await visit({ as: "engineer", at }));
    const before = await names(page);
    expect(before).toHaveLength(10);

    await page.reload();
    await open(page);
    expect(await names(page)).toEqual(before);
    await rows(page).first().locator("a").first().click();
    await page.getByRole("tab", { name: "Indications" }).waitFor();
    await page.goBack();
    await open(page);

    await eventually(() => names(page)).toEqual(before);
    expect(hashOf(page)).toBe(at);
    expect(await search(page).inputValue()).toBe("412");
  });

  it("UI-024 UI-025: the columns menu hides and shows columns, with one checkbox for all of them", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    await page.getByRole("button", { name: "Columns" }).click();
    const menu = page.getByRole("group", { name: "Columns" });
    expect(await menu.getByRole("checkbox", { name: "Select all" }).isChecked()).toBe(false);

    await menu.getByRole("checkbox", { name: "Model" }).click();
    await head(page, "Model").waitFor({ state: "detached" });
    await menu.getByRole("checkbox", { name: "Select all" }).click();

    for (const title of ["Model", "Number", "Zone"]) await head(page, title).waitFor();
    await menu.getByRole("button", { name: "Restore the default columns" }).click();
    await head(page, "Zone").waitFor({ state: "detached" });
  });

  it("UI-071: the page size is remembered for the user, on any browser", async () => {
    const page = await open(await visit({ as: "operator", at: list }));
    const saved = answersOf(page, "user/settings");

    await sizes(page).selectOption("10");

    await eventually(() => saved.length).toBe(1);
    const elsewhere = await open(await visit({ as: "operator", at: list, keepsTables: true }));
    expect(await rows(elsewhere).count()).toBe(10);
  });
});

describe("keyboard", () => {
  it("UI-026: J and K move, X selects and Enter opens", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    // The state is not a link; name and model are.
    await rows(page).nth(0).getByRole("gridcell").nth(1).click();

    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await eventually(() => selected(page).count()).toBe(1);
    expect(await selected(page).getAttribute("data-index")).toBe("1");
    await page.getByText("1 selected").waitFor();
    const name = (await names(page))[1] ?? "";
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { level: 1, name }).waitFor();
  });

  it("the slash key focuses the search from anywhere", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));

    await page.keyboard.press("/");
    await page.keyboard.type("EM24");

    await eventually(() => hashOf(page)).toContain("q=EM24");
  });
});

describe("selection", () => {
  it("UI-026 UI-031: selected rows are counted; a search, sort, filter, page or its size clears them", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));
    const tickTwo = async () => {
      await rows(page).nth(0).getByRole("checkbox").check();
      await rows(page).nth(1).getByRole("checkbox").check();
      await page.getByText("2 selected").waitFor();
    };

    for (const change of [
      () => page.getByRole("button", { name: "Next page" }).click(),
      () => head(page, "Name and place").getByRole("button").click(),
      () => sizes(page).selectOption("10"),
      () => search(page).fill("SDM"),
      async () => {
        await page.getByRole("button", { name: "+ Filter" }).click();
        await page.getByRole("dialog", { name: "Filter" }).getByRole("button", { name: "Resource" }).click();
        await page.getByRole("checkbox", { name: "Electricity" }).click();
      },
    ]) {
      await tickTwo();
      await change();
      await page.getByText("2 selected").waitFor({ state: "detached" });
      await eventually(() => table(page).getAttribute("aria-busy")).toBe("false");
      expect(await selected(page).count()).toBe(0);
    }
  });

  it("UI-031: a row that leaves the list leaves the selection, the others stay selected", async () => {
    const page = await open(await visit({ as: "operator", at: `${list}?q=GP-&f.active=active` }));
    const [name = ""] = await names(page);
    const { data } = await listDevices(await tokenOf("operator"), { search_string: name });
    const path = `device/metering_device/switch/${String(data[0]?.id)}`;
    await rows(page).nth(0).getByRole("checkbox").check();
    await rows(page).nth(1).getByRole("checkbox").check();
    await page.getByText("2 selected").waitFor();

    try {
      await rows(page).nth(0).getByRole("switch").click();
      // The row under the pointer stays in place.
      await page.mouse.move(0, 0);

      await page.getByText("1 selected").waitFor();
      await eventually(() => names(page)).not.toContain(name);
      expect(await selected(page).count()).toBe(1);
    } finally {
      await ask(path, { method: "PUT", token: await tokenOf("operator"), body: { is_active: true } });
    }
  });

  it("the checkbox in the header selects the page, Escape clears it", async () => {
    const page = await open(await visit({ as: "engineer", at: list }));

    await page.getByRole("checkbox", { name: "Select all rows of the page" }).check();

    await page.getByText("25 selected").waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => selected(page).count()).toBe(0);
  });
});

describe("switching", () => {
  let device: { readonly id: number; readonly name: string };

  beforeAll(async () => {
    const { data } = await listDevices(await tokenOf("operator"), { search_string: "GP-204" });
    const found = data.at(-1);
    if (!found) throw new Error("the demonstration has no gas meters");
    device = found;
  });

  const at = () => `${list}?q=${device.name}`;
  const toggle = (page: Page) => page.getByRole("switch", { name: `Active: ${device.name}` });
  const isActive = async () =>
    (await listDevices(await tokenOf("operator"), { search_string: device.name })).data[0]?.is_active;

  it("DEV-004: an operator switches a device off and on, and the row follows without a reload", async () => {
    const page = await open(await visit({ as: "operator", at: at() }));
    expect(await toggle(page).isChecked()).toBe(true);

    await toggle(page).click();
    await rows(page).first().getByText("Polling off").waitFor();
    expect(await isActive()).toBe(false);
    await toggle(page).click();

    await eventually(() => rows(page).first().getByText("Polling off").count()).toBe(0);
    expect(await toggle(page).isChecked()).toBe(true);
    expect(await isActive()).toBe(true);
  });

  it("a change made elsewhere is shown after a reload", async () => {
    const page = await open(await visit({ as: "engineer", at: at() }));

    const token = await tokenOf("operator");
    const path = `device/metering_device/switch/${String(device.id)}`;
    await ask(path, { method: "PUT", token, body: { is_active: false } });
    try {
      await page.reload();
      await rows(page).first().getByText("Polling off").waitFor();
    } finally {
      await ask(path, { method: "PUT", token, body: { is_active: true } });
    }
  });

  it("DEV-004: a refused switch reverts and shows the reason", async () => {
    const page = await open(await visit({ as: "operator", at: at() }));
    await page.route("**/api/device/metering_device/switch/*", (route) =>
      route.fulfill({
        status: 403,
        json: { msg: "Not today", data: { msg: "Not today" }, attributes: {}, code: "forbidden" },
      }),
    );

    await toggle(page).click();

    await page.getByText("Not today").waitFor();
    await eventually(() => toggle(page).isChecked()).toBe(true);
    expect(await isActive()).toBe(true);
  });

  it("ACL-017 ACL-036: with the right to read only there is no switch and no bulk action, and the server refuses too", async () => {
    const engineer = await tokenOf("engineer");
    const { data } = await ask("user/access", { method: "GET", token: engineer });
    const rules = { create: [], read: [4], update: [], delete: [], access_all: [] };
    const access = {
      ...data,
      is_admin: false,
      access_group: { id: 1, name: "Readers", access_rules: rules },
    };
    const page = await open(
      await visit({
        token: engineer,
        at: at(),
        before: async (fresh) => {
          await fresh.route("**/api/user/access", (route) =>
            route.fulfill({ json: { data: access, msg: "" } }),
          );
        },
      }),
    );

    expect(await toggle(page).isDisabled()).toBe(true);
    expect(await table(page).getByRole("checkbox").count()).toBe(0);
    const viewer = await tokenOf("viewer");
    const path = `device/metering_device/switch/${String(device.id)}`;
    expect((await ask(path, { method: "PUT", token: viewer, body: { is_active: false } })).status).toBe(403);
    expect(await isActive()).toBe(true);
  });

  it("ACL-037: the devices of one company are not those of another", async () => {
    const page = await visit({ as: "viewer", at: list });

    await page.getByText("No metering devices yet").waitFor();

    const viewer = await tokenOf("viewer");
    const foreign = await ask(`device/metering_device/${String(device.id)}`, {
      method: "GET",
      token: viewer,
    });
    const absent = await ask("device/metering_device/99999999", { method: "GET", token: viewer });
    expect([foreign.status, foreign.data]).toEqual([absent.status, absent.data]);
    await page.goto(`${address}/#/cloud/devices/data/${String(device.id)}`);
    await page.getByText("There is no such device").waitFor();
  });
});

it("UI-070: at 360 px the rows are links and nothing scrolls sideways", async () => {
  const page = await open(await visit({ as: "engineer", at: list, width: 360, height: 844 }));

  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await rows(page).first().getByRole("link").click();

  await page.getByRole("tab", { name: "Indications" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});
