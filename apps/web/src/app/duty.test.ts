import i18next from "i18next";
import { createMemoryHistory } from "@tanstack/react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ownSessions } from "@metrum/contract/access";
import { ApiError, onApiError, queryClient, reportUnless, send } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { snackQueue } from "#ui/snackbar";
import { answer, refusal, stubBrowser, stubServer } from "#testing/browser.ts";
import { aCompany, anAccess, asUser } from "#testing/session.ts";
import { takeReturn } from "./address.ts";
import { createAppRouter } from "./routes.tsx";
import { watchSession } from "./watchSession.ts";

type Duty = "password" | "two_factor" | null;
const owing = (duty: Duty, only_api = false) => asUser(anAccess([4], { duty }), aCompany(only_api));

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

describe("REG-032 a duty comes before the requested page", () => {
  it.each(["password", "two_factor"] as const)("%s: the guard redirects to its page", async (duty) => {
    stubServer(owing(duty));

    expect(await open("/cloud/devices?q=412")).toBe("/duty");
    expect(takeReturn()).toBe("/cloud/devices?q=412");
  });

  it("a user without a duty, or not signed in, has no such page", async () => {
    stubServer(owing(null));
    expect(await open("/duty")).toBe("/cloud/devices");

    queryClient.clear();
    localStorage.removeItem("metrum.token");
    expect(await open("/duty")).toBe("/auth/login");
  });

  it("SESS-003 an API-only company gets its message first", async () => {
    stubServer(owing("password", true));

    expect(await open("/cloud/devices")).toBe("/auth/login");
  });

  it("a duty that begins during the session redirects to its page", async () => {
    let duty: "two_factor" | null = null;
    stubServer({
      ...owing(null),
      "user/access": () => answer(anAccess([4], { duty })),
      "user/sessions": () => refusal(403, "two_factor_needed", "Сначала включите"),
    });
    const app = await openApp("/cloud/profile");
    watchSession(app);
    duty = "two_factor";

    await expect(send(ownSessions.list, {})).rejects.toMatchObject({ code: "two_factor_needed" });

    await expect.poll(() => app.state.location.pathname).toBe("/duty");
  });
});

it("a part of the app that another build has replaced is offered by a reload of the page", async () => {
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  watchSession(await openApp("/auth/login"));

  reportUnless(false, new ApiError({ status: 0, code: "part_missing", msg: null }));

  const shown = snackQueue.get().at(-1);
  expect(shown).toMatchObject({ kind: "error", text: i18next.t("error.outdated") });
  shown?.action?.run();
  expect(reload).toHaveBeenCalledOnce();
});
