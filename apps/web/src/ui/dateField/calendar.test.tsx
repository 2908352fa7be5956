// @vitest-environment happy-dom
import { useState } from "react";
import { beforeEach, expect, it, test } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { DateField } from "./index.ts";
import { addMonths, weeksOf } from "./month.ts";

useScreen();
beforeEach(() => startSession("token"));

function Held() {
  const [day, setDay] = useState("2026-11-23");
  return <DateField label="Until" value={day} onValue={setDay} />;
}

async function open() {
  stubServer(asUser(anAccess("admin")));
  await loadSession();
  await draw(<Held />);
  await click(button("Open the calendar"));
  await found(() => document.querySelector(".calendar"));
}
const focused = () => document.activeElement?.getAttribute("aria-label");

it("UI-048: weeks begin on Monday, whatever the browser says", async () => {
  await open();

  const days = [...document.querySelectorAll(".calendar th")].map((each) => each.textContent);
  expect(days).toEqual(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
  expect(says("November 2026")).toBe(true);
  expect(focused()).toBe("23.11.2026");
  // A Monday stands first in its week.
  expect(document.activeElement?.closest("td")?.previousElementSibling).toBeNull();
});

it("UI-048: the day is chosen by keyboard, and typing goes on", async () => {
  await open();

  await press("ArrowDown");
  await press("End");
  expect(focused()).toBe("06.12.2026");
  await press("PageUp", { shiftKey: true });
  expect(focused()).toBe("06.12.2025");
  await click(button("06.12.2025"));

  expect(field("Until").value).toBe("06.12.2025");
  expect(document.querySelector(".calendar")).toBeNull();
  expect(focused()).toBe("Open the calendar");
  await type(field("Until"), "01.02.2026");
  await click(button("Open the calendar"));
  await found(() => says("February 2026"));
});

test("a month has six weeks from Monday; a shorter month ends earlier", () => {
  const weeks = weeksOf("2026-11-23");
  expect(weeks.map(([monday]) => monday)).toEqual([
    "2026-10-26",
    "2026-11-02",
    "2026-11-09",
    "2026-11-16",
    "2026-11-23",
    "2026-11-30",
  ]);
  expect(weeks.every((week) => week.length === 7)).toBe(true);
  expect([addMonths("2026-01-31", 1), addMonths("2024-03-31", -1), addMonths("2024-02-29", 12)]).toEqual([
    "2026-02-28",
    "2024-02-29",
    "2025-02-28",
  ]);
});
