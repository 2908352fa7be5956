import { hiddenModuleIds, modules } from "@metrum/vocabulary";
import { expect, it } from "vitest";
import { menuScreens } from "./screens.ts";

it("SHELL-010 the slugs of the modules are ten, and each that the menu may show has a screen with its right", () => {
  expect(modules.map(({ slug }) => slug).toSorted()).toEqual([
    "access_rules",
    "companies",
    "dashboard",
    "devices",
    "directories",
    "events",
    "objects",
    "objects_map",
    "reports",
    "users",
  ]);
  const shown = modules.filter(({ id }) => !hiddenModuleIds.includes(id));
  const rightOf = new Map(menuScreens.map(({ path, right }) => [path, right]));
  expect(rightOf).toEqual(new Map(shown.map(({ id, slug }) => [slug, `${String(id)}:read`])));
});
