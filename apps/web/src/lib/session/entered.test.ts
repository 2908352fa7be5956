import { users } from "@metrum/contract/access";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { onApiError, send } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { endSession, enterSession, isEntered, onSessionEnd, startSession, storedToken } from "#lib/token";
import { answer, refusal, stubBrowser, stubServer } from "#testing/browser.ts";
import { leaveEntered } from "./entered.ts";

const reload = vi.fn<() => void>();
const replaceState = vi.fn<(state: unknown, title: string, hash: string) => void>();

beforeEach(async () => {
  stubBrowser();
  reload.mockClear();
  replaceState.mockClear();
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("history", {});
  vi.stubGlobal("History", { prototype: { replaceState } });
  await startI18n();
});
afterEach(() => vi.unstubAllGlobals());

const wentTo = () => replaceState.mock.calls.at(-1)?.[2];
const isAsStaff = () =>
  storedToken() === "staff" && !isEntered() && localStorage.getItem("metrum.previousToken") === null;

describe("leaving a session entered from the administration", () => {
  it("SESS-013 ROUTE-018: ends it on the server, restores the previous token and reloads the administration", async () => {
    startSession("staff");
    enterSession("inside");
    const requests = stubServer({ "company/exit": () => answer({ access_token: null }) });

    await leaveEntered();

    expect(requests[0]?.headers.get("authorization")).toBe("Bearer inside");
    expect(isAsStaff()).toBe(true);
    expect(wentTo()).toBe("#/cloud/administration");
    expect(reload).toHaveBeenCalledOnce();
  });

  it("SESS-013: an expired entered session returns by itself, and no one is signed out", async () => {
    startSession("staff");
    enterSession("inside");
    const ends: string[] = [];
    const stop = onSessionEnd((reason) => ends.push(reason));
    stubServer({ "user/info": () => refusal(401, "not_signed_in", "Войдите") });

    await expect(send(users.info, {})).rejects.toMatchObject({ status: 401 });

    stop();
    expect([isAsStaff(), ends]).toEqual([true, []]);
    expect(wentTo()).toBe("#/cloud/administration");
  });

  it("signing out inside ends both sessions", () => {
    startSession("staff");
    enterSession("inside");

    endSession("signedOut");

    expect([storedToken(), localStorage.getItem("metrum.previousToken"), isEntered()]).toEqual([
      null,
      null,
      false,
    ]);
    expect(reload).not.toHaveBeenCalled();
  });
});

describe("leaving an entered company", () => {
  it("ROUTE-017 SESS-017: continues with the token of one's own company, at the list of companies", async () => {
    startSession("inside");
    const requests = stubServer({ "company/exit": () => answer({ access_token: "own" }) });

    await leaveEntered();

    expect(await requests[0]?.json()).toEqual({ exit_point: "/cloud/companies" });
    expect([storedToken(), wentTo()]).toEqual(["own", "#/cloud/companies"]);
  });

  it("SESS-033: when leaving fails the server's message is shown, and the session stays inside", async () => {
    startSession("inside");
    const shown: (string | null)[] = [];
    onApiError((error) => shown.push(error.msg));
    stubServer({ "company/exit": () => refusal(503, "away", "Сервер недоступен") });

    await expect(leaveEntered()).rejects.toMatchObject({ status: 503 });

    onApiError(() => undefined);
    expect([shown, storedToken()]).toEqual([["Сервер недоступен"], "inside"]);
    expect(reload).not.toHaveBeenCalled();
  });
});
