import { hiddenModuleIds, modules } from "@metrum/vocabulary";
import { expect, it } from "vitest";
import { moduleRoutes } from "./modules.ts";

it("SHELL-010 the slugs of the modules are ten, and each that the menu may show has a route with its right", () => {
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
  const rightOf = new Map(moduleRoutes.map(({ slug, right }) => [slug, right]));
  expect(rightOf).toEqual(new Map(shown.map(({ id, slug }) => [slug, `${String(id)}:read`])));
});
