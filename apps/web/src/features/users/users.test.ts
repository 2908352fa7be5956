import { holdsAll, type AccessRules } from "@metrum/contract/access";
import { allows } from "@metrum/contract/core";
import { accessActions } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { menuOf } from "#lib/session";
import { allowed, capabilities, capabilitiesOf, changedBetween } from "./capabilities.ts";
import {
  accessOf,
  changedTicks,
  isUsed,
  moduleRows,
  openModules,
  shownActions,
  withRow,
  withTick,
} from "./rights.ts";
import { initialsOf, listInput, stateOf } from "./users.ts";

const none: AccessRules = { create: [], read: [], update: [], delete: [], access_all: [] };
const modules = [
  { id: 5, slug: "dashboard", sort: 1 },
  { id: 4, slug: "devices", sort: 2 },
  { id: 6, slug: "objects", sort: 3 },
  { id: 6, slug: "directories", sort: 4 },
  { id: 7, slug: "reports", sort: 5 },
  { id: 8, slug: "events", sort: 6 },
  { id: 3, slug: "access_rules", sort: 7 },
];
const menuWith = (rules: AccessRules) =>
  menuOf(
    {
      is_admin: false,
      is_platform: false,
      entered_company: false,
      access_group: { access_rules: rules },
      active_modules: modules,
    },
    false,
  ).map(({ slug }) => slug);

describe("the grid of a group", () => {
  it("SERV-025: has every module once, companies only for dealers, and no hidden one", () => {
    expect(moduleRows("en", false).map(({ id }) => id)).toEqual([5, 4, 6, 7, 8, 1]);
    expect(moduleRows("en", true).map(({ id }) => id)).toContain(2);
    expect(moduleRows("en", false).find(({ id }) => id === 6)?.title).toBe("Objects, directories");
  });

  it("SERV-025: a right includes reading, and without reading the module has no rights", () => {
    const given = withTick(none, { module: 4, action: "update", isOn: true });
    const taken = withTick({ ...given, read: [4, 5] }, { module: 4, action: "read", isOn: false });

    expect(given).toEqual({ ...none, read: [4], update: [4] });
    expect(taken).toEqual({ ...none, read: [5] });
    expect(withRow(given, 4, [])).toEqual(none);
  });

  it("unsaved rights are marked", () => {
    const before = { ...none, read: [4, 5], delete: [6] };
    const after = { ...none, read: [4], update: [4], delete: [6] };

    expect([...changedTicks(before, after)].toSorted()).toEqual(["4:update", "5:read"]);
    expect(openModules({ ...none, read: [4, 3, 9, 6] })).toBe(2);
  });

  it("every right that can be set has an effect", () => {
    for (const { id } of moduleRows("en", true))
      for (const action of shownActions)
        expect([id, action, capabilitiesOf(id, action).length > 0]).toEqual([id, action, isUsed(id, action)]);
  });
});

describe("screens of a user of the group", () => {
  it("ACL-043: module 6 opens two entries of the menu, objects and directories", () => {
    expect(menuWith({ ...none, read: [6] })).toEqual(["objects", "directories"]);
  });

  it("ACL-042: reports and newsletters depend on module 7, each on its action", () => {
    const abilities = capabilities.filter(({ module }) => module === 7);

    expect(menuWith({ ...none, read: [7] })).toEqual(["reports"]);
    for (const action of ["read", "create", "update", "delete"] as const) {
      const able = allowed(accessOf({ ...none, [action]: [7] }));
      expect(able).toEqual(abilities.filter(({ rule }) => rule === `7:${action}`));
      expect(able).toHaveLength(1);
    }
  });

  it("commands need update on 4, and are marked as dangerous", () => {
    const { gained, lost } = changedBetween(
      accessOf({ ...none, read: [4], delete: [6] }),
      accessOf({ ...none, read: [4], update: [4] }),
    );

    expect(gained.map(({ key }) => key)).toEqual([
      "devicesEdit",
      "devicesEnter",
      "devicesControl",
      "devicesLimits",
    ]);
    expect(gained.filter(({ isHarmful }) => isHarmful).map(({ key }) => key)).toEqual([
      "devicesControl",
      "devicesLimits",
    ]);
    expect(lost.map(({ key }) => key)).toEqual(["objectsDelete"]);
  });

  it("ACL-036: a group with more rights than the caller's is not offered", () => {
    const own = accessOf({ ...none, read: [1, 4], update: [1] });

    expect(holdsAll(own, { read: [4] })).toBe(true);
    for (const action of accessActions) expect(holdsAll(own, { [action]: [8] })).toBe(false);
    expect(holdsAll({ ...own, is_admin: true, onlyModules: [4] }, { read: [8] })).toBe(false);
    expect(allows("1:update", own)).toBe(true);
  });
});

describe("the list of users", () => {
  const state = { q: "", sort: null, page: 1, size: 25, filters: {}, cols: null };

  it("SERV-024: search, group and state go to the server", () => {
    expect(listInput(state)).toEqual({ page: 1, per_page: 25 });
    expect(
      listInput({
        ...state,
        q: " duty ",
        sort: { field: "last_sign_in", desc: true },
        filters: { group: ["7"], state: ["inactive"] },
      }),
    ).toEqual({
      page: 1,
      per_page: 25,
      search_string: "duty",
      sort_field: "last_sign_in_at",
      sort: "desc",
      access_group_id: [7],
      is_active: false,
    });
    expect(listInput({ ...state, filters: { group: ["admin"] } })).toMatchObject({ is_admin: true });
  });

  it("shows invited, active and switched-off users, and shortens names", () => {
    expect(stateOf({ is_active: true, is_invited: true })).toBe("invited");
    expect(stateOf({ is_active: true, is_invited: false })).toBe("active");
    expect(stateOf({ is_active: false, is_invited: true })).toBe("off");
    expect([initialsOf("Duty east shift"), initialsOf("өглөөний ээлж"), initialsOf("")]).toEqual([
      "DE",
      "ӨЭ",
      "",
    ]);
  });
});
