import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { listDevices, useBrowser, type Person } from "./journey.ts";
import { weighing, type Weight } from "./weight.ts";

const { visit, tokenOf } = useBrowser();

let deviceId: number;
beforeAll(async () => {
  const { data } = await listDevices(await tokenOf("engineer"), { q: "SDM630" });
  deviceId = data[0]?.id ?? 0;
});

interface Budget {
  readonly page: string;
  readonly at: () => string;
  readonly as?: Person;
  readonly language: string;
  /** Requests of the screen by the time it has loaded. */
  readonly ready: string;
  /** KiB of scripts and of fonts. */
  readonly scripts: number;
  readonly fonts: number;
}

const data = (tab: string) => () => `/cloud/devices/data/${String(deviceId)}?tab=${tab}`;
const row = "tbody tr[data-index]";
const budgets: readonly Budget[] = [
  { page: "login", at: () => "/", language: "ru", ready: "form", scripts: 135, fonts: 80 },
  {
    page: "device list",
    at: () => "/cloud/devices",
    as: "engineer",
    language: "ru",
    ready: row,
    scripts: 175,
    fonts: 80,
  },
  {
    page: "data page",
    at: data("tariffs"),
    as: "engineer",
    language: "ru",
    ready: row,
    scripts: 218,
    fonts: 80,
  },
  {
    page: "data page with φ",
    at: data("instant_readings"),
    as: "engineer",
    language: "mn",
    ready: row,
    scripts: 218,
    fonts: 96,
  },
];
const mostStyles = 20;

describe("data received by a browser until the page is idle, in KiB of gzip", () => {
  test.each(budgets)("$page in $language", async ({ at, as, language, ready, scripts, fonts }) => {
    let weighed: (() => Promise<Weight>) | undefined;
    const before = async (page: Page) => {
      weighed = await weighing(page);
    };
    const wish = { ...(as === undefined ? {} : { as }), at: at(), language, isNew: true, before };
    const page = await visit(wish);
    await page.locator(ready).first().waitFor();

    const weight = await weighed?.();

    expect(weight?.scripts, "scripts").toBeLessThanOrEqual(scripts);
    expect(weight?.styles, "styles").toBeLessThanOrEqual(mostStyles);
    expect(weight?.fonts, "fonts").toBeLessThanOrEqual(fonts);
    // A page that did not load completely would weigh too little.
    expect(weight?.scripts).toBeGreaterThan(scripts / 2);
    expect(weight?.fonts).toBeGreaterThan(0);
  });
});
