import { hiddenModuleIds, modules } from "@metrum/vocabulary";
import { expect, it } from "vitest";
import en from "../locales/en/shell.json" with { type: "json" };
import { menuScreens, screens } from "./screens.ts";

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

it("what the menu and the palette offer has a title", () => {
  const slugs = screens.flatMap(({ path, menu, palette }) => palette?.slug ?? (menu ? path : []));

  expect(slugs.length).toBeGreaterThan(8);
  expect(slugs.filter((slug) => !Object.hasOwn(en.menu, slug))).toEqual([]);
});
