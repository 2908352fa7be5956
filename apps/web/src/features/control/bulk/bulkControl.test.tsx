// @vitest-environment happy-dom
import type { ControlPlan } from "@metrum/contract/headend";
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { controls, model } from "#testing/control.tsx";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { BulkControlDialog } from "./BulkControlDialog.tsx";
import { bulkBlocks } from "./commandList.ts";

useScreen("control", "bulkControl", "tasks");
beforeEach(() => startSession("token"));

const aPlan = (more: Partial<ControlPlan> = {}) => ({
  ...{ device_count: 320, able_count: 312, unable: [], unable_count: 0, switches_off: true },
  checked: "c-1",
  ...{ needs: [], expires_in: 3600 },
  ...more,
});
const aTask = (more: object = {}) => ({
  ...{
    id: 9,
    title: "Нагрузка",
    title_en: "Load",
    command_type: "control",
    status_id: 2,
    device_ids: [7, 8],
  },
  ...{ created_at: 1, expires_at: 9, ended_at: null, user_id: 1, user_name: "N" },
  ...{ device_count: 312, done_count: 200, failed_count: 0 },
  ...more,
});
const statuses = [
  { id: 2, key: "running", title: "Выполняется", title_en: "Running", is_final: false },
  { id: 6, key: "partly_done", title: "Частично", title_en: "Partly done", is_final: true },
];

async function open(plan: ControlPlan, answers: Readonly<Record<string, () => Response>> = {}) {
  const options = { control: { power: controls.power, relay_state: { active: true } } };
  const tariffs = { control: { set_shedule_tariff: { active: true } } };
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/model/metering_devices": () =>
      answer({
        metering_devices: [
          { ...model, options: { ...model.options, ...options } },
          { ...model, id: 102, options: { ...model.options, ...tariffs } },
          { ...model, id: 103, options: { ...model.options, control: { valve: controls.valve } } },
        ],
      }),
    "device/control/plan": () => answer({ plan }),
    "task/device/create": () => answer({ device_task: aTask() }),
    "task/device/list": () => answer({ device_tasks: pageOf([aTask()]), counts: [] }),
    "task/device/status/list": () => answer({ statuses }),
    "task/device/log/result_code/list": () => answer({ result_codes: [] }),
    "task/device/results": () =>
      answer({ results: pageOf([]), counts: { failed: 0, done: 200, waiting: 112, cancelled: 0 } }),
    ...answers,
  });
  await loadSession();
  const onClose = vi.fn();
  await draw(
    <BulkControlDialog
      devices={{ device_ids: [7, 8] }}
      count={320}
      modelIds={[101, 102]}
      onClose={onClose}
    />,
  );
  await found(() => button("Load"));
  return async (path: string) => {
    const bodies = requests.filter(({ url }) => url.endsWith(path));
    return Promise.all(bodies.map((each): Promise<unknown> => each.clone().json()));
  };
}

/** Chooses switching off, up to its plan. */
async function planOff() {
  await click(button("Load"));
  await type(await found(() => field("State")), "0");
  await click(button("Check the devices"));
  await found(() => says("312 of 320 can do this"));
}

it("the commands are those of the models of the devices, and are found by name", async () => {
  await open(aPlan());

  expect(() => button("Valve")).toThrow();
  expect(button("Set the tariff schedule").getAttribute("aria-pressed")).toBe("false");
  await type(field("Find a command"), "relay");
  expect(() => button("Set the tariff schedule")).toThrow();
  expect(button("Relay state").disabled).toBe(false);
});

it("CTRL-081 the plan says how many can and which cannot and why; the rest is sent as one task", async () => {
  const unable = [
    { device_id: 11, device_name: "Kiosk", reason: "model" as const },
    { device_id: 12, device_name: "Pump", reason: "put_away" as const },
  ];
  const sent = await open(aPlan({ unable, unable_count: 8 }));

  await planOff();
  expect(says("1 cannot: its model has no such command") && says("Kiosk")).toBe(true);
  expect(says("1 cannot: it is switched off, archived or in the trash") && says("Pump")).toBe(true);
  expect(says("and 6 more")).toBe(true);
  expect(says("The consumer will have no electricity until the load is switched on again")).toBe(true);
  await type(field("Stop after failures"), "3");
  await click(button("Switch off: 312 devices"));

  await found(() => says("200 of 312"));
  expect(await sent("device/control/plan")).toEqual([{ management: { power: 0 }, device_ids: [7, 8] }]);
  expect(await sent("task/device/create")).toEqual([
    {
      ...{ command_type: "control", title: "Нагрузка: Отключить", title_en: "Load: Switch off" },
      ...{ management: { power: 0 }, device_ids: [7, 8], skip_unable: true, stop_after: 3 },
      checked: "c-1",
    },
  ]);
});

