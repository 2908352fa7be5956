// @vitest-environment happy-dom
import type { DeviceTask } from "@metrum/contract/headend";
import type { SheetImport } from "@metrum/contract/metering";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { announceEnd } from "#tasks";
import { snackHistory } from "#ui/snackbar";
import { answer, stubServer } from "#testing/browser.ts";
import { click, draw, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { Bell } from "./Bell.tsx";

const socket = vi.hoisted(() => new Map<string, (payload: unknown) => void>());
vi.mock("#lib/socket", () => ({
  useSocketEvent: (name: string, listener: (payload: unknown) => void) => socket.set(name, listener),
}));

useScreen("shell", "tasks");
beforeEach(() => {
  startSession("token");
  snackHistory.clear();
});

const aTask = (given: Partial<DeviceTask> = {}): DeviceTask => ({
  id: 4,
  title: "Устройства в корзину",
  title_en: "Devices to the trash",
  command_type: "change",
  status_id: 2,
  device_ids: [7],
  created_at: 1_800_000_000,
  expires_at: 1_800_086_400,
  ended_at: null,
  user_id: 1,
  user_name: "Bat",
  device_count: 90,
  done_count: 40,
  failed_count: 0,
  ...given,
});

async function open(
  tasks: () => readonly DeviceTask[],
  access: object = anAccess("admin"),
  imports: readonly SheetImport[] = [],
) {
  const requests = stubServer({
    ...asUser(access),
    "device/sheet/list": () => answer({ imports }),
    "task/device/list": () =>
      answer({
        device_tasks: { data: tasks(), current_page: 1, last_page: 1, per_page: 10, total: tasks().length },
        counts: [],
      }),
  });
  await loadSession();
  await draw(<Bell />);
  await click(document.querySelector<HTMLElement>(".shell-bell") ?? document.body);
  await found(() => says("No messages since this page was opened."));
  return requests;
}

it("long work stands in the bell with its progress, and leaves it with its end", async () => {
  let tasks = [aTask()];
  const requests = await open(() => tasks);

  await found(() => says("Devices to the trash") && says("40 of 90"));
  const [asked] = requests.filter(({ url }) => url.endsWith("task/device/list"));
  expect(await asked?.clone().json()).toEqual({ is_open: true, per_page: 10, sort: "desc" });
  tasks = [aTask({ done_count: 70 })];
  socket.get("device_task")?.({ device_task_id: 4, status_id: 2 });
  await found(() => says("70 of 90"));
  tasks = [];
  socket.get("device_task")?.({ device_task_id: 4, status_id: 3 });

  await found(() => !says("In progress"));
});

const anImport = (given: Partial<SheetImport>): SheetImport => ({
  id: 17,
  kind: "devices",
  file_name: "north.xlsx",
  user_name: "Bat",
  state: "running",
  headers: [],
  mapping: [],
  row_count: 20_000,
  done_count: 7000,
  counts: { made: 0, changed: 0, same: 0, refused: 0 },
  created_at: 1_800_000_000,
  ran_at: null,
  undone_at: null,
  kept_until: 1_802_000_000,
  ...given,
});

it("an import that is stored now stands in the bell with its progress, a finished one does not", async () => {
  await open(() => [], anAccess("admin"), [
    anImport({}),
    anImport({ id: 16, file_name: "south.csv", state: "done" }),
  ]);

  await found(() => says("north.xlsx") && says(/Importing: row 7.000 of 20.000/));

  expect(document.querySelector('a[href="#/cloud/devices/import/17"]')).not.toBeNull();
  expect(says("south.csv")).toBe(false);
});

it("the end of a task is said with its numbers, that of one device is not", async () => {
  let task = aTask({ status_id: 6, ended_at: 1_800_000_060, done_count: 87, failed_count: 3 });
  await open(() => [task]);

  await act(() => announceEnd(4));
  await found(() => says("Devices to the trash: 90 of 90, 3 failed"));
  expect(snackHistory.get()).toHaveLength(1);
  task = aTask({ ended_at: 1_800_000_060, device_count: 1 });
  await act(() => announceEnd(4));

  expect(snackHistory.get()).toHaveLength(1);
});

it("without the right to read tasks the bell asks for none", async () => {
  const requests = await open(() => [aTask()], anAccess([8]));

  expect(requests.some(({ url }) => url.endsWith("task/device/list"))).toBe(false);
});
