import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hiddenModuleIds, modules } from "@metrum/vocabulary";
import { expect, it } from "vitest";
import en from "#locales/en/shell.json" with { type: "json" };
import type { Screen } from "#lib/screen";
import { entryOf, menuScreens, screens } from "./screens.ts";

it("SHELL-010 there are ten module slugs, and each that the menu can show has a screen with its right", () => {
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

it("every entry of menu and palette has a title", () => {
  const slugs = screens.flatMap(({ path, menu, palette }) => palette?.slug ?? (menu ? path : []));

  expect(slugs.length).toBeGreaterThan(8);
  expect(slugs.filter((slug) => !Object.hasOwn(en.menu, slug))).toEqual([]);
});

it("the screens of every feature are listed", async () => {
  const features = join(import.meta.dirname, "../features");
  const files = readdirSync(features)
    .map((name) => join(features, name, "routes.ts"))
    .filter((path) => existsSync(path));
  const declared = await Promise.all(
    files.map(async (path) => ((await import(path)) as { readonly screens: readonly Screen[] }).screens),
  );

  expect(files.length).toBeGreaterThan(8);
  expect(declared.flat().filter((each) => !screens.includes(each))).toEqual([]);
});

it("SHELL-010 an address belongs to an entry of the menu, the card of a point to objects", () => {
  const addresses = ["/cloud/devices", "/cloud/devices/data/7", "/cloud/objects/points/3/replace"];

  expect(addresses.map(entryOf)).toEqual(["devices", "devices", "objects"]);
  expect(entryOf("/cloud/devices/accounting-point-card/7")).toBe("objects");
});

/** Addresses that stand in the sources, an inserted part as `*`. */
function writtenAddresses(): Set<string> {
  const written = new Set<string>();
  const root = join(import.meta.dirname, "..");
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" });
  for (const file of sources.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)))
    for (const [, address = ""] of readFileSync(join(root, file), "utf8").matchAll(
      /["`]#\/cloud\/((?:[\w-]|\/|\$\{[^}]*\})+)/g,
    ))
      written.add(address.replaceAll(/\$\{[^}]*\}/g, "*"));
  // Has its own routes.
  written.delete("administration");
  return written;
}

it("SHELL-010 every address that a link names has a screen", () => {
  const partsOf = (path: string): string[] => path.replace(/\/?\{-\$\w+\}$/, "").split("/");
  const isAny = (part: string | undefined) => part === "*" || part?.startsWith("$") === true;
  const leadsTo = (address: string, path: string): boolean => {
    const [asked, known] = [partsOf(address), partsOf(path)];
    return (
      asked.length === known.length &&
      asked.every((part, at) => part === known[at] || isAny(part) || isAny(known[at]))
    );
  };
  const written = [...writtenAddresses()];

  expect(written.length).toBeGreaterThan(30);
  expect(written.filter((address) => !screens.some(({ path }) => leadsTo(address, path)))).toEqual([]);
});
