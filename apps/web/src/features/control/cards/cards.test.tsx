// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { startSession } from "#lib/token";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { SchedulerCard } from "../schedules/SchedulerCard.tsx";
import { SpecialDaysCard, type SpecialDaysValue } from "../schedules/SpecialDaysCard.tsx";
import { TariffCard } from "../schedules/TariffCard.tsx";

useScreen("control");
beforeEach(() => startSession("token"));

const aSave = () => vi.fn((..._: readonly unknown[]) => Promise.resolve({ data: {}, msg: "Saved" }));
/** What a card has saved, in order. */
const sentBy = (save: ReturnType<typeof aSave>) => save.mock.calls.map(([value]) => value);
const leave = (label: string) =>
  act(async () => {
    field(label).blur();
    await Promise.resolve();
  });
const timeFields = () =>
  [...document.querySelectorAll("label")]
    .map(({ textContent }) => textContent)
    .filter((each) => /until/.test(each));
const bars = () =>
  [...document.querySelectorAll("[role=img]")].map((each) => each.getAttribute("aria-label"));
const choose = (count: number) => click(field(String(count)));
const threeZones = {
  tariff0: ["10:00", "21:00"],
  tariff1: ["07:00"],
  tariff2: ["17:00", "23:00"],
};

describe("tariff schedule", () => {
  const drawCard = async (props: Partial<Parameters<typeof TariffCard>[0]> = {}) => {
    const save = aSave();
    await draw(<TariffCard wanted={undefined} present={undefined} save={save} {...props} />);
    return save;
  };

  it("TARIFF-001 TARIFF-002 TARIFF-005 one to four tariffs, whose time fields appear; none cannot be saved", async () => {
    await drawCard();

    expect(
      [...document.querySelectorAll<HTMLInputElement>("[type=radio]")].map(({ value }) => value),
    ).toEqual(["1", "2", "3", "4"]);
    expect(button("Save").disabled).toBe(true);
    expect(says("Choose the number of tariffs.")).toBe(true);

    const shown: number[] = [];
    for (const count of [1, 2, 3, 4]) {
      await choose(count);
      shown.push(timeFields().length);
    }

    expect(shown).toEqual([0, 4, 6, 8]);
    expect(button("Save").disabled).toBe(false);
  });

  it("TARIFF-008 TARIFF-004 TARIFF-007 TARIFF-014 two tariffs begin with 23:00: day until 23:00, night until 07:00", async () => {
    const save = await drawCard();

    await choose(2);
    expect(bars()).toEqual(["To apply: T2 00:00 – 07:00, T1 07:00 – 23:00, T2 23:00 – 24:00"]);
    await click(button("Save"));

    await found(() => says("The tariff schedule was saved"));
    expect(sentBy(save)).toEqual([{ tariff0: ["23:00"], tariff1: ["07:00"] }]);
  });

  it("TARIFF-009 TARIFF-010 three tariffs begin with 10:00, and every other time is the usual one", async () => {
    const save = await drawCard();

    await choose(2);
    await choose(3);
    await click(button("Save"));
    await choose(4);
    await click(button("Save"));

    await found(() => save.mock.calls.length === 2);
    expect(sentBy(save)).toEqual([threeZones, { ...threeZones, tariff3: ["00:00"] }]);
  });

  it("TARIFF-011 a single tariff sends 00:00, whatever was entered before", async () => {
    const save = await drawCard({ wanted: threeZones });

    await type(field("T1 until"), "11:00");
    await choose(1);
    await click(button("Save"));

    await found(() => save.mock.calls.length === 1);
    expect(sentBy(save)[0]).toEqual({ tariff0: ["00:00"] });
  });

  it("TARIFF-013 the card fills with the stored schedule, else with that of the device, and shows what differs", async () => {
    await drawCard({ wanted: threeZones, present: { ...threeZones, tariff2: ["18:00", "23:00"] } });

    expect(field("T3 until").value).toBe("17:00");
    expect(bars()).toHaveLength(2);
    expect(says("17:00 – 18:00")).toBe(true);
    expect(says("T1 to apply, T3 on the device")).toBe(true);
  });

  it("the schedule of the device is taken over instead of the stored one, and then saved", async () => {
    const save = await drawCard({ wanted: threeZones, present: { tariff0: ["22:00"], tariff1: ["06:00"] } });

    await click(button("Take from device"));
    expect([field("T1 until").value, field("T2 until").value]).toEqual(["22:00", "06:00"]);
    expect(says("to apply, T")).toBe(false);
    await click(button("Save"));

    await found(() => save.mock.calls.length === 1);
    expect(sentBy(save)[0]).toEqual({ tariff0: ["22:00"], tariff1: ["06:00"] });
  });

  it("TARIFF-013 without a stored schedule that of the device stands in the fields", async () => {
    await drawCard({ present: { tariff0: ["22:00"], tariff1: ["06:00"] } });

    expect([field("T1 until").value, field("T2 until").value]).toEqual(["22:00", "06:00"]);
  });

  it("TARIFF-003 TARIFF-015 a time is HH:mm; equal and misplaced ones are named at their field, and not sent", async () => {
    const save = await drawCard({ wanted: threeZones });

    await type(field("T2 until"), "10:00");
    await type(field("T3 also until"), "16:30");
    await click(button("Save"));
    expect([faultAt(field("T2 until")), faultAt(field("T3 also until"))]).toEqual([
      "This time is already in the schedule",
      "Before the first time of this tariff",
    ]);

    await type(field("T1 until"), "");
    await click(button("Save"));
    expect(faultAt(field("T1 until"))).toBe("A time is needed");
    await type(field("T1 until"), "25:00");
    await leave("T1 until");
    await found(() => faultAt(field("T1 until")) === "No such time, use HH:MM");
    expect(save).not.toHaveBeenCalled();
  });
});

