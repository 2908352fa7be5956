import { execFileSync } from "node:child_process";
import { launchBrowser } from "../../e2e/browser.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { atMost, median, type Bench, type Figure } from "../report.ts";
import {
  listenLive,
  newPage,
  signIn,
  slow,
  timesOf,
  type Locator,
  type Opened,
  type Page,
} from "./webPage.ts";

const limits = { lcpMs: 1500, inpMs: 100, eventMs: 16, scrollTaskMs: 50 };
const rounds = 3;
const liveEvents = 10;
/** A row below the visible ones: the list is drawn. */
const listReady = "tbody tr[data-index='30']";

interface Case {
  readonly title: string;
  readonly at: string;
  readonly isSignedOut?: boolean;
  /** Visible when the page is loaded. */
  readonly ready: string;
  /** User actions on the page, for the slowest response. */
  readonly use: (page: Page) => Promise<void>;
}

/** Between keys, and between pointing and clicking: as fast as quick users are. */
const handMs = 100;

/** Moves the pointer there first: checks of the driver right before the click would count as the page's. */
async function click(page: Page, target: Locator): Promise<void> {
  await target.hover();
  await page.waitForTimeout(handMs);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(handMs);
}

const pressAll = async (page: Page, keys: readonly string[]): Promise<void> => {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(handMs);
  }
};

const cases = (deviceId: number): readonly Case[] => [
  {
    title: "login",
    at: "/",
    isSignedOut: true,
    ready: "input[type=password]",
    async use(page) {
      await click(page, page.locator("input").first());
      await page.keyboard.type("operator", { delay: handMs });
      await pressAll(page, ["Tab"]);
      await page.keyboard.type("secret", { delay: handMs });
    },
  },
  {
    title: "devices, 100 rows, live",
    at: "/cloud/devices?size=100",
    ready: listReady,
    async use(page) {
      await click(page, page.locator("tbody tr[data-index='2'] td").nth(4));
      await pressAll(page, ["j", "j", "x", "Escape", "k", "/", "S", "D", "M"]);
    },
  },
  {
    title: "data page",
    at: `/cloud/devices/data/${String(deviceId)}?tab=tariffs`,
    ready: ".chart canvas",
    async use(page) {
      await click(page, page.getByRole("switch").first());
      await click(page, page.getByRole("tab").nth(1));
      await click(page, page.locator("tbody tr[data-index='2'] td").nth(1));
      await pressAll(page, ["j", "j"]);
    },
  },
];

export const bench: Bench = {
  title:
    "pages of the web app, shares of their limits: 4 times slower processor, 9 Mbit/s; one live event and scrolling at full speed",
  async run() {
    build();
    const platform = await startPlatform();
    const browser = await launchBrowser();
    try {
      const { token, deviceId } = await signIn(platform.address);
      const opened = { browser, address: platform.address, token };
      const figures: Figure[] = [];
      for (const each of cases(deviceId)) figures.push(...(await pageFigures(opened, each)));
      return [...figures, await eventFigure(opened), await scrollFigure(opened)];
    } finally {
      await browser.close();
      await platform.stop();
    }
  },
};

/** The build of `npm start`; unchanged sources are not built again. */
function build(): void {
  const script = 'import("./scripts/build.mjs").then((of) => Promise.all([of.buildWeb(), of.buildServer()]))';
  execFileSync(process.execPath, ["-e", script], { cwd: `${import.meta.dirname}/../..`, stdio: "inherit" });
}

const shareOf = (what: string, ms: number, limitMs: number): Figure =>
  atMost(`${what}: ${ms.toFixed(1)} ms of ${String(limitMs)}`, ms / limitMs, "of limit", 1);

async function pageFigures(opened: Opened, each: Case): Promise<readonly Figure[]> {
  const lcp: number[] = [];
  const inp: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await newPage(opened, each.isSignedOut === true);
    await slow(page);
    await page.goto(`${opened.address}/#${each.at}`);
    await page.locator(each.ready).first().waitFor();
    await page.waitForLoadState("networkidle");
    // The browser reports no larger paint after the first user action.
    lcp.push((await timesOf(page)).lcp);
    await each.use(page);
    await page.waitForTimeout(500);
    inp.push((await timesOf(page)).inp);
    await page.context().close();
  }
  return [
    shareOf(`${each.title}, LCP`, median(lcp), limits.lcpMs),
    shareOf(`${each.title}, INP`, median(inp), limits.inpMs),
  ];
}

/** Script time of the page from one event to the next, consequences included. */
async function eventFigure(opened: Opened): Promise<Figure> {
  const page = await newPage(opened, false);
  const live = await listenLive(page);
  await page.goto(`${opened.address}/#/cloud/devices?size=100`);
  await page.locator(listReady).waitFor();
  await live.isJoined;
  await page.waitForLoadState("networkidle");
  const ids = await page.evaluate(() =>
    [...document.querySelectorAll("tbody a[href*='devices/data/']")].map((each) =>
      Number(/data\/(\d+)/.exec(each.getAttribute("href") ?? "")?.[1]),
    ),
  );
  const times: number[] = [];
  for (const id of ids.slice(0, liveEvents)) times.push(await live.scriptOf(id));
  await page.context().close();
  return shareOf("one live event on 100 rows, script", median(times), limits.eventMs);
}

const scrolls = 40;

/** The longest task while the rows of a list are scrolled past and back, at the speed of a quick wheel. */
async function scrollFigure(opened: Opened): Promise<Figure> {
  const page = await newPage(opened, false);
  await page.goto(`${opened.address}/#/cloud/devices?size=100`);
  await page.locator(listReady).waitFor();
  await page.waitForLoadState("networkidle");
  const tasks = await page.evaluateHandle(() => {
    const found: number[] = [];
    // Only tasks of 50 ms and more are reported.
    new PerformanceObserver((list) =>
      found.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: "longtask",
    });
    return found;
  });
  await page.locator("tbody tr").first().hover();
  for (let at = 0; at < scrolls; at++) {
    await page.mouse.wheel(0, at < scrolls / 2 ? 400 : -400);
    await page.waitForTimeout(30);
  }
  await page.waitForTimeout(500);
  const longest = Math.max(0, ...(await tasks.jsonValue()));
  await page.context().close();
  return shareOf("scrolling the list, longest task", longest, limits.scrollTaskMs);
}
