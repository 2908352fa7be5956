// @vitest-environment happy-dom
import { act } from "react";
import { expect, it } from "vitest";
import { draw, useScreen } from "#testing/dom.tsx";
import { LongList } from "./index.ts";

useScreen();

const drawn = () => [...document.querySelectorAll("li label")].map((each) => each.textContent);
const show = (count: number) =>
  draw(
    <LongList items={Array.from({ length: count }, (_, at) => `Model ${String(at)}`)} keyOf={(each) => each}>
      {(each) => <label>{each}</label>}
    </LongList>,
  );

it("UI-034: ten options are all drawn", async () => {
  await show(10);

  expect(drawn()).toHaveLength(10);
});

it("UI-034: of more than ten only those in sight are drawn, and each has its position", async () => {
  await show(500);
  const first = drawn();
  const list = document.querySelector("ul");
  act(() => {
    if (list) list.scrollTop = 250 * 30;
    list?.dispatchEvent(new Event("scroll", { bubbles: true }));
  });

  expect(first.length).toBeLessThan(20);
  expect(first).toContain("Model 0");
  expect(drawn()).toContain("Model 250");
  expect(drawn()).not.toContain("Model 0");
  const [middle] = [...document.querySelectorAll("li")].filter((each) => each.textContent === "Model 250");
  expect([
    middle?.ariaPosInSet ?? middle?.getAttribute("aria-posinset"),
    middle?.getAttribute("aria-setsize"),
  ]).toEqual(["251", "500"]);
});
