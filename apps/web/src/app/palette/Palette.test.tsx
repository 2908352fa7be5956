// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { stubServer } from "../../testing/browser.ts";
import { draw, field, found, press, says, type, useScreen } from "../../testing/dom.tsx";
import { anAccess, asUser } from "../../testing/session.ts";
import { Palette } from "./Palette.tsx";

useScreen("shell");
const onClose = vi.fn();
beforeEach(async () => {
  onClose.mockClear();
  startSession("token");
  stubServer(asUser(anAccess([])));
  await loadSession();
  await draw(<Palette onClose={onClose} />);
});

const input = () => field("Search and commands");
const selected = () => document.querySelector("[role=option][aria-selected=true]");

it("tells assistive technology which line Enter takes, and none where nothing is found", async () => {
  await type(input(), "the");
  await found(() => selected()?.textContent === "Theme: Light");
  expect(input().getAttribute("aria-activedescendant")).toBe(selected()?.id);

  await press("ArrowDown");
  expect(selected()?.textContent).toBe("Theme: Dark");
  expect(input().getAttribute("aria-activedescendant")).toBe(selected()?.id);

  await type(input(), "zzz");
  await found(() => selected() === null);
  expect(input().hasAttribute("aria-activedescendant")).toBe(false);
});

it("Enter takes the selected line and closes the palette", async () => {
  await type(input(), "dark");
  await found(() => selected()?.textContent === "Theme: Dark");
  await press("Enter");

  expect(onClose).toHaveBeenCalledOnce();
  expect(document.documentElement.dataset["theme"]).toBe("dark");
});

it("the number of lines is announced", async () => {
  await type(input(), "theme:");
  await found(() => says("2 results"));
});
