// @vitest-environment happy-dom
import { useState } from "react";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { aGroup, aTask } from "#testing/tasks.ts";
import { BulkActions } from "./BulkActions.tsx";
import type { Place } from "#carriers";

useScreen("devices", "deviceBulk", "deviceForm", "grid");
beforeEach(() => startSession("token"));

const fitter = {
  ...{ id: 9, name: "Fitter", email: "fitter@metrum.example", phone_number: null, language: "en" },
  ...{ user_time_zone: null, timezone: null, timezone_name: null, access_group_id: null },
  ...{ first_login: false, "2fa_enabled": false, is_admin: false, is_active: true },
  ...{ access_group_name: null, is_invited: false, last_sign_in_at: null, version: 1, is_manageable: true },
};

async function open(place: Place, access: object = anAccess("admin")) {
  const requests = stubServer({
    ...asUser(access),
    "poll/plan": () => answer({}, 404),
    "task/device/create": () => answer({ device_task: aTask }),
    "device/opros/group/list": () =>
      answer({
        data: [aGroup()],
        ...{ current_page: 1, last_page: 1, per_page: 100, total: 1, counts: { all: 1, active: 1 } },
      }),
    "company/users": () => answer({ users: [fitter], total: 1 }),
    "task/device/change": () => answer({ device_task: null }, 200, { msg: "Task for 12345 devices created" }),
  });
  await loadSession();
  let cleared = 0;
  const input = { page: 2, per_page: 25, sort: "asc" as const, search_string: "meter", ...places[place] };
  const Bar = () => {
    const [isWhole, setWhole] = useState(false);
    return (
      <BulkActions
        keys={["7", "8"]}
        clear={() => (cleared += 1)}
        whole={{ isWhole, toggle: () => setWhole(!isWhole) }}
        rows={[]}
        place={place}
        input={input}
        total={12_345}
      />
    );
  };
  await draw(<Bar />);
  return {
    cleared: () => cleared,
    sent: async (path = "task/device/change"): Promise<unknown[]> => {
      const bodies = requests.filter(({ url }) => url.endsWith(path));
      return Promise.all(bodies.map(async (each): Promise<unknown> => JSON.parse(await each.clone().text())));
    },
  };
}

const rules = { create: [], read: [4], update: [4], delete: [], access_all: [] };
const mayUpdate = anAccess([], { access_group: { id: 1, name: "g", access_rules: rules } });
const places = { present: {}, archive: { is_archived: true }, trash: { is_deleted: true } };
const all = /All 12.345 of the filter/;
const whole = () =>
  found(
    () => says(all) && [...document.querySelectorAll("button")].find((each) => all.test(each.textContent)),
  );

it("DEV-005 all devices of the filter go to the trash as one task, after a question with their number", async () => {
  const page = await open("present");

  await click(await whole());
  await click(button("To the trash"));
  await found(() => says(/Move 12.345 devices to the trash\?/));
  await click(button("Cancel"));
  expect(await page.sent()).toEqual([]);
  await click(button("To the trash"));
  await click(await found(() => button("Apply")));

  await found(() => says("Task for 12345 devices created"));
  expect(await page.sent()).toEqual([{ action: "trash", filter: { search_string: "meter" } }]);
  expect(page.cleared()).toBe(1);
});

it("the poll period of the selected devices is chosen from a list", async () => {
  const page = await open("present");

  await click(await found(() => button("Poll period")));
  await click(await found(() => says("1 d") && field("1 d")));
  await click(button("Apply"));

  await found(() => page.cleared() === 1);
  expect(await page.sent()).toEqual([
    { action: "period", report_period_update: 86_400, filter: { ids: [7, 8] } },
  ]);
});

it("UI-014 DEV-007 what the trash holds is removed for good only with the warning ticked", async () => {
  const page = await open("trash");

  await click(await whole());
  await click(button("Remove for good"));
  const tick = await found(() =>
    field("They go with all their readings, journals and logs. This cannot be undone."),
  );
  expect(button("Remove for good").disabled).toBe(true);
  await click(tick);
  await click(button("Remove for good"));

  await found(() => page.cleared() === 1);
  expect(await page.sent()).toEqual([
    { action: "remove", filter: { search_string: "meter", is_deleted: true } },
  ]);
});

it.each([
  ["trash", "present", "To the trash", /Move 12.345 devices to the trash\?/, "Apply", {}],
  ["archive", "present", "To the archive", /Move 12.345 devices to the archive\?/, "Apply", {}],
  [
    "restore",
    "trash",
    "Bring back from the trash",
    /Bring 12.345 devices back from the trash\?/,
    "Apply",
    { is_deleted: true },
  ],
] as const)(
  "UI-041: the popup of %s says what happens to how many, and the devices chosen go along",
  async (action, place, opener, question, verb, added) => {
    const page = await open(place);

    await click(await whole());
    await click(button(opener));
    const dialog = await found(() => document.querySelector<HTMLElement>("[role=alertdialog]"));
    expect(dialog.textContent).toMatch(question);
    await click(button(verb));

    await found(() => page.cleared() === 1);
    expect(await page.sent()).toEqual([{ action, filter: { search_string: "meter", ...added } }]);
  },
);

it("UI-041: the popup for selected devices has their number, and their ids go along", async () => {
  const page = await open("present");

  await click(await found(() => button("Poll period")));
  const dialog = await found(() => document.querySelector("dialog"));
  expect(dialog.textContent).toContain("Poll period of 2 devices");
  await click(button("Apply"));

  await found(() => page.cleared() === 1);
  expect(await page.sent()).toEqual([
    { action: "period", report_period_update: 3600, filter: { ids: [7, 8] } },
  ]);
});

it("ACL-018 who may only change is offered neither archive nor trash", async () => {
  await open("present", mayUpdate);

  await click(await whole());

  expect(says("Make inactive")).toBe(true);
  expect(says("To the trash")).toBe(false);
});

it("all devices of the filter are polled now as one task, after a question with their number", async () => {
  const page = await open("present");

  await click(await whole());
  await click(button("Poll now"));
  await found(() => says(/Poll 12.345 devices now\?/));
  await click(button("Poll now"));

  await found(() => page.cleared() === 1);
  expect(await page.sent("task/device/create")).toMatchObject([
    { command_type: "poll", filter: { search_string: "meter" } },
  ]);
});

it("all devices of the filter are put into a poll group, which is chosen by its name and model", async () => {
  const page = await open("present");

  await click(await whole());
  await click(button("To a poll group"));
  await click(await found(() => says("Feeders · Mercury 230") && field("Feeders · Mercury 230")));
  await click(button("Apply"));

  await found(() => page.cleared() === 1);
  expect(await page.sent()).toEqual([
    { action: "group", poll_group_id: 7, filter: { search_string: "meter" } },
  ]);
});

it("users are tied to the selected devices at once; their other ties stay", async () => {
  const page = await open("present");

  await click(await found(() => button("Tie users")));
  await found(() => says("Tie users to 2 devices"));
  expect(button("Tie").disabled).toBe(true);
  await click(await found(() => document.querySelector<HTMLInputElement>(".tie-list input")));
  await click(button("Tie"));

  await found(() => page.cleared() === 1);
  expect(await page.sent()).toEqual([{ action: "tie", user_ids: [9], filter: { ids: [7, 8] } }]);
});
