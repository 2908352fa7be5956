import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

/** State shared by the pages. */
interface Setting {
  readonly browser: Browser;
  readonly address: string;
  /**
   * Called for each page, also one that a page opens, before it loads anything; `isUsed` if the app was
   * loaded before.
   */
  readonly listen: (page: Page, isUsed: boolean) => void;
}

export interface PageWish {
  readonly width: number;
  readonly height: number;
  /** What the local storage holds when the app starts. */
  readonly storage: Readonly<Record<string, string>>;
  /** A context that has loaded nothing before, and that no other visit takes. Only it has the worker. */
  readonly isNew: boolean;
}

interface Seat {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
  readonly isNew: boolean;
}

/**
 * The worker starts seconds after the page and then answers for the files of the app, which routes of a slow
 * test would no longer see.
 */
function withoutWorker(): void {
  if ("serviceWorker" in navigator)
    navigator.serviceWorker.register = () =>
      Promise.reject(new DOMException("not in a page that serves again", "SecurityError"));
}

/** Events that tests listen to. */
const events = ["request", "requestfinished", "response", "console", "pageerror"];

/**
 * Pages, each in its own context, that serve one visit after another: a new one costs a process that
 * compiles the whole app, twice the work of loading it again. Between visits routes, listeners, storage,
 * workers and history go; cached files stay.
 */
export function openPool({ browser, address, listen }: Setting) {
  /** Of the app's origin, so that its storage can be reached, without the app. */
  const outside = `${address}/version`;
  const free: Seat[] = [];
  const taken: Seat[] = [];

  const openSeat = async (isNew: boolean): Promise<Seat> => {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    if (!isNew) await context.addInitScript(withoutWorker);
    const page = await context.newPage();
    context.on("page", (opened) => listen(opened, true));
    return { context, page, session: await context.newCDPSession(page), isNew };
  };

  /** A page outside the app, where its storage can be filled. */
  const take = async ({ width, height, storage, isNew }: PageWish): Promise<Page> => {
    const used = isNew ? undefined : free.pop();
    const seat = used ?? (await openSeat(isNew));
    taken.push(seat);
    const { page, session } = seat;
    listen(page, used !== undefined);
    await page.setViewportSize({ width, height });
    if (used === undefined) await page.goto(outside);
    // Cookies, databases and workers; the browser offers no call for the tab's own storage.
    await session.send("Storage.clearDataForOrigin", { origin: address, storageTypes: "all" });
    await page.evaluate((entries) => {
      sessionStorage.clear();
      localStorage.clear();
      for (const [name, value] of entries) localStorage.setItem(name, value);
    }, Object.entries(storage));
    return page;
  };

  const release = async (seat: Seat): Promise<void> => {
    const { context, page } = seat;
    // Requests that a route still answers when the test is done are dropped.
    await Promise.all(context.pages().map((each) => each.unrouteAll({ behavior: "ignoreErrors" })));
    const others = context.pages().filter((each) => each !== page);
    await Promise.all(others.map((each) => each.close()));
    if (seat.isNew || page.isClosed()) return context.close();
    await context.setOffline(false);
    await page.goto(outside);
    await page.mouse.move(-1, -1);
    for (const event of events) page.removeAllListeners(event);
    free.push(seat);
  };

  return {
    take,
    /** Once the app is loaded: the pages shown before are not in the history. */
    forgetHistory: async (page: Page) => {
      await taken.find((seat) => seat.page === page)?.session.send("Page.resetNavigationHistory");
    },
    leave: async (page: Page) => {
      const at = taken.findIndex((seat) => seat.page === page);
      await Promise.all(taken.splice(at, 1).map(release));
    },
    leaveAll: () => Promise.all(taken.splice(0).map(release)),
  };
}
