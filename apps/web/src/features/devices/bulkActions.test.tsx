// @vitest-environment happy-dom
import { useState } from "react";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "../../testing/browser.ts";
import { button, click, draw, field, found, says, useScreen } from "../../testing/dom.tsx";
import { anAccess, asUser } from "../../testing/session.ts";
import { BulkActions } from "./BulkActions.tsx";
import type { Place } from "./devices.ts";

useScreen("devices", "deviceBulk", "deviceForm", "grid");
beforeEach(() => startSession("token"));

async function open(place: Place, access: object = anAccess("admin")) {
  const requests = stubServer({
    ...asUser(access),
    "poll/plan": () => answer({}, 404),
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
    sent: async (): Promise<unknown[]> => {
      const bodies = requests.filter(({ url }) => url.endsWith("task/device/change"));
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
  expect(says("Poll now")).toBe(false);
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

it("ACL-018 who may only change is offered neither archive nor trash", async () => {
  await open("present", mayUpdate);

  await click(await whole());

  expect(says("Make inactive")).toBe(true);
  expect(says("To the trash")).toBe(false);
});
