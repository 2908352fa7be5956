import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onApiError } from "#lib/call";
import { connection } from "#lib/connection";
import { loseServer, stubBrowser, stubServer } from "#testing/browser.ts";
import { onDemand } from "./onDemand.ts";

const missing = new TypeError("Failed to fetch dynamically imported module");
let shown: string[];
let requests: readonly Request[];
const reports = () => requests.filter(({ url }) => url.endsWith("service/error_report"));

beforeEach(() => {
  stubBrowser();
  vi.stubGlobal("navigator", { userAgent: "test" });
  requests = stubServer({ "/healthz": () => new Response("ok") });
  shown = [];
  onApiError(({ code }) => shown.push(code));
});
afterEach(() => {
  onApiError(() => undefined);
  vi.unstubAllGlobals();
});

it("SHELL-034 a part is not requested without a connection, and loads as soon as there is one", async () => {
  const load = vi.fn(() => Promise.resolve("part"));
  const part = onDemand(load);
  const restore = loseServer();

  expect(await part()).toBeNull();
  expect([load.mock.calls.length, shown]).toEqual([0, ["offline"]]);

  restore();
  expect(await part()).toBe("part");
  expect(shown).toHaveLength(1);
});

it("a loaded part works without a connection", async () => {
  const load = vi.fn(() => Promise.resolve("part"));
  const part = onDemand(load);
  await part();
  const restore = loseServer();

  expect(await part()).toBe("part");
  expect([load.mock.calls.length, shown]).toEqual([1, []]);
  restore();
});

it("files kept by the service worker are requested without a connection", async () => {
  vi.stubGlobal("navigator", { serviceWorker: { controller: {} } });
  const part = onDemand(() => Promise.resolve("part"));
  const restore = loseServer();

  expect(await part()).toBe("part");
  restore();
});

it("SHELL-034 a connection that is lost while loading is noticed", async () => {
  const part = onDemand(() => Promise.reject(missing));
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));

  expect(await part()).toBeNull();

  expect(shown).toEqual(["offline"]);
  expect(connection.lostAt()).not.toBeNull();
  loseServer()();
});

it("a file that another build has replaced is reported, and the page asks to be reloaded", async () => {
  vi.stubGlobal("location", { hash: "#/cloud/devices" });
  const part = onDemand(() => Promise.reject(missing));

  expect(await part()).toBeNull();

  expect(shown).toEqual(["part_missing"]);
  await expect.poll(() => reports()).toHaveLength(1);
});

it("a failure that the action reports itself is not reported twice", async () => {
  const part = onDemand(() => Promise.resolve("part"), { isQuiet: true });
  const restore = loseServer();

  expect(await part()).toBeNull();
  expect(shown).toEqual([]);
  restore();
});