it("CTRL-104 many switch-offs ask for their number and the password; a wrong number is not sent", async () => {
  const sent = await open(aPlan({ needs: ["device_count", "current_password"] }));

  await planOff();
  await type(field("Number of devices"), "320");
  await click(button("Switch off: 312 devices"));
  expect(faultAt(field("Number of devices"))).toBe("Type 312, the number of the devices");
  expect(faultAt(field("Your password"))).toBe("Needed for this command");
  await type(field("Number of devices"), "312");
  await type(field("Your password"), "secret-1");
  await click(button("Switch off: 312 devices"));

  await found(() => says("200 of 312"));
  expect(await sent("task/device/create")).toMatchObject([
    { device_count: 312, current_password: "secret-1", stop_after: 10 },
  ]);
});

it("a refusal of the server stands at its field, and the plan stays", async () => {
  await open(aPlan({ needs: ["current_password"] }), {
    "task/device/create": () =>
      refusal(422, "password_wrong", "Wrong password", { current_password: ["password_wrong"] }),
  });

  await planOff();
  await type(field("Your password"), "wrong");
  await click(button("Switch off: 312 devices"));

  await found(() => faultAt(field("Your password")) === "Wrong password");
  expect(says("312 of 320 can do this")).toBe(true);
});

it("a two-tariff calendar is planned without being stored, and can be changed before it is sent", async () => {
  const sent = await open(aPlan());

  await click(button("Set the tariff schedule"));
  await click(await found(() => field("2")));
  await click(button("Check the devices"));
  await found(() => says("Set the tariff schedule: T1 23:00, T2 07:00"));
  expect(says("The tariff schedule was saved")).toBe(false);
  await click(button("Change"));
  expect(field("T1 until").value).toBe("23:00");
  await type(field("T1 until"), "22:00");
  await click(button("Check the devices"));
  await found(() => says("T1 22:00, T2 07:00"));
  await click(button("Set the tariff schedule: 312 devices"));

  await found(() => says("200 of 312"));
  expect(await sent("device/save_schedule_electro")).toEqual([]);
  expect(await sent("task/device/create")).toMatchObject([
    { management: { set_shedule_tariff: { tariff0: ["22:00"], tariff1: ["07:00"] } } },
  ]);
});

it("with none that can, nothing can be sent", async () => {
  await open(aPlan({ able_count: 0, unable_count: 320 }));

  await click(button("Relay state"));
  await found(() => says("0 of 320 can do this"));
  expect(() => button("Relay state: 0 devices")).toThrow();
});

it("the failed are repeated with a proof; the rest of a running task is cancelled", async () => {
  let repeats = 0;
  let ended: number | null = null;
  const task = () => aTask({ ended_at: ended, failed_count: 4, status_id: ended === null ? 2 : 6 });
  const sent = await open(aPlan(), {
    "task/device/list": () => answer({ device_tasks: pageOf([task()]), counts: [] }),
    "task/device/cancel": () => {
      ended = 5;
      return answer({ cancelled: 108 }, 200, { msg: "Cancelled" });
    },
    "task/device/repeat": () => {
      repeats += 1;
      return repeats === 1
        ? refusal(409, "control_proof", "Confirm the command", { current_password: ["required"] })
        : answer({ device_task: aTask({ id: 10 }) });
    },
  });

  await planOff();
  await click(button("Switch off: 312 devices"));
  await click(await found(() => button("Cancel the rest")));
  await click(await found(() => button("Repeat 4 failed")));
  await found(() => says("Confirm the repetition"));
  await type(field("Your password"), "secret-1");
  await press("Enter");

  await found(() => repeats === 2);
  expect((await sent("task/device/repeat")).at(-1)).toEqual({
    device_task_id: 9,
    current_password: "secret-1",
  });
});

it("commands of several models are offered once, with the full range of their arguments", () => {
  const limit = (maximum: number) => ({
    options: {
      ...model.options,
      control: { limit: { active: true, settings: { limit: { kind: "number", minimum: 0, maximum } } } },
    },
  });
  const [block, ...rest] = bulkBlocks([limit(10), limit(60)]);

  expect(rest).toEqual([]);
  expect(block?.commands[0]?.fields[0]).toMatchObject({ key: "limit", maximum: 100_000 });
});
