import { createMemoryHistory } from "@tanstack/react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ownSessions } from "@metrum/contract";
import { onApiError, queryClient, send } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { answer, refusal, stubBrowser, stubServer } from "../testing/browser.ts";
import { takeReturn } from "./address.ts";
import { createAppRouter } from "./routes.tsx";
import { watchSession } from "./watchSession.ts";

const anAccess = (duty: "password" | "two_factor" | null) => ({
  is_admin: false,
  access_group: {
    id: 1,
    name: "g",
    access_rules: { create: [], read: [4], update: [], delete: [], access_all: [] },
  },
  active_modules: [{ id: 4, slug: "devices", sort: 1 }],
  rules_belong_to_company_id: null,
  current_company_id: 3,
  is_platform: false,
  license_days_left: null,
  entered_from_admin: false,
  entered_company: false,
  entered: null,
  duty,
});
const aUser = {
  user: {
    id: 1,
    name: "N",
    email: "n@metrum.example",
    phone_number: null,
    user_time_zone: 8,
    timezone: 8,
    timezone_name: "Asia/Ulaanbaatar",
    language: "ru",
    first_login: false,
    "2fa_enabled": false,
    is_admin: false,
    is_active: true,
    access_group_id: 1,
    current_company_id: 3,
    current_time_zone: 8,
    current_timezone_name: "Asia/Ulaanbaatar",
    is_demo: false,
    settings: {},
  },
};
const aCompany = (only_api = false) => ({
  company: {
    id: 3,
    parent_id: null,
    name: "C",
    company_type_id: 1,
    inn: "1",
    phone_number: null,
    time_zone: 8,
    timezone_name: "Asia/Ulaanbaatar",
    is_dealer: false,
    is_demo: false,
    is_active: true,
    expires_at: null,
    options: {
      only_api,
      peak_hours_zone: "price_0",
      peak_hours_region: 1,
      two_factor_required: false,
      password_min_length: 8,
    },
    peak_hours: [],
    active_modules: [],
  },
});
const asUser = (duty: "password" | "two_factor" | null, only_api = false) => ({
  "user/access": () => answer(anAccess(duty)),
  "user/info": () => answer(aUser),
  "user/company": () => answer(aCompany(only_api)),
  "auth/logout": () => answer({}),
});

async function openApp(address: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  return router;
}
const open = async (address: string) => (await openApp(address)).state.location.pathname;

beforeEach(async () => {
  stubBrowser();
  localStorage.setItem("metrum.token", "token");
  await startI18n();
});
afterEach(() => {
  queryClient.clear();
  onApiError(() => undefined);
  vi.unstubAllGlobals();
});

describe("REG-032 what is owed comes before what is asked for", () => {
  it.each(["password", "two_factor"] as const)("%s: the way leads to the page that does it", async (duty) => {
    stubServer(asUser(duty));

    expect(await open("/cloud/devices?q=412")).toBe("/duty");
    expect(takeReturn()).toBe("/cloud/devices?q=412");
  });

  it("who owes nothing, or is not signed in, has no such page", async () => {
    stubServer(asUser(null));
    expect(await open("/duty")).toBe("/cloud/devices");

    queryClient.clear();
    localStorage.removeItem("metrum.token");
    expect(await open("/duty")).toBe("/auth/login");
  });

  it("SESS-003 a company that works through the API only is told so first", async () => {
    stubServer(asUser("password", true));

    expect(await open("/cloud/devices")).toBe("/auth/login");
  });

  it("a company that begins to require it leads there from the middle of the work", async () => {
    let duty: "two_factor" | null = null;
    stubServer({
      ...asUser(null),
      "user/access": () => answer(anAccess(duty)),
      "user/sessions": () => refusal(403, "two_factor_needed", "Сначала включите"),
    });
    const app = await openApp("/cloud/profile");
    watchSession(app);
    duty = "two_factor";

    await expect(send(ownSessions.list, {})).rejects.toMatchObject({ code: "two_factor_needed" });

    await expect.poll(() => app.state.location.pathname).toBe("/duty");
  });
});
