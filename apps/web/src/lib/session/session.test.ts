import { describe, expect, it } from "vitest";
import { decide, mayEnter, rightsOf, type AccessAnswer } from "./decide.ts";
import { menuOf } from "./menu.ts";

const rulesOf = (read: readonly number[]) => ({
  access_rules: { create: [], read: [...read], update: [], delete: [], access_all: [] },
});

const anAccess = (more: Partial<AccessAnswer> = {}): AccessAnswer => ({
  is_admin: false,
  is_platform: false,
  entered_company: false,
  access_group: rulesOf([4]),
  active_modules: [],
  ...more,
});
const web = { options: { only_api: false } };

describe("permission to enter", () => {
  it("SESS-027: at least one read rule, or no group and the admin flag", () => {
    expect(mayEnter(anAccess())).toBe(true);
    expect(mayEnter(anAccess({ access_group: null, is_admin: true }))).toBe(true);
    expect(mayEnter(anAccess({ access_group: null }))).toBe(false);
    expect(mayEnter(anAccess({ access_group: rulesOf([]), is_admin: true }))).toBe(false);
  });

  it("checks the token first, then the kind of company, then the rights", () => {
    const nothing = anAccess({ access_group: null });
    const onlyApi = { options: { only_api: true } };

    expect(decide(false, nothing, onlyApi)).toBe("login");
    expect(decide(true, nothing, onlyApi)).toBe("apiOnly");
    expect(decide(true, nothing, web)).toBe("withoutAccess");
    expect(decide(true, anAccess(), web)).toBe("allowed");
  });

  it("inside an entered company rights are limited to its modules", () => {
    const modules = [{ id: 4, slug: "devices", sort: 1 }];

    expect(rightsOf(anAccess({ active_modules: modules })).onlyModules).toBeUndefined();
    expect(rightsOf(anAccess({ active_modules: modules, entered_company: true })).onlyModules).toEqual([4]);
  });
});

describe("menu", () => {
  const modules = [
    { id: 2, slug: "companies", sort: 60 },
    { id: 4, slug: "devices", sort: 20 },
    { id: 6, slug: "objects", sort: 30 },
    { id: 6, slug: "directories", sort: 35 },
    { id: 4, slug: "devices", sort: 21 },
    { id: 3, slug: "access_rules", sort: 10 },
    { id: 9, slug: "objects_map", sort: 11 },
    { id: 5, slug: "dashboard", sort: 5 },
  ];
  const slugs = (access: AccessAnswer, isDealer = true) => menuOf(access, isDealer).map((each) => each.slug);
  const admin = anAccess({ is_admin: true, access_group: null, active_modules: modules });

  it("SHELL-023: is sorted by its field and has no duplicates", () => {
    expect(slugs(admin)).toEqual(["dashboard", "devices", "objects", "directories", "companies"]);
  });

  it("SHELL-024: shows what is active and allowed", () => {
    expect(slugs(anAccess({ access_group: rulesOf([4, 6, 8]), active_modules: modules }))).toEqual([
      "devices",
      "objects",
      "directories",
    ]);
  });

  it("ACL-005: never shows modules 3 and 9", () => {
    expect(slugs(admin)).not.toContain("access_rules");
    expect(slugs(admin)).not.toContain("objects_map");
  });

  it("shows companies to dealers only", () => {
    expect(slugs(admin, false)).toEqual(["dashboard", "devices", "objects", "directories"]);
  });
});
