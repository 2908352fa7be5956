import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "#testing/browser.ts";
import { forgetReturn, readSearch, rememberReturn, takeReturn, writeSearch } from "./address.ts";

beforeEach(() => {
  stubBrowser();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("search part of an address", () => {
  it("is plain text and round-trips unchanged", () => {
    const search = { q: "412", sort: "-last_data", "f.status": "silent,never", from: "2026-11-14T00:00" };

    expect(writeSearch(search)).toBe("?q=412&sort=-last_data&f.status=silent,never&from=2026-11-14T00:00");
    expect(readSearch(writeSearch(search))).toEqual(search);
  });

  it("keeps other characters and omits empty parameters", () => {
    expect(readSearch(writeSearch({ q: "Сүхбаатар & co = 1%" }))).toEqual({ q: "Сүхбаатар & co = 1%" });
    expect(writeSearch({ q: "", page: undefined, sort: null })).toBe("");
    expect(writeSearch({ page: 2, tree: true, open: false })).toBe("?page=2&tree=true&open=false");
    expect(writeSearch({ q: ["a"] })).toBe("");
  });
});

describe("the link to open after sign-in", () => {
  it("is opened once, in this tab, and forgotten when somebody signs out", () => {
    rememberReturn("/cloud/devices?q=412");
    expect(sessionStorage.getItem("metrum.returnTo")).toBe("/cloud/devices?q=412");
    expect([takeReturn(), takeReturn()]).toEqual(["/cloud/devices?q=412", "/cloud"]);

    rememberReturn("/cloud/devices");
    forgetReturn();
    expect(takeReturn()).toBe("/cloud");
  });

  it("is accepted only for an address inside the shell", () => {
    rememberReturn("/auth/logout");
    expect(sessionStorage.getItem("metrum.returnTo")).toBeNull();
    expect(takeReturn()).toBe("/cloud");

    sessionStorage.setItem("metrum.returnTo", "https://elsewhere.example/");
    expect(takeReturn()).toBe("/cloud");
  });
});
