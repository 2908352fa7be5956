import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask, eventually, hashOf, listDevices, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();

const tabs = (page: Page) => page.getByRole("tablist", { name: "Data of the device" }).getByRole("tab");
const grid = (page: Page) => page.getByRole("grid", { name: "Table of data" });
const rows = (page: Page) => grid(page).locator("tbody tr[data-index]");
const period = (page: Page) => page.locator(".range-current");
const range = (page: Page) => {
  const search = new URLSearchParams(hashOf(page).split("?")[1]);
  return { from: Number(search.get("from")), to: Number(search.get("to")) };
};

/** Zone of the demonstration company: no daylight saving. */
const offset = 8 * 3600;
const day = 86_400;
const today = () => Math.floor((Date.now() / 1000 + offset) / day) * day - offset;

async function deviceCalled(text: string): Promise<number> {
  const { data } = await listDevices(await tokenOf("engineer"), { search_string: text });
  const [first] = data;
  if (!first) throw new Error(`the demonstration has no ${text}`);
  return first.id;
}

const address = async (text: string, search = "") =>
  `/cloud/devices/data/${String(await deviceCalled(text))}${search}`;

describe("tabs", () => {
  it.each([
    ["a three-phase electricity meter", "SDM630"],
    ["a heat meter", "HM-"],
    ["a pulse counter by radio", "WP-"],
  ])("DATA-016 DATA-017 DATA-022: %s has the tabs of its model", async (_, text) => {
    const id = await deviceCalled(text);
    const { data } = await ask(`device/metering_device/${String(id)}`, {
      method: "GET",
      token: await tokenOf("engineer"),
    });
    const { model } = data["metering_device"] as { model: { tabs: Record<string, unknown> } };
    const titles: Record<string, string> = {
      tariffs: "Indications",
      instant_readings: "Instant readings",
      power_profiles: "Power profile",
      energy_profiles: "Energy profile",
      archives: "Archives",
      summary_readings: "Final readings",
      heat_calculating: "Calculated readings",
      alarm: "Alarms",
      info: "Reference information",
      service_information: "Service information",
    };
    const expected = Object.entries(titles).filter(([tab]) => Object.hasOwn(model.tabs, tab));
    const page = await visit({ as: "engineer", at: `/cloud/devices/data/${String(id)}` });
    await tabs(page).first().waitFor();

    expect(await tabs(page).allInnerTexts()).toEqual([...expected.map(([, title]) => title), "Poll log"]);
  });

  it("DATA-025 ROUTE-026: a tab applies its first message type, is in the address, and Back returns", async () => {
    const page = await visit({ as: "engineer", at: await address("SDM630") });
    const requests: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/") && request.method() === "POST")
        requests.push((request.postDataJSON() as { msgType?: number } | null)?.msgType);
    });
    await page.reload();
    await rows(page).first().waitFor();
    await eventually(() => requests).toContain(1);

    await page.getByRole("tab", { name: "Power profile" }).click();
    await rows(page).first().waitFor();

    await eventually(() => requests).toContain(5);
    expect(hashOf(page)).toContain("tab=power_profiles");
    await page.goBack();
    await page.getByRole("tab", { name: "Indications", selected: true }).waitFor();
  });

  it("ROUTE-026: reload keeps tab and period", async () => {
    const search = `?tab=power_profiles&from=${String(today() - 3 * day)}&to=${String(today() - 1)}`;
    const page = await visit({ as: "engineer", at: await address("SDM630", search) });
    await rows(page).first().waitFor();
    const text = await period(page).innerText();

    await page.reload();
    await rows(page).first().waitFor();

    expect(await page.getByRole("tab", { selected: true }).innerText()).toBe("Power profile");
    expect(await period(page).innerText()).toBe(text);
  });
});

