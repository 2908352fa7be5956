import type { Browser, BrowserContext, Page, Response } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { launchBrowser } from "./browser.ts";
import { platformOf } from "./platforms.ts";

export const { address, parkPid, dataDir, deviceHost } = await platformOf(inject("desk"));
export const password = "Metrum!2026";

/** Accounts of the demonstration, by what they may do. */
export const people = {
  admin: "admin@metrum.example",
  dealer: "dealer@metrum.example",
  engineer: "engineer@metrum.example",
  operator: "operator@metrum.example",
  viewer: "viewer@metrum.example",
  norights: "norights@metrum.example",
  api: "api@metrum.example",
} as const;
export type Person = keyof typeof people;

interface Call {
  readonly method?: string;
  readonly token?: string;
  readonly body?: unknown;
  /** What the program calls itself. */
  readonly agent?: string;
}

/** Asks the server past the browser. Answers status and `data`. */
export async function ask(path: string, { method = "POST", token, body, agent }: Call = {}) {
  const response = await fetch(`${address}/api/${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(agent === undefined ? {} : { "user-agent": agent }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  const data: unknown =
    typeof answer === "object" && answer !== null && "data" in answer ? answer.data : null;
  return { status: response.status, data: data as Record<string, unknown> };
}

export async function newToken(person: Person): Promise<string> {
  const { status, data } = await ask("auth/login", { body: { email: people[person], password } });
  if (status !== 200) throw new Error(`${person} was not let in: ${String(status)}`);
  return String(data["access_token"]);
}

export interface Device {
  readonly id: number;
  readonly name: string;
  readonly is_active: boolean;
  readonly last_data_at: number | null;
  readonly model_id: number;
  readonly completeness: readonly (number | null)[];
}

/** Devices as the server lists them. */
export async function listDevices(token: string, wanted: object = {}) {
  const { data } = await ask("device/metering_devices", { token, body: { per_page: 100, ...wanted } });
  return data["metering_devices"] as { readonly data: readonly Device[]; readonly total: number };
}

export interface Visit {
  /** Signed in as; nobody when left out. */
  readonly as?: Person;
  /** A token of one's own, for tests that end the session. */
  readonly token?: string;
  /** Hash address. */
  readonly at?: string;
  /** English unless said otherwise; null leaves the browser as it comes. */
  readonly language?: string | null;
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** What tables remember of the user stays; else a visit starts without. */
  readonly keepsTables?: boolean;
  /** Called before the first load, to answer calls differently. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Ends what hangs; a shared processor is no mistake. */
const patienceMs = 120_000;

/** Waits until what is read is as expected: `await eventually(() => page.url()).toContain("...")`. */
export const eventually = <Value>(read: () => Value | Promise<Value>, timeout = patienceMs) =>
  expect.poll(read, { timeout, interval: 100 });

/** What the browser itself notes: refused requests, and a socket that was given up while it opened. The app may not say anything. */
const browserNotes = ["Failed to load resource", "WebSocket is closed before the connection is established"];

/** Advice of the browser to whoever writes pages, no fault of one; newer ones have a level that Playwright does not name. */
const hintLevels: ReadonlySet<string> = new Set(["verbose"]);

/** A request that a route of the test still answers when the test is done is nobody's any more. */
async function closeQuietly(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}

/**
 * A browser for the tests of a file. The answer opens a page in a context of its own. Afterwards nothing may have been
 * written to the console and nothing thrown, whatever the test was about.
 */
export function useBrowser() {
  let browser: Browser;
  const tokens = new Map<Person, Promise<string>>();
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(closeQuietly));
    expect(complaints.splice(0), "written to the console or thrown in the page").toEqual([]);
  });

  const tokenOf = (person: Person) => {
    const known = tokens.get(person) ?? newToken(person);
    tokens.set(person, known);
    return known;
  };
  const listen = (page: Page) => {
    page.setDefaultTimeout(patienceMs);
    page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
    page.on("console", (message) => {
      if (hintLevels.has(message.type())) return;
      if (browserNotes.some((note) => message.text().includes(note))) return;
      complaints.push(`${message.type()}: ${message.text()}`);
    });
  };
  const visit = async (wish: Visit = {}): Promise<Page> => {
    const token = wish.token ?? (wish.as === undefined ? undefined : await tokenOf(wish.as));
    if (token !== undefined && wish.keepsTables !== true) await forgetTables(token);
    const context = await browser.newContext({
      viewport: { width: wish.width ?? 1440, height: wish.height ?? 900 },
      reducedMotion: "reduce",
      storageState: { cookies: [], origins: [{ origin: address, localStorage: storageOf(wish, token) }] },
    });
    contexts.push(context);
    context.on("page", listen);
    const page = await context.newPage();
    await wish.before?.(page);
    await page.goto(`${address}/#${wish.at ?? "/"}`);
    return page;
  };
  /** Complaints that a test provokes: waits for the first and takes all, so that they do not count as faults. */
  const provoked = async (): Promise<string[]> => {
    await eventually(() => complaints.length).toBeGreaterThan(0);
    return complaints.splice(0);
  };
  return { visit, tokenOf, provoked };
}

function storageOf({ language = "en", theme }: Visit, token: string | undefined) {
  return [
    ...(language === null ? [] : [{ name: "metrum.language", value: language }]),
    ...(theme === undefined ? [] : [{ name: "metrum.theme", value: theme }]),
    // Whoever signs in by the form is not kept by the offer of the first login.
    ...(token === undefined ? [{ name: "metrum.newsletterAsked", value: "1" }] : []),
    ...(token === undefined ? [] : [{ name: "metrum.token", value: token }]),
  ];
}

/** Tables remember sort, size and columns per user; no test sees what another has left. */
async function forgetTables(token: string): Promise<void> {
  await ask("user/settings", { method: "PUT", token, body: { settings: { "grid.devices": null } } });
}

/** Value kept in the local storage of the page. */
export const stored = (page: Page, name: string) =>
  page.evaluate((key) => localStorage.getItem(key), `metrum.${name}`);

/** Hash part of the address, with its search. */
export const hashOf = (page: Page) => new URL(page.url()).hash.slice(1);

/** Answers of a call, from now on. */
export function answersOf(page: Page, path: string): Response[] {
  const seen: Response[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === `/api/${path}`) seen.push(response);
  });
  return seen;
}
