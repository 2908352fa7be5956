import type { CompanyInTree } from "@metrum/contract/access";
import { describe, expect, it } from "vitest";
import { readGridState } from "#ui/grid";
import { endOf, isTree, listBody, treeRows } from "./companies.ts";
import { companyList } from "./companyList.tsx";

const now = 1_800_000_000;
const day = 86_400;
const ends = (fields: { expires_at?: number | null; is_active?: boolean; is_demo?: boolean }) => {
  const { key, kind, isWeak, days } = endOf(
    { expires_at: null, is_active: true, is_demo: false, ...fields },
    now,
  );
  return [key, kind, isWeak, days];
};

describe("the end of a company", () => {
  it("SERV-023 is distinguished by shape: five days or more, under five, under two, expired", () => {
    expect(ends({ expires_at: now + 5 * day })).toEqual(["days", "ok", false, 5]);
    expect(ends({ expires_at: now + 5 * day - 1 })).toEqual(["days", "warn", true, 4]);
    expect(ends({ expires_at: now + 2 * day })).toEqual(["days", "warn", true, 2]);
    expect(ends({ expires_at: now + 2 * day - 1 })).toEqual(["days", "warn", false, 1]);
    expect(ends({ expires_at: now + day - 1 })).toEqual(["today", "warn", false, 0]);
    expect(ends({ expires_at: now })).toEqual(["expired", "alarm", false, 0]);
    expect(ends({ expires_at: now - 12 * day })).toEqual(["expired", "alarm", false, 12]);
  });

  it("is described if there is none, or the company is off or for demonstration", () => {
    expect(ends({})).toEqual(["endless", "ok", false, 0]);
    expect(ends({ is_demo: true, expires_at: now + 9 * day })).toEqual(["demo", "off", false, 9]);
    expect(ends({ is_demo: true, expires_at: now - day })).toEqual(["expired", "alarm", false, 1]);
    expect(ends({ is_active: false, expires_at: now + day })).toEqual(["off", "off", false, 0]);
  });
});

/** Only the fields of a company that the tree uses. */
const company = (id: number, children_count: number) => ({ id, children_count }) as CompanyInTree;

describe("the tree", () => {
  const root = company(1, 2);
  const below = { 1: [company(2, 1), company(3, 0)], 2: [company(4, 0)] };
  const lines = (open: readonly number[]) =>
    treeRows([root], { open: new Set(open), below, ownId: 1 }).map((row) => [
      row.company.id,
      row.level,
      row.isOpen,
    ]);

  it("SERV-023 shows the companies below an expanded company", () => {
    expect(lines([])).toEqual([[1, 0, false]]);
    expect(lines([1])).toEqual([
      [1, 0, true],
      [2, 1, false],
      [3, 1, null],
    ]);
    expect(lines([1, 2])).toEqual([
      [1, 0, true],
      [2, 1, true],
      [4, 2, null],
      [3, 1, null],
    ]);
  });

  it("becomes a list as soon as a filter is set", () => {
    const state = (search: Record<string, string>) => readGridState(search, companyList.defaults);

    expect(isTree(state({}))).toBe(true);
    expect(isTree(state({ q: "a" }))).toBe(false);
    expect(isTree(state({ "f.state": "expired" }))).toBe(false);
    expect(isTree(state({ "f.view": "list" }))).toBe(false);
    expect(listBody(state({ "f.state": "expired", sort: "-expires_at", page: "2" }), undefined)).toEqual({
      page: 2,
      per_page: 100,
      sort_field: "expires_at",
      sort: "desc",
      state: "expired",
    });
  });
});