describe("period", () => {
  it("RANGE-014: without a choice it is from Monday of last week to the end of today", async () => {
    const page = await visit({ as: "engineer", at: await address("SDM630") });
    const request = page.waitForRequest((each) => (each.postData() ?? "").includes("startDate"));
    const loadedOn = [today()];
    await page.reload();

    const { startDate, stopDate } = (await request).postDataJSON() as Record<
      "startDate" | "stopDate",
      number
    >;
    // Midnight may pass meanwhile.
    loadedOn.push(today());

    const shown = stopDate + 1 - day;
    expect(loadedOn).toContain(shown);
    const monday = new Date((startDate + offset) * 1000);
    expect([monday.getUTCDay(), monday.getUTCHours(), monday.getUTCMinutes()]).toEqual([1, 0, 0]);
    expect((shown - startDate) / day).toBeGreaterThanOrEqual(7);
    expect((shown - startDate) / day).toBeLessThan(14);
  });

  it("RANGE-001 RANGE-017: the bar has presets, and a start and an end that Show applies", async () => {
    const page = await visit({ as: "engineer", at: await address("SDM630") });
    await period(page).click();
    const panel = page.getByRole("dialog", { name: "Period" });
    for (const name of ["Today", "Yesterday", "This week", "Last week", "This month", "Last month"])
      await panel.getByRole("button", { name, exact: true }).waitFor();
    const chosenOn = [today()];
    await panel.getByRole("button", { name: "Yesterday" }).click();
    await eventually(() => hashOf(page)).toContain("from=");
    chosenOn.push(today());
    expect(chosenOn.map((each) => ({ from: each - day, to: each - 1 }))).toContainEqual(range(page));

    await period(page).click();
    const text = (at: number) => {
      const [date = "", time = ""] = new Date((at + offset) * 1000).toISOString().split("T");
      return `${date.split("-").reverse().join(".")} ${time.slice(0, 5)}`;
    };
    const start = today() - 2 * day + 3600;
    await panel.getByLabel("Start").fill(text(start));
    await panel.getByLabel("End").fill(text(start + day - 3600));
    await panel.getByRole("button", { name: "Show" }).click();

    await eventually(() => range(page).from).toBe(start);
    await panel.waitFor({ state: "detached" });
  });

  it("RANGE-019: one click steps to the previous period of the same length, another one back", async () => {
    const from = today() - day;
    const search = `?from=${String(from)}&to=${String(from + day - 1)}`;
    const page = await visit({ as: "engineer", at: await address("SDM630", search) });
    await page.getByRole("button", { name: "Previous period" }).click();
    await eventually(() => range(page)).toEqual({ from: from - day, to: from - 1 });

    await page.getByRole("button", { name: "Next period" }).click();

    await eventually(() => range(page)).toEqual({ from, to: from + day - 1 });
  });

  it("DATA-027: a changed period requests its rows", async () => {
    const page = await visit({
      as: "engineer",
      at: await address("SDM630", `?from=${String(today() - day)}&to=${String(today() - 1)}`),
    });
    await rows(page).first().waitFor();
    const newest = await rows(page).first().innerText();

    await page.getByRole("button", { name: "Previous period" }).click();

    await eventually(() => rows(page).first().innerText()).not.toBe(newest);
  });

  it("DATA-057: the zone of the shown times is next to the period", async () => {
    const page = await visit({ as: "engineer", at: await address("SDM630") });
    await page.locator(".device-facts").getByText("Device time UTC+8").waitFor();

    await period(page).click();

    await page.getByRole("dialog", { name: "Period" }).getByText("Device time, UTC+8").waitFor();
  });

  it("DATA-028 DATA-029: a period without readings says so instead of a chart and a table", async () => {
    const past = today() - 2000 * day;
    const page = await visit({
      as: "engineer",
      at: await address("SDM630", `?from=${String(past)}&to=${String(past + day - 1)}`),
    });

    await page.getByText("No data in this period").waitFor();

    expect(await page.locator(".uplot").count()).toBe(0);
  });
});

/** A meter whose half-hour profile is incomplete in this period. */
async function deviceWithGaps(from: number, to: number): Promise<number> {
  const token = await tokenOf("engineer");
  const { data } = await listDevices(token, { search_string: "SDM630" });
  for (const { id } of data) {
    const body = {
      device_id: id,
      msgType: 5,
      tab: "power_profiles",
      startDate: from,
      stopDate: to,
      profile_type: 30,
      limit: 10_000,
      shape: "columns",
    };
    const answer = (await ask("device/messages", { token, body })).data;
    const { datetime } = answer["columns"] as { datetime: readonly number[] };
    if (datetime.length < (to + 1 - from) / 1800) return id;
  }
  throw new Error("no meter of the demonstration has a gap");
}

