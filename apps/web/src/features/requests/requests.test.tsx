// @vitest-environment happy-dom
import { pollResults, taskStates, type DeviceTask } from "@metrum/contract/headend";
import { usualArchiveTypes } from "@metrum/vocabulary";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, holdBack, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { aResult, aTask } from "#testing/tasks.ts";
import { announceEnd } from "./announceEnd.ts";
import { archiveRequest } from "./archive.ts";
import { ArchiveDialog } from "./ArchiveDialog.tsx";
import { JournalDialog } from "./JournalDialog.tsx";
import { BulkArchiveDialog } from "./BulkArchiveDialog.tsx";
import type { RequestedDevice } from "./offered.ts";
import { OpenRequests } from "./OpenRequests.tsx";
import { ProfileDialog } from "./ProfileDialog.tsx";
import { showAnswer } from "./requests.ts";

useScreen("requests");
beforeEach(() => startSession("token"));

const control = {
  archive: {
    active: true,
    settings: {
      types: [
        { id: 100, depth_days: 45 },
        { id: 101, depth_days: 120 },
        { id: 121, depth_days: 30 },
      ],
    },
  },
  archive_profile: { active: true },
  event_log: {
    active: true,
    settings: {
      journals: [
        { event_index: 0, title: "События напряжения", title_en: "Voltage events" },
        { event_index: 2, title: "Включение", title_en: "Switching on and off" },
      ],
    },
  },
};
const device: RequestedDevice = {
  id: 7,
  name: "School 4",
  timezone_name: "Asia/Ulaanbaatar",
  model: { options: { control, virtual_bridge: { active: true } } },
};
const task = { ...aTask, device_ids: [...aTask.device_ids] };
const answered = (control_set: { result?: string; error?: string } = { result: "The device has answered" }) =>
  answer({ msg: control_set.result ?? control_set.error ?? "", control_set, device_task: task });

function serve(replies: Record<string, () => Response> = {}) {
  return stubServer({
    ...asUser(anAccess("admin")),
    "device/control": () => answered(),
    "task/device/list": () => answer({ device_tasks: pageOf([]), counts: [] }),
    ...replies,
  });
}
const sentBodies = (requests: readonly Request[], path = "device/control") =>
  Promise.all(
    requests
      .filter(({ url }) => new URL(url).pathname === `/api/${path}`)
      .map(async (each) => JSON.parse(await each.clone().text()) as Record<string, unknown>),
  );

const closed = vi.fn();
beforeEach(() => closed.mockClear());
async function open(Dialog: typeof ArchiveDialog, replies: Record<string, () => Response> = {}) {
  const requests = serve(replies);
  await loadSession();
  await draw(<Dialog device={device} onClose={closed} />);
  await found(() => document.querySelector("dialog form"));
  return requests;
}
const labels = () =>
  [...document.querySelectorAll<HTMLInputElement>("dialog .field input, dialog .field select")].map(
    (each) => each.labels?.[0]?.textContent.trim() ?? "",
  );
const hasField = (label: string) => labels().some((each) => each.startsWith(label));

