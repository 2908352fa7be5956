import type { Page } from "playwright-core";
import { fromHex, toHex } from "@metrum/protocols/core";
import { buildTelegram } from "@metrum/protocols/wmbus";
import type { Park } from "@metrum/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { violations, violationsOfLooks } from "./axe.ts";
import { ask, eventually, hashOf, password, people, stored, useBrowser } from "./journey.ts";
import { anImei, startStranger, threePhaseModem } from "./strangers.ts";

const { visit, leave, tokenOf } = useBrowser();
const at = "/admin";
const parks: Park[] = [];
afterEach(() => Promise.all(parks.splice(0).map((each) => each.stop())));

interface Row {
  readonly device_id: string;
  readonly broker_port: number;
  readonly connect_status: boolean;
  readonly end_device_type: string | null;
  readonly last_date: number;
}

async function modems(): Promise<readonly Row[]> {
  const { data } = await ask("admin/broker/list/connected_gateways", {
    token: await tokenOf("admin"),
    body: {},
  });
  return data as unknown as readonly Row[];
}

/** An unregistered modem; it disconnects after the test. */
async function aStranger(imei: string): Promise<Park> {
  const park = await startStranger(imei, await tokenOf("admin"));
  parks.push(park);
  await eventually(async () => (await modems()).some(({ device_id }) => device_id === imei)).toBe(true);
  return park;
}

/** A stubbed list of modems: the last three digits of an identity are its last activity. */
const fixedModems = (times: readonly number[]) => (fresh: Page) =>
  fresh.route("**/api/admin/broker/list/connected_gateways", (route) =>
    route.fulfill({
      json: {
        msg: "",
        data: times.map((time) => ({
          device_id: `861503047120${String(time)}`,
          broker_port: 7001,
          ip_address: "10.0.0.1",
          last_date: 1_795_000_000 + time,
          connect_status: true,
          modem_type: "ATM21 2.13",
          end_device_type: "SDM630-Modbus",
          end_device_version: "9.0.2",
          rssi: -81,
          is_known: true,
        })),
      },
    }),
  );

const rows = (page: Page) => page.locator("tbody tr[data-index]");
const rowOf = (page: Page, id: string) => rows(page).filter({ hasText: id });
const open = (more = {}) => visit({ as: "admin", at, ...more });

const isRising = (ids: readonly string[]) =>
  ids.length > 1 && ids.every((each, at) => at === 0 || (ids[at - 1] ?? "") < each);

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox").fill(text);
  await rowOf(page, text).first().waitFor();
}

describe("access", () => {
  it("PADMIN-022 PADMIN-024: without a session the page has the sign-in form, and signing in stays on the page", async () => {
    const page = await visit({ at });

    await page.locator('input[name="email"]').fill(people.admin);
    await page.locator('input[name="password"]').fill(password);
    await page.locator("form button[type=submit]").click();
    await rows(page).first().waitFor();

    expect(hashOf(page)).toBe(at);
    expect(await stored(page, "token")).not.toBeNull();
  });

  it("PADMIN-023: users other than staff are redirected to the no-access page by the refused call", async () => {
    const page = await visit({ as: "engineer", at });

    await eventually(() => hashOf(page)).toBe("/withoutAccess");
  });

  it("PADMIN-023: an expired token is handled likewise", async () => {
    const page = await visit({ token: "long-gone", at: "/auth/privacy" });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, at);

    await eventually(() => hashOf(page)).toBe("/withoutAccess");
    expect(await stored(page, "token")).toBeNull();
  });
});

