import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "#testing/browser.ts";
import { onSessionEnd, startSession, watchOtherTabs } from "./token.ts";

let browser: EventTarget;
const storage = (key: string | null) => Object.assign(new Event("storage"), { key });

beforeEach(() => {
  browser = stubBrowser();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a session in several tabs", () => {
  it("SESS-036: signing out in one signs out in the others", () => {
    const ends: string[] = [];
    const stop = onSessionEnd((reason) => ends.push(reason));
    watchOtherTabs();
    startSession("t");

    browser.dispatchEvent(storage("metrum.theme"));
    localStorage.removeItem("metrum.token");
    browser.dispatchEvent(storage("metrum.token"));

    stop();
    expect(ends).toEqual(["signedOut"]);
  });

  it("signing in as another user reloads the page", () => {
    const reload = vi.fn();
    vi.stubGlobal("location", { reload });
    watchOtherTabs();

    startSession("other");
    browser.dispatchEvent(storage("metrum.token"));

    expect(reload).toHaveBeenCalledOnce();
  });
});