describe("the request of an archive", () => {
  it("REQ-001 REQ-002 REQ-003: the type comes first, then the date, and a time unless the type is 1 or 2", async () => {
    await open(ArchiveDialog);
    expect([hasField("Archive type"), hasField("Date"), hasField("Time")]).toEqual([true, false, false]);

    await type(field("Archive type"), "101");
    await found(() => hasField("Date"));
    expect(hasField("Time")).toBe(false);

    await type(field("Archive type"), "100");
    await found(() => hasField("Time"));
  });

  it("REQ-004: another type clears date and time", async () => {
    await open(ArchiveDialog);
    await type(field("Archive type"), "100");
    await type(field("Date"), "20.11.2026");
    await click(button("Choose the time"));
    await click(await found(() => button("13")));
    expect([field("Date").value, field("Time").value]).toEqual(["20.11.2026", "13:00"]);

    await type(field("Archive type"), "121");

    expect([field("Date").value, field("Time").value]).toEqual(["", ""]);
  });

  it("REQ-029 REQ-030: the time is read-only, filled by its picker, of 24 hours", async () => {
    await open(ArchiveDialog);
    await type(field("Archive type"), "100");
    expect(field("Time").hasAttribute("readonly")).toBe(true);

    await click(button("Choose the time"));
    const hours = await found(() => {
      const all = [...document.querySelectorAll("[role=group][aria-label=Hour] button")];
      return all.length > 0 && all.map((each) => each.textContent);
    });
    expect([hours.length, hours[0], hours.at(-1)]).toEqual([24, "00", "23"]);
    await click(await found(() => document.querySelectorAll<HTMLElement>("[aria-label=Hour] button")[23]));
    await click(await found(() => document.querySelectorAll<HTMLElement>("[aria-label=Minute] button")[6]));
    expect(field("Time").value).toBe("23:30");
  });

  it("REQ-011 REQ-019 REQ-021 REQ-023: sends id, type, archive and time; disabled meanwhile, closed at the end, with the message of the server", async () => {
    const requests = await open(ArchiveDialog);
    await type(field("Archive type"), "101");
    await type(field("Date"), "20.11.2026");
    const release = holdBack("device/control");

    await click(button("Request"));
    await found(() => document.querySelector<HTMLFieldSetElement>("dialog fieldset")?.disabled);
    expect(button("Request").disabled).toBe(true);
    expect(closed).not.toHaveBeenCalled();
    await click(button("Request"));
    release();

    await expect.poll(() => closed.mock.calls.length).toBe(1);
    await found(() => says("The device has answered"));
    expect(await sentBodies(requests)).toEqual([
      {
        id: 7,
        management: { type: 1, archive: 101, archiveTime: "2026-11-20 00:00:00" },
        title: "Суточный архив, 20.11.2026",
        title_en: "Daily archive, 20.11.2026",
      },
    ]);
  });

  it("REQ-020 REQ-024 REQ-031: a refusal is shown at its field, the dialog stays open and is enabled again", async () => {
    const reason = "no longer in the memory of the device, which keeps the last 120 days";
    await open(ArchiveDialog, {
      "device/control": () =>
        refusal(422, "request_refused", `The request was not sent: ${reason}`, {
          "management.archiveTime": [reason],
        }),
    });
    await type(field("Archive type"), "101");
    await type(field("Date"), "20.11.2020");

    await click(button("Request"));

    await found(() => faultAt(field("Date")) === reason);
    expect(document.querySelector<HTMLFieldSetElement>("dialog fieldset")?.disabled).toBe(false);
    expect(field("Date").value).toBe("20.11.2020");
    expect(closed).not.toHaveBeenCalled();
  });

  it("REQ-031: a device that has not answered leaves the dialog open, with the error", async () => {
    await open(ArchiveDialog, {
      "device/control": () => answered({ error: "The device was not read: no line" }),
    });
    await type(field("Archive type"), "101");
    await type(field("Date"), "20.11.2026");

    await click(button("Request"));

    await found(() => says("The device was not read: no line"));
    expect(closed).not.toHaveBeenCalled();
    expect(button("Request").disabled).toBe(false);
  });

  it("a request in flight for another period is refused in words", async () => {
    await open(ArchiveDialog, {
      "device/control": () => refusal(409, "request_in_flight", "This archive is already being requested"),
    });
    await type(field("Archive type"), "101");
    await type(field("Date"), "20.11.2026");

    await click(button("Request"));

    await found(() => says("This archive is already being requested"));
    expect(closed).not.toHaveBeenCalled();
  });

  it("without a type or a date nothing is sent, and the field is marked", async () => {
    const requests = await open(ArchiveDialog);
    await click(button("Request"));
    await found(() => faultAt(field("Archive type")));
    await type(field("Archive type"), "101");
    await click(button("Request"));
    await found(() => faultAt(field("Date")));
    expect(await sentBodies(requests)).toEqual([]);
  });

  it("REQ-028: the archives are those of the model, else hourly, daily and monthly", async () => {
    const titles = () =>
      [...document.querySelectorAll("dialog select option")].map((each) => each.textContent).slice(1);
    await open(ArchiveDialog);
    expect(titles()).toEqual(["Hourly archive", "Daily archive", "Arbitrary archive"]);
    expect(usualArchiveTypes).toEqual([100, 101, 103]);
    const model = { options: { ...device.model.options, control: { archive: { active: true } } } };
    await draw(<ArchiveDialog device={{ ...device, model }} onClose={closed} />);
    await expect.poll(() => titles().slice(-3).join()).toBe("Hourly archive,Daily archive,Monthly archive");
  });
});