describe("the table", () => {
  it("PADMIN-001 PADMIN-002 PADMIN-009: ten columns, newest first, a check mark for online modems", async () => {
    const page = await open();
    await rows(page).first().waitFor();

    const heads = await page.locator("thead th").allTextContents();

    expect(heads.map((each) => each.replace(/[↑↓]/, "").trim())).toEqual([
      "Device ID",
      "Broker port",
      "IP address",
      "Last date",
      "Connection",
      "Modem type",
      "End device",
      "Version",
      "RSSI, dBm",
      "Poll",
    ]);
    expect(await page.locator("thead th[aria-sort=descending]").textContent()).toContain("Last date");
    // The newest may have hung up a moment ago.
    const online = rows(page).locator('.connection[data-online="true"]').first();
    expect(await online.locator("svg").count()).toBe(1);
  });

  it("PADMIN-008 PADMIN-009 PADMIN-010: the newest are first; two columns sort, in both directions", async () => {
    const page = await open({ before: fixedModems([200, 300, 100]) });
    await rows(page).first().waitFor();
    const order = async () =>
      (await rows(page).allTextContents()).map((text) => /^\d{15}/.exec(text.trim())?.[0]?.slice(-3));
    const sortable = await page
      .locator("thead th:has(button)")
      .evaluateAll((each) => each.map((head) => head.textContent.replaceAll(/[↑↓]/g, "").trim()));

    await eventually(order).toEqual(["300", "200", "100"]);
    await page.getByRole("button", { name: "Last date" }).click();
    await eventually(order).toEqual(["100", "200", "300"]);
    await page.getByRole("button", { name: "Device ID" }).click();
    await eventually(order).toEqual(["100", "200", "300"]);
    await page.getByRole("button", { name: "Device ID" }).click();
    await eventually(order).toEqual(["300", "200", "100"]);

    expect(sortable).toEqual(["Device ID", "Last date"]);
  });

  it("PADMIN-003 PADMIN-005 PADMIN-007: search and status filter it, and one click resets both", async () => {
    const page = await open();
    await rows(page).first().waitFor();
    const all = await modems();
    const [known] = all;

    await search(page, known?.device_id ?? "");
    await eventually(() => rows(page).count()).toBe(1);
    await page.getByRole("radio", { name: "Offline" }).check();
    await eventually(() => hashOf(page)).toContain("f.status=offline");
    await page.getByRole("button", { name: "Clear filters" }).first().click();

    await eventually(() => hashOf(page)).toBe(at);
    await eventually(() => rows(page).count()).toBe(Math.min(all.length, 100));
  });

  it("PADMIN-006 PADMIN-010 PADMIN-011: filter by port, reversed sorting, page sizes up to 1000", async () => {
    const page = await open();
    await rows(page).first().waitFor();

    const options = await page.getByLabel("Port", { exact: true }).locator("option").count();
    const sizes = await page
      .locator(".grid-pages option")
      .evaluateAll((each) => each.map((option) => Number(option.getAttribute("value"))));
    const ids = async () => (await rows(page).allTextContents()).map((text) => text.trim().slice(0, 15));
    await page.getByRole("button", { name: "Device ID" }).click();
    await eventually(() => hashOf(page)).toContain("sort=device_id");
    await eventually(async () => isRising(await ids())).toBe(true);
    await page.getByRole("button", { name: "Device ID" }).click();
    await eventually(() => hashOf(page)).toContain("sort=-device_id");
    await eventually(async () => isRising((await ids()).toReversed())).toBe(true);
    await page.getByLabel("Port", { exact: true }).selectOption({ index: 1 });
    await eventually(() => hashOf(page)).toContain("f.port=");

    expect(options).toBeGreaterThan(1);
    expect(sizes).toEqual([10, 25, 100, 250, 500, 1000]);
    expect(isRising((await ids()).toReversed())).toBe(true);
  });

  it("PADMIN-004 PADMIN-002: refresh loads again; a disconnected modem has a cross", async () => {
    const imei = anImei();
    const park = await aStranger(imei);
    const page = await open();
    await search(page, imei);
    expect(await rowOf(page, imei).locator('.connection[data-online="true"]').textContent()).toBe("Online");

    await park.stop();
    await eventually(
      async () => (await modems()).find(({ device_id }) => device_id === imei)?.connect_status,
    ).toBe(false);
    await page.getByRole("button", { name: "Refresh" }).click();
    await rowOf(page, imei).locator('.connection[data-online="false"]').waitFor();

    expect(await rowOf(page, imei).locator(".connection").textContent()).toBe("Offline");
    expect(await rowOf(page, imei).getByRole("button", { name: /Poll/ }).isDisabled()).toBe(true);
  });

  it("10,000 modems scroll: only visible rows are drawn", async () => {
    const page = await open({
      at: `${at}?size=1000`,
      before: (fresh: Page) =>
        fresh.route("**/api/admin/broker/list/connected_gateways", (route) =>
          route.fulfill({
            json: {
              msg: "",
              data: Array.from({ length: 10_000 }, (_, each) => ({
                device_id: `8615${String(each).padStart(11, "0")}`,
                broker_port: 7001,
                ip_address: "10.0.0.1",
                last_date: 1_795_000_000 + each,
                connect_status: each % 3 > 0,
                modem_type: "ATM21",
                end_device_type: null,
                end_device_version: null,
                rssi: -81,
                is_known: true,
              })),
            },
          }),
        ),
    });
    await rows(page).first().waitFor();

    expect(await page.locator(".grid-pages").textContent()).toContain("10 000".replace(" ", "\u00A0"));
    expect(await rows(page).count()).toBeLessThan(200);
  });

  it("a failed list shows the reason and a retry", async () => {
    const page = await open({
      before: (fresh: Page) =>
        fresh.route("**/api/admin/broker/list/connected_gateways", (route) =>
          route.fulfill({ status: 500, json: { msg: "Out of order", data: { msg: "Out of order" } } }),
        ),
    });

    await page.getByText("Out of order").first().waitFor();
    expect(await page.getByRole("button", { name: /try again|repeat|retry/i }).count()).toBeGreaterThan(0);
  });
});