describe("special days", () => {
  const drawCard = async (props: Partial<Parameters<typeof SpecialDaysCard>[0]> = {}) => {
    const save = aSave();
    await draw(<SpecialDaysCard wanted={undefined} present={undefined} save={save} {...props} />);
    return save;
  };
  const options = (label: string) => [...field(label).querySelectorAll("option")].map(({ value }) => value);
  const chips = () => [...document.querySelectorAll("li b")].map(({ textContent }) => textContent);
  const newYear: SpecialDaysValue = { day_list: ["01-01", "12-31"], shedule: { tariff0: ["00:00"] } };

  it("SPECDAY-001 SPECDAY-002 SPECDAY-003 SPECDAY-004 SPECDAY-005 twelve months, their days, and day 1 for another month", async () => {
    await drawCard();
    expect(options("Month")).toHaveLength(12);

    const days: number[] = [];
    for (const month of options("Month")) {
      await type(field("Day"), "20");
      await type(field("Month"), month);
      days.push(options("Day").length);
      expect(field("Day").value).toBe("1");
    }

    expect(days).toEqual([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  });

  it("SPECDAY-006 SPECDAY-007 SPECDAY-008 SPECDAY-013 days are added once as MM-DD, and removed", async () => {
    await drawCard();
    expect(says("No special days.")).toBe(true);

    await type(field("Month"), "3");
    await type(field("Day"), "8");
    await click(button("Add"));
    await click(button("Add"));
    await type(field("Month"), "2");
    await click(button("Add"));
    expect(chips()).toEqual(["02-01", "03-08"]);
    expect(says("No special days.")).toBe(false);

    await click(button("Remove 03-08"));
    expect(chips()).toEqual(["02-01"]);
  });

  it("SPECDAY-006 SPECDAY-013 a day of the year is added and taken away by a click; arrows move within the year", async () => {
    await drawCard({ present: newYear });
    const day = (name: string) => button(name);

    expect(day("12-31, on the device").getAttribute("aria-pressed")).toBe("true");
    await click(day("12-31, on the device"));
    await click(day("03-08"));
    expect(chips()).toEqual(["01-01", "03-08"]);
    expect(document.querySelectorAll(".control-year button")).toHaveLength(366);
    const months = [...document.querySelectorAll(".control-year-month > span")];
    expect(months.map(({ textContent }) => textContent).slice(0, 3)).toEqual(["Jan", "Feb", "Mar"]);

    expect(document.querySelectorAll(".control-year [tabindex='0']")).toHaveLength(1);
    day("03-31").focus();
    await press("ArrowUp");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("02-29");
    await press("ArrowRight");
    await press("ArrowLeft");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("02-28");
  });

  it("SPECDAY-009 SPECDAY-010 SPECDAY-012 filled from the device, and saved by their own button with a schedule", async () => {
    const save = await drawCard({ present: newYear });
    expect(chips()).toEqual(["01-01", "12-31"]);

    await click(button("Remove 12-31"));
    await click(button("Save special days"));

    await found(() => save.mock.calls.length === 1);
    expect(sentBy(save)[0]).toEqual({
      day_list: ["01-01"],
      shedule: { tariff0: ["00:00"] },
    });
  });

  it("the days of the device are taken over instead of the stored ones", async () => {
    await drawCard({ wanted: { ...newYear, day_list: ["12-31"] }, present: newYear });

    await click(button("Take from device"));
    expect(chips()).toEqual(["01-01", "12-31"]);
  });

  it("SPECDAY-012 days that only the device has are named", async () => {
    await drawCard({ wanted: { ...newYear, day_list: ["12-31"] }, present: newYear });

    expect(says("Only on the device: 01-01")).toBe(true);
  });
});

describe("task scheduler", () => {
  const known = {
    ...{ delay: 5, param1: 1, param2: 2, param3: 3, param4: 4, param5: 5, param6: 6, param7: 7 },
    ...{ param8: 8, profile: 1, refresh: 0 },
  };
  const bounds = { task_id: { minimum: 2, maximum: 4 }, param1: { maximum: 100 } };
  const drawCard = async (props: Partial<Parameters<typeof SchedulerCard>[0]> = {}) => {
    const save = aSave();
    const onRefresh = vi.fn();
    await draw(
      <SchedulerCard bounds={bounds} tasks={{ "3": known }} save={save} onRefresh={onRefresh} {...props} />,
    );
    return { save, onRefresh };
  };

  it("SCHED-001 SCHED-002 SCHED-003 SCHED-004 the fields of a task, filled by its id, and read again", async () => {
    const { save, onRefresh } = await drawCard();
    expect([...field("Task").querySelectorAll("option")].map(({ value }) => value)).toEqual(["2", "3", "4"]);

    await type(field("Task"), "3");
    const labels = [
      "Delay",
      "Profile",
      "Refresh",
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => `Parameter ${String(at)}`),
    ];
    expect(labels.map((label) => field(label).value)).toEqual([
      "5",
      "1",
      "0",
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
    ]);
    await click(button("Read the task"));
    await click(button("Write the task"));

    await found(() => save.mock.calls.length === 1);
    expect(onRefresh).toHaveBeenCalledWith(3);
    expect(sentBy(save)[0]).toEqual({ task_id: 3, ...known });
  });

  it("SCHED-006 SCHED-007 a missing number is refused with msg_81, and nothing is sent", async () => {
    const { save } = await drawCard();

    await type(field("Delay"), "5");
    await click(button("Write the task"));

    await found(() => says("A value is missing"));
    expect(faultAt(field("Profile"))).toBe("A number is needed");
    expect(save).not.toHaveBeenCalled();
  });

  it("SCHED-008 parameters are 0 to the maximum of the model, 255 when it gives none", async () => {
    await drawCard();

    for (const label of ["Parameter 1", "Parameter 2", "Parameter 3"]) {
      await type(field(label), label === "Parameter 3" ? "-1" : "300");
      await leave(label);
    }

    await found(() => field("Parameter 3").value === "0");
    expect([field("Parameter 1").value, field("Parameter 2").value]).toEqual(["100", "255"]);
  });

  it("SCHED-005 without task ids of the model not_task_id is shown, and the list of devices opened", async () => {
    await drawCard({ bounds: {} });

    await found(() => says("This model has no poll tasks; the device list is opened"));
    expect(location.hash).toBe("#/cloud/devices");
  });
});
