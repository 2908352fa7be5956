import type { Page, Response } from "playwright-core";
import { afterEach, beforeAll, expect, inject } from "vitest";
import { launchBrowser } from "./browser.ts";
import { openPool } from "./pagePool.ts";
import { platformOf } from "./platforms.ts";

export const { address, parkPid, dataDir, deviceHost } = await platformOf(inject("desk"));
export const password = "Metrum!2026";

/** Accounts of the demonstration, by their rights. */
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
  /** User agent of the program. */
  readonly agent?: string;
}

/** How long a platform may be busy that shares its processors with others and their browsers. */
const busyMs = 60_000;

/** Calls the server directly, without the browser, until it is not busy. Returns status and `data`. */
export async function ask(path: string, { method = "POST", token, body, agent }: Call = {}) {
  const send = () =>
    fetch(`${address}/api/${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(agent === undefined ? {} : { "user-agent": agent }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  let response = await send();
  for (const end = Date.now() + busyMs; response.status === 503 && Date.now() < end; response = await send())
    await new Promise((resolve) => setTimeout(resolve, 500));
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
  readonly state: string;
  readonly last_data_at: number | null;
  readonly model_id: number;
  readonly completeness: readonly (number | null)[];
}

/** Devices as listed by the server. */
export async function listDevices(token: string, wanted: object = {}) {
  const { data } = await ask("device/metering_devices", { token, body: { per_page: 100, ...wanted } });
  return data["metering_devices"] as { readonly data: readonly Device[]; readonly total: number };
}

export interface Visit {
  /** Signed in as; signed out if absent. */
  readonly as?: Person;
  /** A separate token, for tests that end the session. */
  readonly token?: string;
  /** Hash address. */
  readonly at?: string;
  /** English by default; null keeps the default of the browser. */
  readonly language?: string | null;
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** Keeps the stored table settings of the user; by default a visit starts without. */
  readonly keepsTables?: boolean;
  /** A page whose browser has loaded nothing yet, and which no other visit uses again. */
  readonly isNew?: boolean;
  /** Called before the first load, to stub calls. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Time limit against hanging, generous for a shared processor. */
const patienceMs = 120_000;

/** Waits until a value is as expected: `await eventually(() => page.url()).toContain("...")`. */
export const eventually = <Value>(read: () => Value | Promise<Value>, timeout = patienceMs) =>
  expect.poll(read, { timeout, interval: 100 });

/**
 * Messages of the browser itself: refused requests, a socket closed while opening, and one that opens while a
 * test has cut the network. The app may not log anything.
 */
const browserNotes = [
  "Failed to load resource",
  "WebSocket is closed before the connection is established",
  "net::ERR_INTERNET_DISCONNECTED",
];

/** In a page that has loaded the app before, fonts are in memory, where a preload does not count as used. */
const notesOfUsed = ["was preloaded using link preload but not used"];

/**
 * Hints of the browser for web developers, which are not errors; newer ones have a level that Playwright does
 * not name.
 */
const hintLevels: ReadonlySet<string> = new Set(["verbose"]);

const complaints: string[] = [];

function listen(page: Page, isUsed: boolean): void {
  const notes = isUsed ? [...browserNotes, ...notesOfUsed] : browserNotes;
  page.setDefaultTimeout(patienceMs);
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    if (hintLevels.has(message.type())) return;
    if (notes.some((note) => message.text().includes(note))) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
}

let opened: Promise<ReturnType<typeof openPool>> | undefined;

/** Pages of one browser for all files of a worker; it ends with the worker. */
function pagesOfWorker() {
  opened ??= launchBrowser().then((browser) => openPool({ browser, address, listen }));
  return opened;
}

/**
 * A browser for the tests of a file. `visit` opens a page in its own context; `leave` gives it back
 * before the test ends, for tests that open many. Afterwards the console must be empty and nothing thrown,
 * whatever the test is about.
 */
export function useBrowser() {
  let pool: Awaited<ReturnType<typeof pagesOfWorker>>;
  const tokens = new Map<Person, Promise<string>>();

  beforeAll(async () => {
    pool = await pagesOfWorker();
  });
  afterEach(async () => {
    await pool.leaveAll();
    expect(complaints.splice(0), "written to the console or thrown in the page").toEqual([]);
  });

  const tokenOf = (person: Person) => {
    const known = tokens.get(person) ?? newToken(person);
    tokens.set(person, known);
    return known;
  };
  const visit = async (wish: Visit = {}): Promise<Page> => {
    const token = wish.token ?? (wish.as === undefined ? undefined : await tokenOf(wish.as));
    if (token !== undefined && wish.keepsTables !== true) await forgetTables(token);
    const { width = 1440, height = 900, isNew = false } = wish;
    const page = await pool.take({ width, height, isNew, storage: storageOf(wish, token) });
    await wish.before?.(page);
    await page.goto(`${address}/#${wish.at ?? "/"}`);
    await pool.forgetHistory(page);
    return page;
  };
  /** Errors provoked by a test: waits for the first and takes all, so that they do not count. */
  const provoked = async (): Promise<string[]> => {
    await eventually(() => complaints.length).toBeGreaterThan(0);
    return complaints.splice(0);
  };
  const leave = (page: Page) => pool.leave(page);
  return { visit, leave, tokenOf, provoked };
}

function storageOf({ language = "en", theme }: Visit, token: string | undefined): Record<string, string> {
  return {
    ...(language === null ? {} : { "metrum.language": language }),
    ...(theme === undefined ? {} : { "metrum.theme": theme }),
    // Skips the question of the first login.
    ...(token === undefined ? { "metrum.newsletterAsked": "1" } : { "metrum.token": token }),
  };
}

/** Tables store sort, size and columns per user; reset so that tests are independent. */
async function forgetTables(token: string): Promise<void> {
  await ask("user/settings", { method: "PUT", token, body: { settings: { "grid.devices": null } } });
}

/** Value kept in the local storage of the page. */
export const stored = (page: Page, name: string) =>
  page.evaluate((key) => localStorage.getItem(key), `metrum.${name}`);

/** Hash part of the address, with its query. */
export const hashOf = (page: Page) => new URL(page.url()).hash.slice(1);

/** Goes to a section of a settings page, "" for its root, and waits until it has loaded. */
export async function openSection(page: Page, base: string, section: string): Promise<void> {
  const address = section === "" ? base : `${base}/${section}`;
  await page.evaluate((to) => (location.hash = to), address);
  const current = section === "" ? "" : `[href="#${address}"]`;
  await page.locator(`.settings-entry[aria-current=page]${current}`).waitFor({ state: "attached" });
  await page.locator(".settings-page .settings-panel").first().waitFor({ state: "attached" });
  await page.locator(".settings-page .skeleton").first().waitFor({ state: "detached" });
}

/** Answers of a call, recorded from now on. */
export function answersOf(page: Page, path: string): Response[] {
  const seen: Response[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === `/api/${path}`) seen.push(response);
  });
  return seen;
}