describe("the poll", () => {
  it("PADMIN-012 PADMIN-016 PADMIN-017 PADMIN-021: spinner, then values with titles and units, and vectors", async () => {
    const id = await threePhaseModem(await tokenOf("admin"));
    let send = (): void => undefined;
    const isSeen = new Promise<void>((resolve) => (send = resolve));
    const page = await open({
      before: (fresh: Page) =>
        fresh.route("**/api/admin/broker/request_data", async (route) => {
          await isSeen;
          await route.continue();
        }),
    });
    await search(page, id);

    await rowOf(page, id).getByRole("button", { name: /Poll/ }).click();
    await page.locator(".poll .spinner").waitFor();
    send();
    await page.locator(".poll-values").waitFor();
    const voltage = await page.locator('[data-field="voltage1"]').textContent();

    expect(
      await page.locator("[data-field]").evaluateAll((all) => all.map((each) => each.dataset["field"])),
    ).toEqual([
      "model",
      "serial_number",
      "tariff1",
      ...["voltage1", "voltage2", "voltage3", "current1", "current2", "current3"],
    ]);
    expect(await page.locator('[data-field="model"] b').textContent()).toContain("SDM630");
    expect(voltage).toMatch(/^Voltage.*2[0-9]{2}(\.[0-9]{1,2})?V$/);
    await eventually(() => page.locator(".vectors canvas").count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  it("PADMIN-013 PADMIN-014: a failure shows the server's message, and refresh polls again", async () => {
    let requestCount = 0;
    const page = await open({
      before: (fresh: Page) =>
        fresh.route("**/api/admin/broker/request_data", (route) => {
          requestCount += 1;
          const answer =
            requestCount === 1
              ? { answer: {}, result: false, error: "No answer" }
              : requestCount === 2
                ? { answer: {}, result: false, error: "" }
                : { answer: { model: "SDM630", voltage1: 230, voltage2: 231 }, result: true, error: "" };
          return route.fulfill({ json: { msg: "", data: answer } });
        }),
    });
    await rows(page).first().waitFor();
    await page.locator("tbody button:enabled").first().click();
    const dialog = page.getByRole("dialog");

    await dialog.getByText("No answer").waitFor();
    await dialog.getByRole("button", { name: "Refresh" }).click();
    await dialog.getByText("The poll failed").waitFor();
    await dialog.getByRole("button", { name: "Refresh" }).click();
    await dialog.locator('[data-field="voltage2"]').waitFor();

    expect(requestCount).toBe(3);
    expect(await dialog.locator("canvas").count()).toBe(0);
    expect(await dialog.locator("[data-field]").count()).toBe(3);
  });

  it("PADMIN-023: a refused poll leads to the no-access page", async () => {
    const page = await open({
      before: (fresh: Page) =>
        fresh.route("**/api/admin/broker/request_data", (route) =>
          route.fulfill({ status: 403, json: { msg: "No", data: { msg: "No" }, code: "right_missing" } }),
        ),
    });
    await rows(page).first().waitFor();
    await page.locator("tbody button:enabled").first().click();

    await eventually(() => hashOf(page)).toBe("/withoutAccess");
  });
});

describe("the inbox", () => {
  it("an unknown modem is polled, registered in two clicks, and its meter is read", async () => {
    const imei = anImei();
    await aStranger(imei);
    const page = await open();
    await page.getByRole("searchbox").fill(imei);
    await page.getByRole("button", { name: "Refresh" }).click();
    await rowOf(page, imei).getByRole("button", { name: /Poll/ }).click();
    await untilPolled(page);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();

    await page.getByRole("tab", { name: /Unknown callers/ }).click();
    await rowOf(page, imei).getByRole("button", { name: /Add/ }).click();
    await page.getByRole("dialog").getByLabel("Company").selectOption({ label: "Darkhan Utility Networks" });
    await page.getByRole("button", { name: "Add and poll" }).click();
    await rowOf(page, imei).waitFor({ state: "detached" });

    const token = await tokenOf("engineer");
    await eventually(async () => {
      const { data } = await ask("device/metering_devices", { token, body: { search_string: imei } });
      const list = data["metering_devices"] as { data: readonly { last_data_at: number | null }[] };
      return list.data[0]?.last_data_at ?? null;
    }, 120_000).not.toBeNull();
  }, 500_000);

  it("an encrypted radio meter is added with its key, wrong and right, and its next telegram is read", async () => {
    const key = "000102030405060708090a0b0c0d0e0f";
    const id = String(Math.floor(Math.random() * 1e8)).padStart(8, "0");
    const name = `dme-${id}-70-07`;
    const token = await tokenOf("engineer");
    const send = async (accessNumber: number) => {
      const payload = toHex(
        buildTelegram(fromHex("0c13 80672900 0b3b 841200 025a 7200"), {
          ...{ manufacturer: "DME", id, version: 0x70, medium: 7, accessNumber },
          ...{ key: fromHex(key), security: "mode5" },
        }),
      );
      const { data } = await ask("push/readings", {
        token,
        body: { readings: [{ deviceID: name, payload }] },
      });
      return (data["results"] as { readonly result: string }[])[0]?.result;
    };
    expect(await send(1)).toBe("aside");
    const page = await open();

    await page.getByRole("tab", { name: /Unknown callers/ }).click();
    await rowOf(page, name).getByRole("button", { name: /Add/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Model").selectOption({ label: "Diehl HYDRUS 2 (wM-Bus)" });
    await dialog.getByText("More settings").click();
    const field = dialog.getByLabel("Encryption key");
    await field.fill(key.slice(2));
    await dialog.getByRole("button", { name: "Add and poll" }).click();
    await dialog.getByText("a key is 32 hexadecimal digits").waitFor();
    expect(await violations(page)).toEqual([]);
    await field.fill(key);
    await dialog.getByRole("button", { name: "Add and poll" }).click();
    await rowOf(page, name).waitFor({ state: "detached" });

    expect(await send(2)).toBe("taken");
  });
});

/**
 * Trials of unknown modems have time limits that a busy meter may exceed: the user then retries, as the
 * dialog offers.
 */
async function untilPolled(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  const model = page.locator('[data-field="model"]');
  for (let attempt = 1; attempt <= 4; attempt++) {
    await model.or(dialog.getByRole("alert")).first().waitFor({ timeout: 90_000 });
    if (await model.isVisible()) return;
    const answered = page.waitForResponse("**/api/admin/broker/request_data");
    await dialog.getByRole("button", { name: "Refresh" }).click();
    await answered;
    await dialog.getByRole("status").waitFor({ state: "detached" });
  }
  throw new Error("the stranger was never read");
}

it.each(["ru", "en", "mn"])("axe finds nothing in %s, wide and narrow, in both themes", async (language) => {
  for (const tab of ["", "?tab=inbox"]) {
    const page = await open({ at: `${at}${tab}`, language });
    await page.locator(".grid, .note").first().waitFor();

    expect([tab, await violationsOfLooks(page)]).toEqual([tab, {}]);
    await leave(page);
  }
});
