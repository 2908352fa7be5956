// @vitest-environment happy-dom
import type { DeviceTask } from "@metrum/contract/headend";
import type { HolePlan } from "@metrum/contract/metering";
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, found, press, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { CompletenessPage } from "./CompletenessPage.tsx";
import { dayText, viewOf } from "./completeness.ts";

/** Noon of the user: no midnight passes during a test. */
const now = Date.parse("2026-11-20T12:00:00+08:00");
useScreen("completeness", "devices", "grid", "dateRange");
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  startSession("token");
});
afterEach(() => vi.useRealTimers());

const zone = "Asia/Ulaanbaatar";
const today = dayText(now / 1000, zone);
const { days } = viewOf({ q: "", sort: null, page: 1, size: 25, filters: {}, cols: null }, { zone, today });
const yesterday = days.at(-2) ?? "";
const midnight = Date.parse(`${yesterday}T00:00:00+08:00`) / 1000;

/** A device that has everything, but for some hours of yesterday. */
const aRow = (id: number, received: number) => ({
  device_id: id,
  name: `Meter ${String(id)}`,
  place: "TP-14",
  device_group_id: 4,
  timezone_name: zone,
  types: [
    {
      msg_type: 1,
      expected: 24 * days.length,
      received: 24 * days.length - 24 + received,
      received_share: 96.7,
      reasons: received < 24 ? [{ reason: "no_answer", title: "No answer", missing: 24 - received }] : [],
      days: days.map((day) => ({
        day,
        expected: 24,
        received: day === yesterday ? received : 24,
        reason: day === yesterday && received < 24 ? "no_answer" : null,
        holes:
          day === yesterday && received < 24
            ? [
                {
                  from: midnight,
                  to: midnight + (24 - received) * 3600,
                  missing: 24 - received,
                  reason: "no_answer",
                },
              ]
            : [],
      })),
    },
  ],
});
const plan: HolePlan = {
  missing: 24,
  asked: 20,
  devices: 1,
  requests: 1,
  not_asked: [{ why: "erased", title: "Erased in the device", missing: 4 }],
  devices_left_out: 0,
};
const aTask = (more: Partial<DeviceTask> = {}) => ({
  id: 5,
  title: "",
  title_en: "",
  command_type: "holes",
  status_id: 2,
  device_ids: [2],
  holes: { msg_types: [1], start_date: midnight, stop_date: midnight, asked: 20, filled: 12 },
  created_at: 1,
  expires_at: 2,
  ended_at: null,
  user_id: 1,
  user_name: "Bat",
  device_count: 1,
  done_count: 0,
  failed_count: 0,
  ...more,
});

async function open(more: Readonly<Record<string, () => Response>> = {}, access: object = anAccess("admin")) {
  const rows = [aRow(1, 24), aRow(2, 0), aRow(3, 12)];
  const requests = stubServer({
    ...asUser(access),
    "device/model/metering_devices": () => answer({ metering_devices: [] }),
    "device/collection_indications": () =>
      answer({
        start_date: 0,
        stop_date: 1,
        devices: { data: rows, current_page: 1, last_page: 1, per_page: 50, total: 3 },
      }),
    "device/collection_totals": () =>
      answer({
        start_date: 0,
        stop_date: 1,
        total: 3,
        totals: {
          devices: 3,
          expected: 2160,
          received: 2124,
          missing: 36,
          received_share: 98.333333,
          reasons: [{ reason: "no_answer", title: "No answer", missing: 36 }],
          days: days.map((day) => ({ day, expected: 72, received: 72, received_share: 100 })),
        },
      }),
    "task/device/list": () =>
      answer({
        device_tasks: { data: [], current_page: 1, last_page: 1, per_page: 25, total: 0 },
        counts: [],
      }),
    "task/device/holes/plan": () => answer({ plan }),
    ...more,
  });
  await loadSession();
  await draw(<CompletenessPage />);
  return requests;
}

const cell = (row: number, day: number) =>
  found(() => document.querySelector<HTMLElement>(`#cell-${String(row)}-${String(day)}`));
const last = days.length - 2;
const sent = async (requests: readonly Request[], path: string): Promise<unknown> => {
  const request = await found(() => requests.find(({ url }) => url.endsWith(path)));
  return request.clone().json();
};
const down = (element: HTMLElement, more: MouseEventInit = {}) =>
  act(async () => {
    element.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0, ...more }));
    await Promise.resolve();
  });

it("TRUST-012: a cell for each device and day: complete, a part, or a hole with the shape of its reason", async () => {
  await open();

  const [whole, hole, part] = [await cell(0, last), await cell(1, last), await cell(2, last)];
  expect([whole, hole, part].map(({ dataset }) => dataset["kind"])).toEqual(["full", "hole", "part"]);
  expect(hole.getAttribute("aria-label")).toContain("received 0 of 24, No answer");
  expect(hole.querySelector(".status-warn")).not.toBeNull();
  await found(() => says(/3 devices · 98\.3 % in 30 days · 36 values missing/));
  expect(document.querySelector(".board-reasons")?.textContent).toBe("No answer36");
});

