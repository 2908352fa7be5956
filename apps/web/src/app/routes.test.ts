import i18next from "i18next";
import { createMemoryHistory } from "@tanstack/react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { storedToken } from "#lib/token";
import { messageText, snackQueue } from "#ui/snackbar";
import { answer, refusal, stubBrowser, stubServer } from "#testing/browser.ts";
import { aCompany, anAccess, asUser, everyModule } from "#testing/session.ts";
import { takeReturn } from "./address.ts";
import { loginNotice, setLoginNotice } from "./loginNotice.ts";
import { createAppRouter } from "./routes.tsx";

/** Opens an address and returns the final one. */
async function open(address: string): Promise<string> {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  return router.state.location.pathname;
}

beforeEach(async () => {
  stubBrowser();
  stubServer({});
  await startI18n();
  setLoginNotice(null);
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

describe("routes without a session", () => {
  it("ROUTE-002 ROUTE-003 ROUTE-004 ROUTE-005: root and unknown paths lead to the login form, which has two addresses", async () => {
    expect(await open("/")).toBe("/auth/login");
    expect(await open("/no/such/path")).toBe("/auth/login");
    expect(await open("/auth/login")).toBe("/auth/login");
    expect(await open("/auth/loginNew")).toBe("/auth/loginNew");
  });

  it("SESS-001 ROUTE-011 ROUTE-027: a protected route redirects to login and is remembered for after it", async () => {
    expect(await open("/cloud/devices?q=412&f.status=silent")).toBe("/auth/login");

    expect(takeReturn()).toBe("/cloud/devices?q=412&f.status=silent");
    expect(takeReturn()).toBe("/cloud");
  });

  it("ROUTE-013 ROUTE-014: admin and withoutAccess stay where they are", async () => {
    expect(await open("/admin")).toBe("/admin");
    expect(await open("/withoutAccess")).toBe("/withoutAccess");
  });
});

describe("routes with a session", () => {
  beforeEach(() => localStorage.setItem("metrum.token", "token"));

  it("SESS-005 ROUTE-028: with rights every route works when opened directly", async () => {
    stubServer(asUser(anAccess("admin", { is_platform: true })));

    for (const part of ["devices", "objects", "users", "companies", "reports", "directories", "events"])
      expect(await open(`/cloud/${part}`)).toBe(`/cloud/${part}`);
  });

  it("ROUTE-015: profile, company settings and administration are children of cloud, each with its guard", async () => {
    stubServer(asUser(anAccess(everyModule)));

    expect(await open("/cloud/profile")).toBe("/cloud/profile");
    expect(await open("/cloud/company-settings")).toBe("/withoutAccess");
    expect(await open("/cloud/administration")).toBe("/withoutAccess");

    queryClient.clear();
    stubServer(asUser(anAccess("admin", { is_platform: true })));
    expect(await open("/cloud/company-settings")).toBe("/cloud/company-settings");
    expect(await open("/cloud/administration")).toBe("/cloud/administration");
  });

  it("ROUTE-024: a data page without a device shows msg_84 and redirects to the list", async () => {
    stubServer(asUser(anAccess([4])));
    // Before the message, which is shown for seconds only.
    const words = await messageText("msg_84");

    expect(await open("/cloud/devices/data")).toBe("/cloud/devices");

    await expect.poll(() => snackQueue.get().map((each) => each.text)).toEqual([words]);
  });

  it("ROUTE-023: the polling log of a device has its own address", async () => {
    stubServer(asUser(anAccess([4])));
    const router = createAppRouter(
      createMemoryHistory({ initialEntries: ["/cloud/devices/logs/metering/7"] }),
    );

    await router.load();

    const { pathname, search } = router.state.location;
    expect([pathname, search]).toEqual(["/cloud/devices/data/7", { tab: "journal" }]);
  });

  it("LOGIN-016: with a stored token the login form goes straight to cloud", async () => {
    stubServer(asUser(anAccess([4])));

    expect(await open("/auth/login")).toBe("/cloud/devices");
  });

  it("the shell opens on the first screen there is until the dashboard exists", async () => {
    stubServer(asUser(anAccess(everyModule)));

    expect(await open("/cloud")).toBe("/cloud/devices");
    expect(await open("/cloud/no-such-child")).toBe("/cloud/devices");
  });

  it("SESS-020 DASH-002: without a right to the dashboard the start page is objects", async () => {
    stubServer(asUser(anAccess([6])));

    expect(await open("/cloud/dashboard")).toBe("/cloud/objects");
  });

  it("a user without dashboard and objects still enters the shell", async () => {
    stubServer(asUser(anAccess([4])));
    expect(await open("/cloud")).toBe("/cloud/devices");

    queryClient.clear();
    stubServer(asUser(anAccess([8])));
    expect(await open("/cloud")).toBe("/cloud/events");
  });

  it("ROUTE-012 ROUTE-016: default and unknown children redirect to the dashboard, as its guard shows", async () => {
    stubServer(asUser(anAccess([6])));

    expect(await open("/cloud")).toBe("/cloud/objects");
    expect(await open("/cloud/no-such-child")).toBe("/cloud/objects");
  });

  it.each([
    ["devices", 4],
    ["users", 1],
    ["companies", 2],
    ["objects", 6],
    ["reports", 7],
    ["events", 8],
    ["directories", 6],
  ])(
    "SESS-019 SESS-021 SESS-022 SESS-023 SESS-024 SESS-025 SESS-026: denied %s redirects to withoutAccess",
    async (slug, module) => {
      stubServer(asUser(anAccess(everyModule.filter((each) => each !== module))));
      expect(await open(`/cloud/${slug}`)).toBe("/withoutAccess");

      queryClient.clear();
      stubServer(asUser(anAccess([module])));
      expect(await open(`/cloud/${slug}`)).toBe(`/cloud/${slug}`);
    },
  );

  it("SESS-004: without any read rule the user is redirected to withoutAccess", async () => {
    stubServer(asUser(anAccess([])));

    expect(await open("/cloud/devices")).toBe("/withoutAccess");
    expect(storedToken()).toBe("token");
  });

  it("SESS-002 SESS-032: access is requested first, then user and company", async () => {
    const requests = stubServer(asUser(anAccess([4])));

    await open("/cloud/devices");

    const paths = requests.map((each) => new URL(each.url).pathname.replace("/api/", ""));
    expect(paths[0]).toBe("user/access");
    expect(paths.slice(1).sort()).toEqual(["user/company", "user/info"]);
  });

  it("session, texts and chunk of a screen are requested before the router needs them", async () => {
    const requests = stubServer(asUser(anAccess([4])));
    const { prepareScreen } = await import("./guard.ts");

    prepareScreen("/cloud/devices/data/7?tab=journal");

    await expect.poll(() => i18next.hasLoadedNamespace("deviceData")).toBe(true);
    expect(i18next.hasLoadedNamespace("shell")).toBe(true);
    expect(await open("/cloud/devices/data/7")).toBe("/cloud/devices/data/7");
    expect(requests.filter((each) => each.url.endsWith("/api/user/access"))).toHaveLength(1);
  });

  it("SESS-003: a user of an API-only company loses the session and sees the reason", async () => {
    stubServer(asUser(anAccess([4]), aCompany(true)));

    expect(await open("/cloud/devices")).toBe("/auth/login");
    expect(storedToken()).toBeNull();
    expect(loginNotice()).toContain("API");
  });

  it("SESS-006 SESS-037: when access cannot be loaded, the token is removed and the server's message is shown", async () => {
    stubServer({
      ...asUser({}),
      "user/access": () => refusal(422, "company_inactive", "Компания отключена"),
    });

    expect(await open("/cloud/devices")).toBe("/auth/login");
    expect(storedToken()).toBeNull();
    expect(loginNotice()).toBe("Компания отключена");
  });

  it("SESS-034 ROUTE-027: an expired token redirects to login once, and to the link after it", async () => {
    const requests = stubServer({ "user/access": () => refusal(401, "not_signed_in", "Войдите") });

    expect(await open("/cloud/devices?q=412")).toBe("/auth/login");

    expect(storedToken()).toBeNull();
    expect(requests.filter((each) => each.url.endsWith("/api/user/access"))).toHaveLength(1);
    expect(takeReturn()).toBe("/cloud/devices?q=412");
  });

  it("SHELL-034 SESS-006: without an answer the session is kept and the page waits for the connection", async () => {
    stubServer(asUser(anAccess([4])));
    const away = () => Promise.reject(new TypeError("no connection"));
    vi.stubGlobal("fetch", away);

    expect(await open("/cloud/devices?q=412")).toBe("/offline");
    expect(storedToken()).toBe("token");
    expect(takeReturn()).toBe("/cloud/devices?q=412");
  });

  it.each([
    ["user/access", 502],
    ["user/info", 503],
    ["user/company", 504],
  ])("when %s answers %s the server is starting: the session is kept", async (path, status) => {
    const requests = stubServer({
      ...asUser(anAccess([4])),
      [path]: () => refusal(status, "database_away", "Недоступно"),
    });

    expect(await open("/cloud/devices?q=412")).toBe("/offline");
    expect(storedToken()).toBe("token");
    expect(takeReturn()).toBe("/cloud/devices?q=412");
    expect(requests.filter((each) => each.url.endsWith("/api/auth/logout"))).toHaveLength(0);
  });

  it("SESS-037: without a message of the server the app shows its own", async () => {
    stubServer({ ...asUser({}), "user/access": () => new Response("<html>", { status: 500 }) });

    await open("/cloud/devices");

    expect(loginNotice()).toBe("Не удалось загрузить права доступа");
  });

  it("SESS-007 ROUTE-010 SESS-016: when the user cannot be loaded the session is logged out", async () => {
    const requests = stubServer({
      ...asUser(anAccess([4])),
      "user/info": () => refusal(422, "wrong_input", "Нет"),
    });

    expect(await open("/cloud/devices")).toBe("/auth/login");
    expect(requests.filter((each) => each.url.endsWith("/api/auth/logout"))).toHaveLength(1);
    expect(storedToken()).toBeNull();
  });

  it("SESS-033: when the company cannot be loaded the session is logged out", async () => {
    const requests = stubServer({
      ...asUser(anAccess([4])),
      "user/company": () => refusal(422, "wrong_input", "Нет"),
    });

    expect(await open("/cloud/devices")).toBe("/auth/login");
    expect(requests.filter((each) => each.url.endsWith("/api/auth/logout"))).toHaveLength(1);
    expect(storedToken()).toBeNull();
  });

  it("SESS-014 SESS-015 ROUTE-010: logout clears the stored session and keeps the language", async () => {
    stubServer({ "auth/logout": () => answer({}) });
    const session = ["metrum.token", "metrum.appData", "metrum.phone", "metrum.subscriberName"];
    for (const key of session) localStorage.setItem(key, "x");
    localStorage.setItem("metrum.language", "mn");

    expect(await open("/auth/logout")).toBe("/auth/login");

    expect(session.map((key) => localStorage.getItem(key))).toEqual([null, null, null, null]);
    expect(localStorage.getItem("metrum.language")).toBe("mn");
  });

  it("logout works when the server is unreachable", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));

    expect(await open("/auth/logout")).toBe("/auth/login");
    expect(storedToken()).toBeNull();
  });
});
