// @vitest-environment happy-dom
import type { DeviceTask, PlanLine, PollGroup, PollPlan } from "@metrum/contract/headend";
import type { ModelSheet } from "@metrum/contract/metering";
import { beforeEach, describe, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { aGroup } from "#testing/tasks.ts";
import { changeOf, valuesOf } from "./groupForm.ts";
import { GroupForm } from "./GroupForm.tsx";
import { GroupFormPage } from "./GroupFormPage.tsx";
import { GroupPage } from "./GroupPage.tsx";
import { PlanPage } from "./PlanPage.tsx";
import { listInput, successOf } from "./pollGroups.ts";
import { PollGroupsPage } from "./PollGroupsPage.tsx";
import { screens } from "./routes.ts";

useScreen("pollGroups", "devices", "grid", "settings");
beforeEach(() => {
  startSession("token");
  location.hash = "";
});

const aModel = (id: number, title: string, active: boolean) => ({
  ...{ id, title, brand_id: 1, brand: "Mercury", device_group_id: 2, device_type_id: 1 },
  interface_ids: [4, 10],
  protocol: "mercury",
  options: { control: {}, virtual_bridge: { active } },
  ...{ tabs: {}, fields: [], has_own_starting_value: false, has_login: false, has_vectors: false },
});
const aSheet: ModelSheet = {
  ...{ id: 120, kind: "meter", title: "230", brand: "Mercury", interface_ids: [4, 10] },
  ...{ device_group_id: 2, device_type_id: 1, protocol: "mercury", connection: null, fields: [], tabs: {} },
  ...{ controls: [], secrets: [], settings: [], profile_from: null, counter_capacity: null, rules: [] },
  ...{ evidence: [], comparisons: [], sources: [] },
  archives: [
    { msg_type: 100, period: 3600, depth_days: 60 },
    { msg_type: 101, period: 86_400, depth_days: 365 },
  ],
};
const aTask: DeviceTask = {
  ...{ id: 3, title: "", title_en: "", command_type: "poll", status_id: 1, device_ids: [11, 12] },
  ...{ created_at: 0, expires_at: 1, ended_at: null, user_id: 1, user_name: "N" },
  ...{ device_count: 2, done_count: 0, failed_count: 0 },
};
const page = <Row,>(data: readonly Row[]) => ({
  ...{ data: [...data], current_page: 1, last_page: 1, per_page: 25, total: data.length },
});
const planAt = 1_793_491_200;
const aLine = (more: Partial<PlanLine> = {}): PlanLine => ({
  ...{ line: "modem:1", gateway: { id: 1, name: "GW-0117" }, state: "planned", reason: "schedule" },
  ...{ device_count: 142, left_count: 64, waiting_count: 0, off_count: 0, silent_count: 0, ahead_count: 0 },
  ...{ running: null, starts_at: planAt + 600, ends_at: planAt + 3600, exchange_sec: 4.24, load: 0.4 },
  ...more,
});
const aPlan = (lines: readonly PlanLine[], more: Partial<PollPlan> = {}): PollPlan => ({
  ...{ at: planAt, ends_at: planAt + 3600, device_count: 142, left_count: 64, unknown_count: 0 },
  ...{ stopped_count: 0, off_count: 0 },
  states: { running: 0, waiting: 0, planned: lines.length, stopped: 0 },
  lines: page(lines),
  ...more,
});
const aDevice = (id: number, name: string) => ({ id, name, deviceID: `N${String(id)}`, place: "TP-14" });
const found2 = [aDevice(11, "Meter A"), aDevice(12, "Meter B"), aDevice(13, "Meter C")];

async function serve(groups: readonly PollGroup[], more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/opros/group/list": () =>
      answer({ ...page(groups), counts: { all: groups.length, active: groups.length } }),
    "device/model/metering_devices": () =>
      answer({ metering_devices: [aModel(120, "230", true), aModel(300, "Radio", false)] }),
    "device/model/sheet/120": () =>
      answer({
        model: aSheet,
      }),
    "device/metering_devices": () => answer({ metering_devices: page(found2) }),
    ...more,
  });
  await loadSession();
  return requests;
}

const sent = async (requests: readonly Request[], path: string): Promise<unknown> => {
  const request = await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)));
  return (await request.clone().json()) as unknown;
};

const openForm = async (more: Readonly<Record<string, () => Response>> = {}) => {
  const requests = await serve([], more);
  await draw(<GroupFormPage />);
  await found(() => field("Name"));
  return requests;
};