describe("the time of an archive on the wire", () => {
  const timeOf = (id: 100 | 101 | 103 | 121, time = "") =>
    archiveRequest(id, { type: String(id), date: "2026-11-20", time, until: "" }).management["archiveTime"];

  it("REQ-005: type 0 is the date with the chosen time, by default 00, and ':00'", () => {
    expect([timeOf(100, "13:05"), timeOf(100)]).toEqual(["2026-11-20 13:05:00", "2026-11-20 00:00"]);
  });
  it("REQ-006: types 1 and 2 are the full timestamp", () => {
    expect([timeOf(101), timeOf(103)]).toEqual(["2026-11-20 00:00:00", "2026-11-20 00:00:00"]);
  });
  it("REQ-007 REQ-008: other types are the date with the time, as YYYY-MM-DD HH:mm:ss", () => {
    expect([timeOf(121, "07:30"), timeOf(121)]).toEqual(["2026-11-20 07:30:00", "2026-11-20 00:00:00"]);
  });
  it("a period names its last date", () => {
    const { management, title_en } = archiveRequest(101, {
      type: "101",
      date: "2026-11-20",
      time: "",
      until: "2026-11-22",
    });
    expect(management).toEqual({
      type: 1,
      archive: 101,
      archiveTime: "2026-11-20 00:00:00",
      archiveTimeEnd: "2026-11-22 00:00:00",
    });
    expect(title_en).toBe("Daily archive, 20.11.2026 – 22.11.2026");
  });
});

describe("the request of an archive of several devices", () => {
  const openBulk = async (plan: object) => {
    const sent = vi.fn();
    const requests = serve({
      "task/device/request/plan": () => answer({ plan }),
      "task/device/create": () => answer({ device_task: task }, 200, { msg: "The task has been created" }),
    });
    await loadSession();
    await draw(<BulkArchiveDialog deviceIds={[7, 8, 9]} onSent={sent} onClose={closed} />);
    await found(() => document.querySelector("dialog form"));
    await type(field("Archive type"), "101");
    await type(field("Date"), "20.11.2026");
    return { requests, sent };
  };

  it("which of them can answer is said before, with the reasons of the others; only those are requested", async () => {
    const { requests, sent } = await openBulk({
      device_ids: [7, 9],
      refused: [{ reason: "the device keeps no such archive", device_count: 1, device_ids: [8] }],
    });
    await found(() => says("2 of 3 can answer") && says("1: the device keeps no such archive"));

    await click(button("Request"));

    await expect.poll(() => sent.mock.calls.length).toBe(1);
    expect(await sentBodies(requests, "task/device/create")).toEqual([
      {
        command_type: "control",
        management: { type: 1, archive: 101, archiveTime: "2026-11-20 00:00:00" },
        title: "Суточный архив, 20.11.2026",
        title_en: "Daily archive, 20.11.2026",
        device_ids: [7, 9],
      },
    ]);
  });

  it("nothing can be sent if none of them can answer", async () => {
    await openBulk({
      device_ids: [],
      refused: [{ reason: "devices of this model are not polled", device_count: 3, device_ids: [7, 8, 9] }],
    });

    await found(() => says("0 of 3 can answer"));
    expect(button("Request").disabled).toBe(true);
  });
});

describe("the request of a journal", () => {
  it("REQ-012 REQ-014 REQ-015: a journal of the model is chosen in a dialog 450 px wide and requested by its number", async () => {
    const requests = await open(JournalDialog);
    expect(document.querySelector("dialog")?.dataset["size"]).toBe("450");
    const titles = [...document.querySelectorAll("dialog select option")].map((each) => each.textContent);
    expect(titles.slice(1)).toEqual(["Voltage events", "Switching on and off"]);

    await type(field("Journal"), "2");
    await click(button("Request"));

    await found(() => says("The device has answered"));
    expect(await sentBodies(requests)).toMatchObject([
      { id: 7, management: { event_log: true, event_index: 2 }, title_en: "Journal: Switching on and off" },
    ]);
    // The next journal can be requested at once.
    expect(closed).not.toHaveBeenCalled();
    expect(button("Request").disabled).toBe(false);
  });
});

