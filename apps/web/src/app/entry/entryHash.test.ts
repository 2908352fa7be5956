import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { refusal, answer, stubBrowser, stubServer } from "#testing/browser.ts";
import { startI18n } from "#lib/i18n";
import { isEntered, startSession, storedToken } from "#lib/token";
import { enter, enterFromHere } from "./enter.ts";
import { onEntryCode, takeEntryCode } from "./entryHash.ts";
import { loginNotice, setLoginNotice } from "../loginNotice.ts";

const code = "a".repeat(43);
const entered = { access_token: "inside", entered_from_admin: true, expires_at: 1_800_000_000 };
let browser: EventTarget;
let page: { hash: string; reload: () => void };
const replaced: string[] = [];

beforeEach(async () => {
  browser = stubBrowser();
  replaced.length = 0;
  page = { hash: `#/entry/${code}`, reload: vi.fn<() => void>() };
  vi.stubGlobal("location", page);
  const replaceState = (_: unknown, __: string, hash: string) => {
    page.hash = hash;
    replaced.push(hash);
  };
  vi.stubGlobal("history", { replaceState });
  vi.stubGlobal("History", { prototype: { replaceState } });
  setLoginNotice(null);
  await startI18n();
});
afterEach(() => vi.unstubAllGlobals());

describe("an entry code in the address", () => {
  it("SESS-009 SESS-011 SESS-041: is read and removed from the address before any request", () => {
    expect(takeEntryCode()).toBe(code);

    expect(page.hash).toBe("#/");
    expect(takeEntryCode()).toBeNull();
  });

  it("accepts no other hash, and never one that also has a token", () => {
    page.hash = "#/cloud/devices?q=entry";
    expect(takeEntryCode()).toBeNull();

    page.hash = "#/entry/abc/old-token";
    expect(takeEntryCode()).toBe("abc");
    expect(page.hash).toBe("#/");
  });

  it("typed into the address of an open page is handled before the router sees it", () => {
    const [taken, navigated]: string[][] = [[], []];
    onEntryCode((each) => taken?.push(each));
    browser.addEventListener("popstate", () => navigated?.push(page.hash));

    browser.dispatchEvent(new Event("popstate"));
    browser.dispatchEvent(new Event("hashchange"));

    expect([taken, navigated]).toEqual([[code], []]);
  });
});

describe("redeeming", () => {
  it("SESS-010 SESS-012 SESS-040: sends the token of the staff member, which is then kept under the second key", async () => {
    startSession("staff");
    const requests = stubServer({ "auth/entry": () => answer(entered) });

    const isIn = await enter(code);

    expect(requests[0]?.headers.get("authorization")).toBe("Bearer staff");
    expect(await requests[0]?.json()).toEqual({ code });
    expect([isIn, storedToken(), localStorage.getItem("metrum.previousToken")]).toEqual([
      true,
      "inside",
      "staff",
    ]);
    expect(isEntered()).toBe(true);
  });

  it("SESS-039: a refused code is reported and ends no session", async () => {
    startSession("staff");
    stubServer({ "auth/entry": () => refusal(401, "entry_code_refused", "Код не подходит") });

    const isIn = await enter(code);

    expect([isIn, storedToken(), isEntered()]).toEqual([false, "staff", false]);
  });

  it("SESS-040: without a session nothing is requested, and the login page explains where the link works", async () => {
    const requests = stubServer({});

    expect(await enter(code)).toBe(false);

    expect(requests).toEqual([]);
    expect(loginNotice()).not.toBeNull();
  });

  it("in an open page reloads it inside the company", async () => {
    startSession("staff");
    stubServer({ "auth/entry": () => answer(entered) });

    await enterFromHere(code);

    expect([page.hash, page.reload]).toEqual(["#/cloud", expect.anything()]);
    expect(page.reload).toHaveBeenCalledOnce();
  });
});