describe("the list of poll groups", () => {
  it("POLL-014, POLL-015: shows model, interface, devices, interval, share of answers and the switch", async () => {
    await serve([aGroup()]);

    await draw(<PollGroupsPage />);
    await found(() => says("Feeders"));

    expect(says("Mercury 230 · RS-485")).toBe(true);
    expect(says("1 h, shifted by 30 min")).toBe(true);
    expect(says("84%")).toBe(true);
    expect(document.querySelector("[title='202 of 240 devices answered last time']")).not.toBeNull();
    const tabs = [...document.querySelectorAll("[role=tab]")].map((tab) => tab.textContent);
    expect(tabs).toEqual(expect.arrayContaining(["Poll groups1", "Tasks"]));
    expect(field("Polling: Feeders")).toMatchObject({ checked: true });
  });

  it("without a group the page says what one is", async () => {
    await serve([]);

    await draw(<PollGroupsPage />);

    await found(() => says("devices of one model that are read at a common interval"));
  });

  it("POLL-005: the switch turns the polling of the group off", async () => {
    const requests = await serve([aGroup()], { "device/opros/group/switch": () => answer({}) });
    await draw(<PollGroupsPage />);
    await found(() => says("Feeders"));

    await click(field("Polling: Feeders"));

    expect(await sent(requests, "device/opros/group/switch")).toEqual({ id: 7, is_active: false });
  });

  it("TASK-002, POLL-022: a campaign shows its end, then polls all devices of a group in a task with a title in both languages", async () => {
    const requests = await serve([aGroup()], {
      "task/device/create": () => answer({ device_task: aTask }, 200, { msg: "It is queued" }),
      "device/opros/plan": () =>
        answer({ plan: aPlan([aLine()], { left_count: 240, stopped_count: 96, unknown_count: 2 }) }),
    });
    await draw(<PollGroupsPage />);
    await found(() => says("Feeders"));

    await click(button("Actions: Feeders"));
    await click(button("Ask now"));
    await found(() => says("144 devices over 1 line. All have been asked about 09:00."));
    expect(says("The end of 2 devices is not known")).toBe(true);
    expect(says("96 devices cannot be asked: their lines are down")).toBe(true);
    expect(requests.some(({ url }) => url.endsWith("task/device/create"))).toBe(false);
    await click(button("Ask now"));

    expect(await sent(requests, "device/opros/plan")).toEqual({ poll_group_id: 7, is_campaign: true });
    expect(await sent(requests, "task/device/create")).toEqual({
      command_type: "poll",
      title: "Опрос по запросу: Feeders",
      title_en: "Poll on request: Feeders",
      poll_group_id: 7,
    });
    await found(() => says("It is queued"));
  });

  it.each([
    ["8", "The number entered does not match the record", false],
    ["7", "It is gone", true],
  ])("POLL-008, UI-051: deleting a group needs its typed number: %s", async (typed, text, isSent) => {
    const requests = await serve([aGroup()], {
      "device/opros/group/delete/7": () => answer({}, 200, { msg: "It is gone" }),
    });
    await draw(<PollGroupsPage />);
    await found(() => says("Feeders"));

    await click(button("Actions: Feeders"));
    await click(button("Delete"));
    await found(() => says("240 devices keep their periods"));
    await type(field("Type its number: 7"), typed);
    await click(button("Delete"));

    await found(() => says(text));
    expect(requests.some(({ url }) => url.includes("group/delete"))).toBe(isSent);
  });

  it("a user with read access can poll the devices of a group, but not change it", async () => {
    await serve([aGroup()], asUser(anAccess([4])));
    await draw(<PollGroupsPage />);
    await found(() => says("Feeders"));

    await click(button("Actions: Feeders"));

    await found(() => says("Tasks of the group") && says("Ask now"));
    expect(["Cancel its tasks", "Edit", "Delete", "Add poll group"].filter(says)).toEqual([]);
    expect(field("Polling: Feeders").disabled).toBe(true);
  });

  it("the address contains search, model and state; empty ones are omitted", () => {
    const state = { q: " feeders ", page: 2, size: 25, cols: null, sort: null };

    expect(listInput({ ...state, filters: { model: ["120", "x"], active: ["inactive"] } })).toEqual({
      page: 2,
      per_page: 25,
      search_string: "feeders",
      model_id: [120],
      is_active: false,
    });
    expect(listInput({ ...state, filters: { active: ["what"] } })).not.toHaveProperty("is_active");
  });

  it.each([
    [1, "ok"],
    [0.94, "warn"],
    [0.4, "alarm"],
  ])("a share of %d is drawn as %s, never rounded up", (success_rate, kind) => {
    const words = { t: (_: string, { percent }: { percent?: string }) => percent ?? "", number: String };

    expect(successOf(aGroup({ success_rate }), words as never)).toMatchObject({ kind });
    expect(successOf(aGroup({ success_rate: 0.999 }), words as never)?.text).toBe("99");
    expect(successOf(aGroup({ success_rate: null }), words as never)).toBeNull();
  });
});

