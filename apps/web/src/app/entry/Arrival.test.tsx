// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import { changeLanguage } from "#lib/i18n";
import { draw, found, useScreen } from "#testing/dom.tsx";
import { Arrival } from "./Arrival.tsx";

useScreen("shell");
beforeEach(() => changeLanguage("ru"));
afterEach(() => changeLanguage("en"));

it.each([
  ["server", 1, "Лицензия истекает через 1 день"],
  ["server", 3, "Лицензия истекает через 3 дня"],
  ["server", 5, "Лицензия истекает через 5 дней"],
  ["cloud", 1, "1 день"],
  ["cloud", 4, "4 дня"],
  ["cloud", 5, "5 дней"],
] as const)("UI-007: on a %s the end in %i days has its own wording", async (build, daysLeft, words) => {
  await draw(<Arrival greetings={["expiry"]} daysLeft={daysLeft} build={build} />);

  const text = await found(() => document.querySelector("dialog p"));
  expect(text.textContent).toContain(words);
});

it.each([
  ["server", "Лицензия закончилась", "управление заблокированы"],
  ["cloud", "Срок обслуживания закончился", "Никто из компании не может войти"],
] as const)(
  "UI-008: on a %s the notice after the end says what is blocked",
  async (build, title, blocked) => {
    await draw(<Arrival greetings={["expiry"]} daysLeft={-1} build={build} />);

    const dialog = await found(() => document.querySelector("dialog"));
    expect(dialog.querySelector("h2")?.textContent).toBe(title);
    expect(dialog.textContent).toContain(blocked);
  },
);