it("TRUST-009 a device of each model of the demonstration has the same share in the list and on its page", async () => {
  const token = await tokenOf("engineer");
  const { data } = await listDevices(token, { per_page: 1000, only: ["id", "model_id", "name"] });
  const ofModels = [...new Map(data.map((each) => [each.model_id, each])).values()];

  for (const { id, model_id, name } of ofModels) {
    const { data: opened } = await ask(`device/metering_device/${String(id)}`, { method: "GET", token });
    const { model } = opened["metering_device"] as { readonly model: { readonly tabs: object } };
    const msgType = "tariffs" in model.tabs || !("instant_readings" in model.tabs) ? 1 : 2;
    // A reading of yesterday may come between the two calls.
    await eventually(async () => {
      const from = today() - day;
      const body = { device_id: id, msgType, startDate: from, stopDate: from + day - 1 };
      const { data: said } = await ask("device/messages/summary", { token, body });
      const { data: listed } = await listDevices(token, { search_string: name });
      const share = (listed.find((each) => each.id === id)?.completeness[5] ?? 0) * 100;
      return [model_id, Math.round(1000 * Math.abs(share - Number(said["received_share"])))];
    }).toEqual([model_id, 0]);
  }
  expect(ofModels.length).toBeGreaterThan(3);
});

describe("chart and table", () => {
  it("CHART-003: the chart of a period is 400 px high and drawn from the rows of the table", async () => {
    const page = await visit({ as: "engineer", at: await address("SDM630", "?tab=power_profiles") });
    const height = () =>
      page.evaluate(() => {
        const [plot, overview] = [".uplot", ".overview"].map((each) =>
          document.querySelector(each)?.getBoundingClientRect(),
        );
        return plot && overview ? Math.round(overview.bottom - plot.top) : undefined;
      });

    await eventually(height).toBe(400);
    await eventually(() => rows(page).count()).toBeGreaterThan(10);
  });

  it("DATA-053: missing readings are a gap with the number of intervals, not a zero", async () => {
    const [from, to] = [today() - 25 * day, today() - 1];
    const id = await deviceWithGaps(from, to);
    const page = await visit({
      as: "engineer",
      at: `/cloud/devices/data/${String(id)}?tab=power_profiles&from=${String(from)}&to=${String(to)}`,
    });
    await rows(page).first().waitFor();

    const summary = page.locator(".data-gaps");
    await summary.waitFor();

    expect(Number.parseInt(await summary.innerText(), 10)).toBeGreaterThan(0);
    const gaps = grid(page).locator("tr.is-gap");
    const scroller = page.locator(".grid-scroll");
    // Only the rows in sight are drawn: the text is read in the same step that finds the row.
    await eventually(async () => {
      const [text] = await gaps.allInnerTexts();
      if (text === undefined)
        await scroller.evaluate((element) => {
          element.scrollTop += element.clientHeight;
          window.scrollBy(0, innerHeight);
        });
      return text;
    }).toMatch(/No data, \d+ interval/);
  });

  it("UI-047: times show as DD.MM.YYYY and HH:mm on the clock of the device", async () => {
    const from = today() - day;
    const search = `?from=${String(from)}&to=${String(from + day - 1)}`;
    const page = await visit({ as: "engineer", at: await address("SDM630", search) });
    await rows(page).first().waitFor();
    const date = new Date((from + offset) * 1000).toISOString().slice(0, 10);

    expect(await rows(page).first().innerText()).toContain(date.split("-").reverse().join("."));
  });
});

describe("poll log", () => {
  it("the exchange of a poll shows the bytes that were sent and received, with their meaning", async () => {
    const page = await visit({ as: "engineer", at: await address("EM24", "?tab=journal") });
    const line = page.locator(".log-line");
    await line.first().waitFor();

    const detail = page.locator(".log-detail");
    await detail.getByText("Sent").first().waitFor();

    await detail.getByText("Received").first().waitFor();
    expect(await detail.innerText()).toMatch(/([0-9a-f]{2}\s+){4}/i);
  });
});