describe("the plan", () => {
  const openPlan = async (plan: PollPlan) => {
    await serve([], { "device/opros/plan": () => answer({ plan }) });
    await draw(<PlanPage />);
  };

  it("POLL-022: a line shows the running job, the remaining devices, the time of an exchange and the end", async () => {
    const running = { device_id: 5, device_name: "Meter 5", started_at: planAt };
    await openPlan(
      aPlan([
        aLine({ state: "running", reason: null, running, silent_count: 3, load: 1.25 }),
        aLine({ line: "modem:2", gateway: { id: 2, name: "GW-0118" } }),
      ]),
    );

    await found(() => says("Asks Meter 5, done 09:00"));
    expect(says("4.2 s an exchange · 3 silent · Too much for this line: 125% of its time")).toBe(true);
    expect(says("Next round 08:10, done 09:00")).toBe(true);
    expect(says("64 of 142")).toBe(true);
    expect(says("64 devices over 2 lines. All have been asked about 09:00.")).toBe(true);
    expect(document.querySelector("a[href='#/cloud/devices/gateway/2']")?.textContent).toBe("GW-0118");
  });

  it.each([
    [aLine({ state: "waiting", reason: "queue", ahead_count: 4 }), "In the queue of the line, 4 ahead"],
    [aLine({ state: "waiting", reason: "queue" }), "Its turn is next; begins 08:10"],
    [aLine({ state: "waiting", reason: "lent" }), "A transparent port has the line until 08:10"],
    [aLine({ reason: "not_measured", ends_at: null }), "no device like these was ever asked"],
    [aLine({ state: "stopped", reason: "not_connected", ends_at: null }), "The modem is not connected"],
    [aLine({ state: "stopped", reason: "no_port", ends_at: null }), "No running server has this serial port"],
    [aLine({ state: "stopped", reason: "no_address", ends_at: null }), "Neither gateway nor address"],
    [aLine({ state: "stopped", reason: "switched_off", ends_at: null }), "Switched off: nobody is asked"],
    [aLine({ state: "stopped", reason: "nothing_due", ends_at: null }), "Everybody has been asked"],
  ])("POLL-022: and why it does nothing now: $reason", async (line, text) => {
    await openPlan(aPlan([line], { ends_at: line.ends_at }));

    await found(() => says(text));
    expect(document.querySelectorAll(".plan-bars .plan-bar").length > 0).toBe(line.ends_at !== null);
  });

  it("POLL-022: a plan that cannot be loaded shows the reason; one without devices on lines says so", async () => {
    const answers = { isDown: true };
    await serve([], {
      "device/opros/plan": () =>
        answers.isDown
          ? refusal(500, "internal", "The store is being repaired")
          : answer({ plan: aPlan([], { device_count: 0 }) }),
    });
    await draw(<PlanPage />);
    await found(() => says("The store is being repaired"));
    answers.isDown = false;
    await click(button("Retry"));

    await found(() => says("None of these devices is asked over a line"));
  });

  it("POLL-014: the page of a group shows its facts above its plan", async () => {
    await serve([], {
      "device/opros/group/": () => answer({ poll_group: aGroup() }),
      "device/opros/plan": () => answer({ plan: aPlan([aLine()]) }),
    });
    await draw(<GroupPage />);

    await found(() => says("GW-0117"));
    expect(says("240 devices · 1 h, shifted by 30 min · 202 of 240 devices answered last time")).toBe(true);
  });

  it("POLL-014: a group that does not exist is reported as missing", async () => {
    await serve([]);
    await draw(<GroupPage />);

    await found(() => says("There is no such poll group"));
  });
});

