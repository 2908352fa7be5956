import { kill } from "node:process";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { ask, type Device, eventually, listDevices, parkPid, useBrowser } from "./journey.ts";

const { visit, tokenOf } = useBrowser();

/** A minute between polls, and some time for the poll itself. */
const onePollMs = 90_000;
const table = (page: Page) => page.getByRole("grid", { name: "Table of data" });
const newest = (page: Page) => table(page).locator("tbody tr[data-index]:not(.is-gap)").first();
const lines = (page: Page) => page.locator(".log-line");
const detail = (page: Page) => page.locator(".log-detail");

/** Analysers behind converters: each answers at once, and is polled once a minute, at its own second. */
async function analysers(type: "UMG 96" | "EM24"): Promise<readonly Device[]> {
  const { data } = await listDevices(await tokenOf("engineer"), { search_string: type });
  return data;
}

async function analyser(at: number): Promise<number> {
  const device = (await analysers("UMG 96"))[at];
  if (!device) throw new Error("the demonstration has too few analysers");
  return device.id;
}

/** One that is polled soon, but not before its page is open. */
async function nextInTurn(): Promise<number> {
  let id: number | undefined;
  await eventually(async () => {
    const all = [...(await analysers("UMG 96")), ...(await analysers("EM24"))];
    const now = Date.now() / 1000;
    const ages = all.map((each) => ({ id: each.id, age: now - (each.last_data_at ?? 0) }));
    id = ages.find(({ age }) => age > 38 && age < 48)?.id;
    return id;
  }, onePollMs).toBeDefined();
  return id ?? 0;
}

/** Marker that proves that the page was not reloaded. */
const mark = (page: Page) => page.evaluate(() => (document.body.dataset["opened"] = "once"));
const isMarked = (page: Page) => page.evaluate(() => document.body.dataset["opened"] === "once");

describe("live", () => {
  it("the list shows a newer reading without a reload", async () => {
    const page = await visit({ as: "engineer", at: "/cloud/devices?q=SDM630" });
    const times = page.locator(".device-last-at");
    await times.first().waitFor();
    await mark(page);
    // The first change may come from the request after joining; the others are live events.
    const seen = new Set<string>();

    await eventually(
      async () => seen.add((await times.allInnerTexts()).join()).size,
      onePollMs,
    ).toBeGreaterThan(3);

    expect(await isMarked(page)).toBe(true);
  });

  it(
    "DATA-046: new readings of a polled device enter the open table by themselves, and the poll log has their bytes",
    { timeout: 2 * onePollMs },
    async () => {
      const id = await nextInTurn();
      const page = await visit({ as: "engineer", at: `/cloud/devices/data/${String(id)}` });
      await newest(page).waitFor();
      await mark(page);
      const before = await newest(page).innerText();

      await eventually(() => newest(page).innerText(), onePollMs).not.toBe(before);

      await page.getByRole("tab", { name: "Poll log" }).click();
      await lines(page).first().waitFor();
      await detail(page).getByText("Sent").first().waitFor();
      await detail(page).getByText("Received").first().waitFor();
      expect(await detail(page).innerText()).toMatch(/([0-9a-f]{2}\s+){4}/i);
      expect(await isMarked(page)).toBe(true);
    },
  );

  it("DATA-046: a requested reading enters the table without waiting for the schedule", async () => {
    const page = await visit({ as: "engineer", at: `/cloud/devices/data/${String(await analyser(1))}` });
    await newest(page).waitFor();
    const count = async () => Number(await table(page).getAttribute("aria-rowcount"));
    const before = await count();

    await page.getByRole("button", { name: "Current values" }).click();

    await eventually(count).toBeGreaterThan(before);
  });
});

describe("when the meters stop", () => {
  afterEach(() => {
    kill(parkPid, "SIGCONT");
  });

  it(
    "readings stop, the poll log shows missing answers, and both resume with the meters",
    { timeout: 3 * onePollMs },
    async () => {
      const id = await analyser(2);
      const token = await tokenOf("engineer");
      const lastDataAt = async () => {
        const { data } = await ask(`device/metering_device/${String(id)}`, { method: "GET", token });
        return (data["metering_device"] as { last_data_at: number }).last_data_at;
      };
      const page = await visit({ as: "engineer", at: `/cloud/devices/data/${String(id)}?tab=journal` });
      const askNow = () => page.getByRole("button", { name: "Current values" }).click();
      await lines(page).first().waitFor({ timeout: onePollMs });

      kill(parkPid, "SIGSTOP");
      const stoppedAt = Math.ceil(Date.now() / 1000);
      await askNow();
      await eventually(async () => {
        await page.reload();
        await lines(page).first().waitFor();
        return lines(page).first().innerText();
      }, onePollMs).toMatch(/No answer|line is down/);
      expect(await lastDataAt()).toBeLessThanOrEqual(stoppedAt + 1);

      kill(parkPid, "SIGCONT");
      await askNow();
      await eventually(lastDataAt, onePollMs).toBeGreaterThan(stoppedAt + 1);
    },
  );
});
