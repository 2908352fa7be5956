// @vitest-environment happy-dom
import { tasks, type DeviceTask, type TaskResult } from "@metrum/contract/headend";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { refetch } from "#lib/call";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { listInput, shownStatus } from "./tasks.ts";
import { TasksPage } from "./TasksPage.tsx";

const socket = vi.hoisted(() => new Map<string, (payload: unknown) => void>());
vi.mock("#lib/socket", () => ({
  useSocketEvent: (name: string, listener: (payload: unknown) => void) => socket.set(name, listener),
}));

useScreen("tasks", "devices", "grid");
beforeEach(() => startSession("token"));

const statuses = (["queued", "running", "done", "failed", "cancelled", "partly_done"] as const).map(
  (key, at) => ({
    id: at + 1,
    key,
    title: `По-русски ${key}`,
    title_en: `Is ${key}`,
    is_final: at > 1,
  }),
);

const aTask = (given: Partial<DeviceTask>): DeviceTask => ({
  id: 1,
  title: "Опрос",
  title_en: "Morning",
  command_type: "poll",
  status_id: 2,
  device_ids: [7],
  created_at: 1_800_000_000,
  expires_at: 1_800_086_400,
  ended_at: null,
  user_id: 3,
  user_name: "Bat",
  device_count: 86,
  done_count: 38,
  failed_count: 3,
  ...given,
});
const failed: TaskResult = {
  device_id: 7,
  device_name: "Feeder 3",
  model: "Mercury 230",
  place: "TP-14",
  status_id: 4,
  result_code: 1,
  message: "no answer",
  started_at: null,
  ended_at: 1_800_000_100,
  holes_asked: null,
  holes_filled: null,
  rows_received: null,
};

async function open(tasks: readonly DeviceTask[], more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "task/device/status/list": () => answer({ statuses }),
    "task/device/log/result_code/list": () =>
      answer({ result_codes: [{ id: 1, title: "Нет ответа", title_en: "No answer" }] }),
    "task/device/statistics": () =>
      answer({
        start_date: 0,
        stop_date: 1,
        tasks: [{ status_id: 3, count: 12 }],
        devices: [
          { status_id: 3, count: 960 },
          { status_id: 4, count: 40 },
        ],
        results: [
          { result_code: 0, count: 960 },
          { result_code: 1, count: 40 },
        ],
        median_sec: 12,
      }),
    "task/device/list": () =>
      answer({
        device_tasks: pageOf(tasks),
        counts: [],
      }),
    "task/device/results": () =>
      answer({
        results: pageOf([failed]),
        counts: { failed: 3, done: 83, waiting: 0, cancelled: 0 },
      }),
    ...more,
  });
  await loadSession();
  await draw(<TasksPage />);
  await found(() => says("Morning") || says("No tasks yet"));
  return requests;
}

const sent = async (requests: readonly Request[], path: string): Promise<unknown[]> =>
  Promise.all(
    requests
      .filter(({ url }) => url.endsWith(path))
      .map(async (each) => (await each.clone().json()) as unknown),
  );

it("TASK-010 TASK-011: a task shows devices, status of the server, progress and author; the week is summed up", async () => {
  await open([aTask({})]);

  await found(() => says("Is running"));
  expect(says("41 of 86, 3 failed")).toBe(true);
  expect(says("Bat")).toBe(true);
  expect(document.querySelector("[role=img][aria-label='41 of 86, 3 failed']")).not.toBeNull();
  await found(() =>
    says(/12 tasks · 1.000 requests to devices · 96\.0% answered · half of them within 12 s/),
  );
  expect(says("most often failed: No answer, 40")).toBe(true);
});

it("TRUST-013: a task that requests missing values counts them as well", async () => {
  const holes = { msg_types: [5], start_date: 0, stop_date: 1, asked: 310, filled: 120 };
  await open([aTask({ command_type: "holes", holes })]);

  expect(says("41 of 86, 3 failed, values 120 of 310")).toBe(true);
});

it("TASK-011: without tasks the page explains how to create one", async () => {
  await open([]);

  expect(says("Select devices in their list and press Poll now")).toBe(true);
});

it("TASK-004: a running task can be cancelled; failed devices of an ended one can be polled again", async () => {
  const requests = await open(
    [aTask({}), aTask({ id: 2, title_en: "Evening", status_id: 6, ended_at: 1_800_000_600, done_count: 83 })],
    {
      "task/device/cancel": () => answer({ cancelled: 45 }),
      "task/device/repeat": () => answer({ device_task: aTask({ id: 3 }) }),
    },
  );
  await found(() => says("Is running"));

  await click(button("Cancel"));
  await found(() => requests.some(({ url }) => url.endsWith("task/device/cancel")));
  await found(() => !button("Repeat 3 failed").disabled);
  await click(button("Repeat 3 failed"));
  await found(() => requests.some(({ url }) => url.endsWith("task/device/repeat")));

  expect(await sent(requests, "task/device/cancel")).toEqual([{ device_task_ids: [1] }]);
  expect(await sent(requests, "task/device/repeat")).toEqual([{ device_task_id: 2 }]);
});

