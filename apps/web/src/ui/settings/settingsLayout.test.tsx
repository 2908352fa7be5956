// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { draw, useScreen } from "#testing/dom.tsx";
import { SettingsLayout } from "./SettingsLayout.tsx";

useScreen("settings");

const items = [
  { id: "company", title: "Company", text: "Name, tax number, phone" },
  { id: "time", title: "Time zone" },
];
const open = (current: string | null) =>
  draw(
    <SettingsLayout title="Company settings" groups={[{ items }]} current={current} base="/cloud/settings">
      <p>Form</p>
    </SettingsLayout>,
  );
const entries = () =>
  [...document.querySelectorAll(".settings-entry")].map((each) => [
    each.getAttribute("href"),
    ...[...each.querySelectorAll("strong, small")].map(({ textContent }) => textContent),
  ]);
const current = () => document.querySelector("[aria-current=page] strong")?.textContent;

it("lists the sections as links, with a summary below those that have one", async () => {
  await open(null);

  expect(entries()).toEqual([
    ["#/cloud/settings/company", "Company", "Name, tax number, phone"],
    ["#/cloud/settings/time", "Time zone"],
  ]);
});

it("marks the section of the address", async () => {
  await open("time");
  expect(current()).toBe("Time zone");
  expect(document.querySelector("[role=region]")?.getAttribute("aria-label")).toBe("Time zone");
});

it("without a section in the address the first one is shown", async () => {
  await open(null);
  expect(current()).toBe("Company");
});
