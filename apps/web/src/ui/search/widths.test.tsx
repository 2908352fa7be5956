// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { draw, useScreen } from "#testing/dom.tsx";
import { SearchBox } from "./SearchBox.tsx";

useScreen("grid");

const sheet = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
/** Width of the first rule of this selector. */
function widthOf(css: string, selector: string): string | undefined {
  const at = css.indexOf(`${selector} {`);
  return at < 0 ? undefined : /\bwidth: (\d+px)/.exec(css.slice(at, css.indexOf("}", at)))?.[1];
}

it.each([
  ["s", ".search", "240px"],
  ["m", '.search[data-size="m"]', "360px"],
  ["l", '.search[data-size="l"]', "500px"],
] as const)(
  "UI-037 a search box of size %s is as wide as its rule %s says: %s",
  async (size, selector, width) => {
    await draw(<SearchBox label="Number" value="" onSearch={() => undefined} size={size} />);

    expect(document.querySelector<HTMLElement>(".search")?.dataset["size"]).toBe(size);
    expect(widthOf(sheet("search.css"), selector)).toBe(width);
  },
);

it("UI-037 the menu of a filter is 300 px wide", () => {
  expect(widthOf(sheet("../list/list.css"), ".list-chip-menu")).toBe("300px");
  expect(widthOf(sheet("../grid/grid.css"), ".grid-popover")).toBe("300px");
});