describe("the request of a power profile", () => {
  it("REQ-016 REQ-017 REQ-018 REQ-022: one date is sent with 00:00:00, and the dialog closes", async () => {
    const requests = await open(ProfileDialog);
    await type(field("Date"), "20.11.2026");

    await click(button("Request"));

    await expect.poll(() => closed.mock.calls.length).toBe(1);
    expect(await sentBodies(requests)).toMatchObject([
      { id: 7, management: { archive_profile: "2026-11-20 00:00:00" } },
    ]);
  });

  it("REQ-022: it closes on failure too, which is shown", async () => {
    await open(ProfileDialog, {
      "device/control": () => refusal(422, "request_refused", "The request was not sent", {}),
    });
    await type(field("Date"), "20.11.2026");

    await click(button("Request"));

    await expect.poll(() => closed.mock.calls.length).toBe(1);
    expect(says("The request was not sent")).toBe(true);
  });
});

describe("open requests", () => {
  const statuses = [
    { id: 1, key: "queued", title: "Ожидает", title_en: "Waiting", is_final: false },
    { id: 2, key: "running", title: "Выполняется", title_en: "Running", is_final: false },
  ];
  it("CTRL-084: a request is on the page until it has ended, with its state, and can be cancelled", async () => {
    let list: object[] = [task];
    const requests = serve({
      "task/device/list": () => answer({ device_tasks: pageOf(list), counts: [] }),
      "task/device/status/list": () => answer({ statuses }),
      "task/device/cancel": () => {
        list = [];
        return answer({ cancelled: 1 });
      },
      "task/device/results": () =>
        answer({ results: pageOf([]), counts: { failed: 0, done: 0, waiting: 0, cancelled: 1 } }),
    });
    await loadSession();
    await draw(<OpenRequests device={device} />);

    await found(() => says("Daily archive, 20.11.2026") && says("Waiting"));
    await click(button("Cancel"));

    await expect.poll(() => says("Daily archive, 20.11.2026")).toBe(false);
    expect(await sentBodies(requests, "task/device/list")).toContainEqual(
      expect.objectContaining({ device_id: 7, is_open: true }),
    );
    expect(await sentBodies(requests, "task/device/cancel")).toEqual([{ device_task_ids: [31] }]);
  });

  const ends = async (result: object, of: DeviceTask = task) => {
    serve({
      "task/device/results": () =>
        answer({
          results: pageOf([{ ...aResult, ...result }]),
          counts: { failed: 0, done: 1, waiting: 0, cancelled: 0 },
        }),
    });
    await draw(<div>page</div>);
    await announceEnd(of, device);
  };
  it.each([
    [24, "Daily archive, 20.11.2026: 24 rows received"],
    [1, "Daily archive, 20.11.2026: 1 row received"],
    [0, "Daily archive, 20.11.2026: the device has no data of this period"],
    [null, "Daily archive, 20.11.2026: the device has answered"],
  ])("REQ-023: the end of a request says what has come: %s rows", async (rows_received, text) => {
    await ends({ rows_received });
    await found(() => says(text));
  });

  it("an end that the call has answered already is not shown again", async () => {
    showAnswer({
      msg: "Rows received: 24",
      control_set: { result: "Rows received: 24" },
      device_task: { ...task, id: 32, status_id: aResult.status_id },
    });
    await ends({ rows_received: 24 }, { ...task, id: 32 });
    await found(() => says("Rows received: 24"));
    expect(says("24 rows received")).toBe(false);
  });

  it("CTRL-108: an end that is not known is called unknown, not failed", async () => {
    await ends({ status_id: taskStates.unknown.id, result_code: pollResults.timeout.id });
    await found(() => says("the outcome is unknown, the device may have carried it out"));
    expect(says("No answer")).toBe(false);
  });

  it("the end of a failed request names the reason", async () => {
    await ends({ status_id: 4, result_code: pollResults.timeout.id });
    await found(() => says(`Daily archive, 20.11.2026: ${pollResults.timeout.title.en}`));
  });
});