it("TRUST-012: a hole opens its hours and reason, and leads to the exchanges of that time", async () => {
  await open();

  await down(await cell(2, last));

  const link = await found(() => document.querySelector<HTMLAnchorElement>(".board-detail li a"));
  expect(link.closest("li")?.textContent).toContain("00:00–12:00 No answer");
  expect(link.getAttribute("href")).toBe(
    `#/cloud/devices/data/3?tab=journal&from=${String(midnight)}&to=${String(midnight + 12 * 3600 - 1)}`,
  );
});

it("TRUST-012: a gap of a whole day ends at its midnight", async () => {
  await open();

  await down(await cell(1, last));

  await found(() => says("00:00–24:00 No answer"));
});

it("TRUST-013: a range of cells shows its plan and is requested; what cannot be requested is shown before", async () => {
  const requests = await open({
    "task/device/holes": () => answer({ plan, device_task: aTask() }),
  });

  await down(await cell(1, last));
  await down(await cell(2, last), { shiftKey: true });
  await found(() => says("Erased in the device4") && says("Can be requested20"));
  expect(says("2 devices")).toBe(true);
  await found(() => !button("Request missing values").disabled);
  await click(button("Request missing values"));

  const noon = midnight + 12 * 3600;
  expect(await sent(requests, "task/device/holes")).toEqual({
    device_ids: [2, 3],
    msg_types: [1],
    start_date: noon,
    stop_date: noon,
  });
});

it("TRUST-013: by keyboard: arrows move, Shift extends, Ctrl+A takes all devices of the filter, Escape clears", async () => {
  const requests = await open();
  await cell(0, 0);
  const grid = await found(() => document.querySelector<HTMLElement>(".board-scroll"));
  act(() => grid.focus());

  await press("ArrowDown");
  await press("ArrowDown");
  await press("ArrowLeft", { shiftKey: true });
  expect(grid.getAttribute("aria-activedescendant")).toBe(`cell-1-${String(last)}`);
  expect(document.querySelectorAll(".board-cell[aria-selected=true]")).toHaveLength(2);
  await press("a", { ctrlKey: true });
  expect(document.querySelectorAll(".board-cell[aria-selected=true]")).toHaveLength(3 * days.length);
  const body = await found(() => requests.filter(({ url }) => url.endsWith("holes/plan")).at(-1));
  await found(() => says("3 devices,"));
  expect(await body.clone().json()).toMatchObject({ msg_types: [1] });
  await press("Escape");
  expect(document.querySelectorAll(".board-cell[aria-selected=true]")).toHaveLength(0);
});

it("TRUST-013: requested cells are marked; the request counts received rows and can be cancelled", async () => {
  const requests = await open({
    "task/device/list": () =>
      answer({
        device_tasks: { data: [aTask()], current_page: 1, last_page: 1, per_page: 25, total: 1 },
        counts: [],
      }),
    "task/device/cancel": () => answer({ cancelled: 1 }),
  });

  await found(async () => (await cell(1, last)).dataset["kind"] === "asking");
  expect(says("12 of 20 missing values received")).toBe(true);
  await click(button("Cancel"));
  expect(await sent(requests, "task/device/cancel")).toEqual({ device_task_ids: [5] });
});

it("TRUST-012: without devices the board says so, and a failure can be retried", async () => {
  const none = { data: [], current_page: 1, last_page: 1, per_page: 50, total: 0 };
  let isFailing = true;
  await open({
    "device/collection_indications": () =>
      isFailing
        ? refusal(503, "unavailable", "Away")
        : answer({ start_date: 0, stop_date: 1, devices: none }),
  });

  await found(() => says("The board could not be loaded"));
  isFailing = false;
  await click(button("Retry"));

  await found(() => says("No devices have data of this type."));
});

it("a period of the address holds each of its days once; with a day that no calendar has it is the usual one", () => {
  const daysOf = (from: string, to: string) =>
    viewOf(
      { q: "", sort: null, page: 1, size: 25, filters: { from: [from], to: [to] }, cols: null },
      { zone, today },
    ).days;

  expect(daysOf("2026-02-26", "2026-03-02")).toEqual([
    ...["2026-02-26", "2026-02-27", "2026-02-28"],
    ...["2026-03-01", "2026-03-02"],
  ]);
  for (const day of ["2026-02-31", "2026-02-29", "2026-13-01", "soon"])
    expect(daysOf("2026-02-20", day)).toEqual(days);
});