describe("the form of a poll group", () => {
  it("POLL-015: its steps are model and connection, what to read, devices and schedule; only polled models", async () => {
    const requests = await openForm();
    expect(says("Choose a model: what can be read")).toBe(true);
    expect([...field("Model").querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
      "Choose a model",
      "Mercury 230",
    ]);

    await type(field("Name"), "Inputs");
    await type(field("Model"), "120");
    await found(() => says("kept for 60 d"));
    const steps = [...document.querySelectorAll(".group-step h2")].map(({ textContent }) => textContent);
    await found(() => says("Meter C"));
    await type(field("Interval"), "900");
    await type(field("Time shift"), "60");
    await click(button("Choose all 3 found"));
    await found(() => says("Chosen 3"));
    await click(button("Create"));

    expect(steps).toEqual(["1Model and connection", "2What to read", "3Devices", "4Schedule"]);
    expect(await sent(requests, "device/opros/group/create")).toEqual({
      name: "Inputs",
      model_id: 120,
      connection_type: "polled",
      device_interface_id: 4,
      poll_params: { time_shift: 60 },
      selected_data: { now_value: true },
      autoload_params: { is_active: true },
      report_period_update: 900,
      device_ids: [11, 12, 13],
      poll_one: false,
      is_active: true,
    });
  });

  it("POLL-009, POLL-010: intervals and shifts are those of the specification", async () => {
    await openForm();
    await type(field("Model"), "120");
    await found(() => field("Interval"));
    const valuesIn = (label: string) =>
      [...field(label).querySelectorAll("option")].map(({ value }) => value);

    expect(valuesIn("Interval")).toHaveLength(16);
    expect([valuesIn("Interval").at(0), valuesIn("Interval").at(-1)]).toEqual(["60", "2592000"]);
    expect(valuesIn("Time shift")).toEqual(["0", "30", "60"]);
  });

  it("a group must read something, and refusals of the server are shown at their fields", async () => {
    const requests = await openForm({
      "device/opros/group/create": () => refusal(422, "wrong_input", "Wrong", { name: ["It is taken"] }),
    });
    await type(field("Name"), "Inputs");
    await type(field("Model"), "120");
    await found(() => says("kept for 60 d"));
    const archives = [...document.querySelectorAll<HTMLInputElement>(".group-ticks input")].slice(0, 3);
    for (const each of archives) await click(each);

    await click(button("Create"));
    await found(() => says("Choose at least one thing to read"));
    expect(requests.some(({ url }) => url.endsWith("create"))).toBe(false);
    await click(field("Current values"));
    await click(button("Create"));

    await found(() => faultAt(field("Name")) === "It is taken");
    expect(await sent(requests, "device/opros/group/create")).toMatchObject({
      selected_data: { now_value: true, archives: [] },
    });
  });

  it("POLL-004, ROUTE-019: after a group is changed the list of groups is shown", async () => {
    const requests = await serve([], {
      "device/opros/group/update": () => answer({ poll_group: aGroup() }, 200, { msg: "Stored" }),
    });
    await draw(<GroupForm group={aGroup()} models={[aModel(120, "230", true)]} />);
    await found(() => says("Meter C"));

    await type(field("Interval"), "900");
    await click(button("Save"));

    await found(() => location.hash === "#/cloud/devices/groups");
    expect(await sent(requests, "device/opros/group/update")).toMatchObject({
      id: 7,
      report_period_update: 900,
      device_ids: [11, 12],
    });
    expect(field("Model").disabled).toBe(true);
  });

  it("a group whose archives are not filled at present keeps how far back they are", () => {
    const autoload_params = { is_active: false, depth_days: 40 };

    expect(changeOf(valuesOf(aGroup({ autoload_params })), 7)).toMatchObject({ autoload_params });
  });

  it("a group that is opened and stored unchanged stays the same", () => {
    const group = aGroup({
      selected_data: { now_value: false, archives: [101] },
      autoload_params: { is_active: true, depth_days: 40 },
    });

    expect(changeOf(valuesOf(group), group.id)).toEqual({
      id: 7,
      name: "Feeders",
      poll_params: { time_shift: 30 },
      selected_data: { now_value: false, archives: [101] },
      autoload_params: { is_active: true, depth_days: 40 },
      report_period_update: 3600,
      warning_report_period: 10_800,
      device_ids: [11, 12],
      poll_one: false,
      is_active: true,
    });
  });
});

it("ROUTE-025: poll groups have their own addresses, each behind its right", () => {
  expect(screens.map(({ path, right }) => [path, right])).toEqual([
    ["devices/groups", "4:read"],
    ["devices/group/new", "4:create|4:access_all"],
    ["devices/group/$id", "4:read"],
    ["devices/plan", "4:read"],
    ["devices/group/$id/edit", "4:update|4:access_all"],
  ]);
});