it("TASK-011: a row opens to its devices, the failed first, with the reason in words and the log", async () => {
  const requests = await open([aTask({ status_id: 6, ended_at: 1_800_000_600 })]);

  await click(await found(() => document.querySelector<HTMLElement>("tbody tr")));
  await found(() => says("Feeder 3"));

  await found(() => says("No answer"));
  expect(says("Mercury 230, TP-14")).toBe(true);
  expect(document.querySelector("a[href='#/cloud/devices/data/7?tab=journal']")).not.toBeNull();
  const choices = [...document.querySelectorAll(".task-results label")].map(({ textContent }) => textContent);
  expect(choices).toEqual(["Failed 3", "Done 83", "All 86"]);
  expect(await sent(requests, "task/device/results")).toEqual([
    { device_task_id: 1, outcome: "failed", page: 1, per_page: 25 },
  ]);
});

it("TASK-011: a permanently removed device keeps its outcome and is no link", async () => {
  await open([aTask({})], {
    "task/device/results": () =>
      answer({
        results: pageOf([{ ...failed, device_name: "", model: "", place: "" }]),
        counts: { failed: 1, done: 0, waiting: 0, cancelled: 0 },
      }),
  });

  await click(await found(() => document.querySelector<HTMLElement>("tbody tr")));
  await found(() => says("Device 7") && says("No answer"));

  expect(document.querySelector(".task-results a")).toBeNull();
});

it("TASK-011: if the devices of a task cannot be loaded, the reason is shown and loading can be retried", async () => {
  let isDown = true;
  await open([aTask({})], {
    "task/device/results": () =>
      isDown
        ? refusal(404, "not_found", "The task has been removed")
        : answer({
            results: pageOf([failed]),
            counts: { failed: 3, done: 83, waiting: 0, cancelled: 0 },
          }),
  });

  await click(await found(() => document.querySelector<HTMLElement>("tbody tr")));
  await found(() => says("The task has been removed"));
  isDown = false;
  await click(button("Retry"));

  await found(() => says("Feeder 3"));
  expect(says("The task has been removed")).toBe(false);
});

it("TASK-011: on a phone tapping a task shows its devices and actions", async () => {
  const media = { matches: true, addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("matchMedia", () => media);
  await open([aTask({ status_id: 6, ended_at: 1_800_000_600 })]);

  await click(await found(() => document.querySelector<HTMLElement>("tbody tr")));
  await found(() => says("Feeder 3"));

  expect(button("Repeat 3 failed")).toBeDefined();
});

it("TASK-004: no action is offered until the statuses are loaded: the task may have ended", async () => {
  const answers = { statuses: [] as typeof statuses };
  await open([aTask({ status_id: 3, ended_at: 1_800_000_600 })], {
    "task/device/status/list": () => answer(answers),
  });
  const named = (text: string) =>
    [...document.querySelectorAll("tbody button")].some((each) => each.textContent === text);
  const before = named("Cancel");
  answers.statuses = statuses;
  await act(() => refetch(tasks.statuses));

  await found(() => named("Repeat 3 failed"));
  expect(before).toBe(false);
});

it("UI-066 why a device was not changed stands in its row, in the words of the server", async () => {
  const row = { ...failed, result_code: null, message: "Another device has the identifier" };
  await open([aTask({ command_type: "change", change: { action: "restore" }, status_id: 6 })], {
    "task/device/results": () =>
      answer({
        results: { data: [row], current_page: 1, last_page: 1, per_page: 25, total: 1 },
        counts: { failed: 1, done: 85, waiting: 0, cancelled: 0 },
      }),
  });

  await click(await found(() => document.querySelector<HTMLElement>("tbody tr")));

  await found(() => says("Another device has the identifier"));
});

it("TASK-009: a change on the socket refreshes the list once, however many devices answer", async () => {
  let task = aTask({});
  const requests = await open([], {
    "task/device/list": () =>
      answer({
        device_tasks: pageOf([task]),
        counts: [],
      }),
  });
  await found(() => says("41 of 86"));
  const before = requests.filter(({ url }) => url.endsWith("task/device/list")).length;
  task = aTask({ done_count: 50 });

  for (let device_id = 1; device_id <= 12; device_id++)
    socket.get("device_task")?.({ device_task_id: 1, device_id, status_id: 3 });

  await found(() => says("53 of 86"));
  expect(requests.filter(({ url }) => url.endsWith("task/device/list"))).toHaveLength(before + 1);
});

it("TASK-003: the status is chosen among those of the server", async () => {
  const requests = await open([aTask({})]);
  await found(() => says("Is running"));

  await type(field("Status"), "4");
  await found(() => requests.filter(({ url }) => url.endsWith("task/device/list")).length > 1);

  expect((await sent(requests, "task/device/list")).at(-1)).toMatchObject({ status_id: 4, page: 1 });
});

it("TASK-003: the address contains status, device, order and page; empty ones are omitted", () => {
  const state = { q: " north ", page: 2, size: 25, cols: null, sort: { field: "status_id", desc: true } };

  expect(listInput({ ...state, filters: { status: ["4"], device: ["17"] } })).toEqual({
    page: 2,
    per_page: 25,
    sort: "desc",
    sort_field: "status_id",
    search_string: "north",
    status_id: 4,
    device_id: 17,
  });
  expect(listInput({ ...state, filters: { status: ["x"], device: ["-1"] } })).not.toHaveProperty("device_id");
});

it("TASK-005: a status that this version does not know is not shown as another one", () => {
  expect(shownStatus(99, statuses, "en")).toEqual({ kind: "warn", text: "" });
});
