import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "#testing/browser.ts";
import { recentEntries, rememberEntry } from "./recent.ts";
import { inGroups, matchingEntries, type Entry } from "./results.ts";

const place = (id: string, title: string, group: Entry["group"] = "screens"): Entry => ({
  id,
  group,
  title,
  icon: "devices",
  href: `#/cloud/${id}`,
});

beforeEach(() => void stubBrowser());
afterEach(() => vi.unstubAllGlobals());

describe("the palette", () => {
  it("matches every word at any position, prefix matches first", () => {
    const entries = [place("a", "Old devices"), place("b", "Devices"), place("c", "Users")];

    expect(matchingEntries(entries, "DEV").map(({ id }) => id)).toEqual(["b", "a"]);
    expect(matchingEntries(entries, "old dev").map(({ id }) => id)).toEqual(["a"]);
    expect(matchingEntries(entries, "")).toHaveLength(3);
  });

  it("shows groups in order, recent first, a few entries of each and no duplicates", () => {
    const many = Array.from({ length: 20 }, (_, at) => place(`d${String(at)}`, "Meter", "devices"));
    const shown = inGroups([...many, place("d3", "Meter", "recent"), place("x", "Screen")]);

    expect(shown.map(({ group }) => group).slice(0, 3)).toEqual(["recent", "screens", "devices"]);
    expect(shown.filter(({ id }) => id === "d3")).toHaveLength(1);
    expect(shown.filter(({ group }) => group === "devices")).toHaveLength(5);
  });

  it("remembers the last six pages, newest first, and no commands", () => {
    for (let at = 1; at <= 7; at += 1) rememberEntry(place(String(at), `Place ${String(at)}`));
    rememberEntry(place("3", "Place 3"));
    rememberEntry({
      id: "signOut",
      group: "commands",
      title: "Sign out",
      icon: "signOut",
      run: () => undefined,
    });

    expect(recentEntries().map(({ id }) => id)).toEqual(["3", "7", "6", "5", "4", "2"]);
  });

  it("starts empty when the stored value is invalid", () => {
    localStorage.setItem("metrum.appData", "{}");

    expect(recentEntries()).toEqual([]);
  });
});
