// @vitest-environment happy-dom
import type { pointDevices } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, loseServer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { aHistory, aPoint } from "#testing/points.ts";
import { anAccess, asUser } from "#testing/session.ts";
import { ReplaceWizard } from "./ReplaceWizard.tsx";
import { roundAbove } from "./SwapChart.tsx";
import { askedRegisters } from "./swapInput.ts";

useScreen("accountingPoints", "pointReplacement");
beforeEach(() => startSession("token"));

type Check = ReplyOf<typeof pointDevices.checkReplacement>;
const aCheck = (more: Partial<Check> = {}): Check => ({
  unit: "kWh",
  ratio: 40,
  closing: [
    {
      field: "tariff0",
      unit: "kWh",
      given: 30_112.95,
      last_value: 30_112.871,
      last_at: 1_792_636_200,
      difference: 0.079,
      ...{ expected: null, next_value: null, next_at: null },
      verdict: "ok",
    },
  ],
  opening: [],
  ...{ closing_sum: null, opening_sum: null, removed_at: 1_792_636_800, installed_at: 1_792_639_500 },
  reading_before: 30_112.95,
  total_before: 1_204_518,
  total_after: 1_204_518,
  sums: [
    { title: "old", amount: 1_204_518 },
    { title: "new", amount: 0 },
    { title: "total", amount: 1_204_518 },
  ],
  days_before: { from: null, to: null, amount: 13_866.6, days: 30 },
  days_after: { from: null, to: null, amount: null, days: 0 },
  difference_percent: null,
  meterless_sec: 2700,
  load_before: 19,
  meterless_amount: 14.25,
  daily: [
    { day: "2026-10-21", amount: 460.2, is_new: false },
    { day: "2026-10-22", amount: null, is_new: true },
  ],
  ...more,
});
const register = (name: string, title: string, last_value: number | null) => ({
  field: name,
  title,
  title_en: title,
  unit: "kWh",
  last_value,
  last_at: last_value === null ? null : 1_792_636_200,
  accounting_point_id: null,
});
const point = aPoint({ id: 231 });
const { device } = point;

async function serve(more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/metering_devices": () =>
      answer({
        metering_devices: pageOf([
          { id: 7, name: "Khutul meter", deviceID: "5200144" },
          { id: 8, name: "Spare meter", deviceID: "5200391" },
        ]),
      }),
    "objects/accounting_point/registers": () =>
      answer({
        main: "tariff0",
        registers: [
          register("tariff0", "Total, A+", 30_112.871),
          register("tariff1", "T1 day", 18_420.5),
          register("tariff2", "T2 night", 11_692.3),
        ],
      }),
    "objects/accounting_point/check_replacement": () => answer(aCheck()),
    "objects/accounting_point/history": () => answer(aHistory()),
    ...more,
  });
  await loadSession();
  return requests;
}
const sent = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();
const wizard = () => draw(device ? <ReplaceWizard point={point} device={device} /> : null);

/** The button, once the readings are checked. */
const toReplace = () => {
  const found = button("Replace the meter");
  return found.disabled ? undefined : found;
};

async function chooseSpare() {
  await click(await found(() => button("Next, New meter")));
  await click(field("New meter"));
  await found(() => says("Spare meter"));
  await press("Enter");
  await found(() => field("New meter").value === "Spare meter");
}

it("TRUST-018: a meter is replaced in four steps, and nothing is written before the last", async () => {
  const requests = await serve({
    "objects/accounting_point/replace_device": () => answer({}, 200, { msg: "Replaced" }),
  });
  await wizard();
  await type(field("Removed"), "22.10.2026 10:40");
  await type(field("Act number"), "231/26");
  await chooseSpare();
  await click(button("Next, Readings"));
  await type(await found(() => field("Total, A+")), "30 112,950");
  await type(field("Installed"), "22.10.2026 11:25");
  await found(() => says("The total of the point goes on"));

  expect(says("0.079 kWh above the last poll")).toBe(true);
  expect(requests.some(({ url }) => url.includes("replace_device"))).toBe(false);
  await click(button("Next, Check"));
  await click(await found(toReplace));

  expect(await sent(requests, "objects/accounting_point/replace_device")).toEqual({
    accounting_point_id: 231,
    device_id: 8,
    removed_at: Date.parse("2026-10-22T02:40:00Z") / 1000,
    installed_at: Date.parse("2026-10-22T03:25:00Z") / 1000,
    closing: { tariff0: 30_112.95 },
    opening: {},
    act: "231/26",
    meterless: "not_counted",
  });
  await found(() => localStorage.getItem("metrum.replacement.1.231") === null);
});

it("TRUST-018: the meter that measures now is not offered as the new one", async () => {
  await serve();
  await wizard();
  await click(await found(() => button("Next, New meter")));
  await click(field("New meter"));

  const offered = await found(() => {
    const all = [...document.querySelectorAll("[role=option] > span")].map((each) => each.textContent);
    return all.length > 0 && all;
  });
  expect(offered).toEqual(["Spare meter"]);
});

it("TRUST-018: without a new meter the wizard goes no further, and says why", async () => {
  await serve();
  await wizard();
  await click(await found(() => button("Next, New meter")));
  await click(await found(() => button("Next, Readings")));

  expect(says("Choose the new meter")).toBe(true);
});

it("TRUST-018: what stopped the wizard is gone once it is mended", async () => {
  await serve();
  await wizard();
  await click(await found(() => button("Next, New meter")));
  await click(button("Next, Readings"));
  await found(() => says("Choose the new meter"));

  await click(field("New meter"));
  await found(() => says("Spare meter"));
  await press("Enter");

  await found(() => !says("Choose the new meter"));
});

it("TRUST-018: a draft survives the page; its registers and meters are there again", async () => {
  await serve();
  await wizard();
  await type(field("Act number"), "231/26");
  await chooseSpare();

  await draw(device ? <ReplaceWizard point={point} device={device} /> : null);

  const kept: unknown = JSON.parse(localStorage.getItem("metrum.replacement.1.231") ?? "");
  expect(kept).toMatchObject({ draft: { step: "new", act: "231/26", device: { id: "8" } } });
  await found(() => field("New meter").value === "Spare meter");
});

it("TRUST-018: time without a meter is added by the load only when chosen", async () => {
  const requests = await serve();
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));
  await found(() => says("45 min without a meter"));

  const [, load] = document.querySelectorAll<HTMLInputElement>("input[name=meterless]");
  await click(load ?? document.body);
  await found(() => requests.filter(({ url }) => url.includes("check_replacement")).length > 1);

  expect(await sent(requests, "objects/accounting_point/check_replacement")).toMatchObject({
    meterless: "load_before",
  });
});

it("TRUST-018: a reading below the last poll is an alarm in words", async () => {
  await serve({
    "objects/accounting_point/check_replacement": () =>
      answer(
        aCheck({
          closing: aCheck().closing.map((each) => ({ ...each, difference: -2, verdict: "below" as const })),
        }),
      ),
  });
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));

  await found(() => says("2.000 kWh below the last poll"));
  expect(says("A meter does not count backwards")).toBe(true);
  expect(says("The total of the point goes on")).toBe(false);
  expect(says("Check the readings: with them the total of the point would be")).toBe(true);
  expect(says("Last poll before: 30")).toBe(true);

  // They are written only when the user insists, and a changed reading is asked about again.
  const accept = () => field("The readings are what the meters show: write them as entered");
  await click(button("Next, Check"));
  expect(button("Replace the meter").disabled).toBe(true);
  await click(accept());
  expect(button("Replace the meter").disabled).toBe(true);
  await type(field("Reason"), "Photographed");
  await found(() => !button("Replace the meter").disabled);
  await click(button("Back, Readings"));
  await type(field("Total, A+"), "5");
  await click(button("Next, Check"));
  await found(() => document.querySelector<HTMLInputElement>("input[type=checkbox]")?.checked === false);
  expect(button("Replace the meter").disabled).toBe(true);
});

it("TRUST-028: readings that the server doubts are sent again with the reason to confirm them", async () => {
  const answers = [refusal(409, "point_reading_doubted", "Doubted"), answer({})];
  const requests = await serve({
    "objects/accounting_point/replace_device": () => answers.shift() ?? answer({}),
  });
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));
  await click(await found(() => button("Next, Check")));
  await click(await found(toReplace));

  await click(await found(() => field("The readings are what the meters show: write them as entered")));
  await type(field("Reason"), "Photographed");
  await click(await found(toReplace));
  await found(() => requests.filter(({ url }) => url.includes("replace_device")).length > 1);

  expect(await sent(requests, "objects/accounting_point/replace_device")).toMatchObject({
    confirm: true,
    confirm_reason: "Photographed",
  });
});

it("TRUST-018: a reading is compared with what the load gives, and tariffs with their total", async () => {
  const [first] = aCheck().closing;
  if (!first) throw new Error("no check");
  const opened = {
    ...{ ...first, given: 0.214, last_value: null, last_at: null, difference: null, expected: 0.048 },
    ...{ next_value: 0.262, next_at: 1_792_639_860 },
  };
  await serve({
    "objects/accounting_point/check_replacement": () =>
      answer(
        aCheck({
          closing: [{ ...first, expected: 0.079 }],
          opening: [opened, { ...opened, field: "tariff1", next_value: 0.1, verdict: "beyond" }],
          closing_sum: {
            ...{ total: "tariff0", parts: ["tariff1", "tariff2"], sum: 30_112.95, difference: 0 },
            adds_up: true,
          },
          opening_sum: {
            ...{ total: "tariff0", parts: ["tariff1", "tariff2"], sum: 0.2, difference: 0.014 },
            adds_up: false,
          },
        }),
      ),
  });
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));

  await found(() => says("T1 day + T2 night add up to Total, A+"));
  expect(says("T1 day + T2 night make 0.200, 0.014 away from Total, A+")).toBe(true);
  expect(says("; the load before, 19 kW, gives 0.079 kWh in 10 min")).toBe(true);
  expect(says("is 0.048 kWh above; the load before, 19 kW, gives 0.048 kWh in 6 min")).toBe(true);
  expect(says("T1 day: above the first poll of the new meter, 0.100 at")).toBe(true);
});

it("TRUST-018: without a connection nothing is sent and the draft stays", async () => {
  await serve();
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));
  await click(await found(() => button("Next, Check")));
  let restore: () => void = () => undefined;
  act(() => {
    restore = loseServer();
  });

  await found(() => says("nothing has been sent"));
  expect(button("Replace the meter").disabled).toBe(true);
  expect(localStorage.getItem("metrum.replacement.1.231")).not.toBeNull();
  act(() => restore());
});

it("TRUST-018: a refusal keeps the draft and shows the words of the server", async () => {
  await serve({
    "objects/accounting_point/replace_device": () =>
      refusal(409, "point_register_taken", "Taken by another point"),
  });
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));
  await click(await found(() => button("Next, Check")));
  await click(await found(toReplace));

  await found(() => says("Taken by another point"));
  expect(says("nothing has been written")).toBe(true);
  expect(localStorage.getItem("metrum.replacement.1.231")).not.toBeNull();
});

it("TRUST-018: photographs follow the replacement; those that fail stay and are sent again", async () => {
  let isDown = true;
  const requests = await serve({
    "objects/accounting_point/replace_device": () => answer({}, 200, { msg: "Replaced" }),
    "objects/accounting_point/file/add/231": () =>
      isDown ? refusal(503, "busy", "Try later") : answer({ file: aFile }),
  });
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));
  const input = await found(() => document.querySelector<HTMLInputElement>(".points-files input[multiple]"));
  await act(async () => {
    const files = [new File(["x"], "old-display.jpg", { type: "image/jpeg" })];
    Object.defineProperty(input, "files", { value: files, configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await Promise.resolve();
  });
  await found(() => says("old-display.jpg"));
  await click(button("Next, Check"));
  await click(await found(toReplace));
  await found(() => says("1 file could not be sent"));

  isDown = false;
  await click(button("Replace the meter"));
  await found(() => localStorage.getItem("metrum.replacement.1.231") === null);

  expect(requests.filter(({ url }) => url.includes("replace_device"))).toHaveLength(1);
  const uploads = requests.filter(({ url }) => url.includes("file/add"));
  expect(uploads).toHaveLength(2);
  // It belongs to the interval of the new meter.
  expect((await uploads[1]?.clone().formData())?.get("tie_number")).toBe("3");
});

const aFile = {
  id: 1,
  name: "old-display.jpg",
  type: "image/jpeg",
  bytes: 1,
  note: "",
  tie_number: 3,
  user: null,
  created_at: 1_792_636_200,
};

it("a file of another kind is refused before it is kept", async () => {
  await serve();
  await wizard();
  await chooseSpare();
  await click(button("Next, Readings"));
  const input = await found(() => document.querySelector<HTMLInputElement>(".points-files input[multiple]"));
  await act(async () => {
    Object.defineProperty(input, "files", { value: [new File(["x"], "a.exe")], configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await Promise.resolve();
  });

  await found(() => says("a.exe is no JPEG"));
});

it("registers of another unit and those that never counted are not asked", () => {
  const all = [
    { ...register("tariff0", "Total", 5), unit: "kWh" },
    { ...register("tariff1", "T1", 5), unit: "kWh" },
    { ...register("tariff3", "T3", 0), unit: "kWh" },
    { ...register("tariff_reactive0", "R", 5), unit: "kvarh" },
  ];
  expect(askedRegisters(all, "tariff0").map((each) => each.field)).toEqual(["tariff1", "tariff0"]);
  expect(askedRegisters(all, null)).toEqual([]);
});

it("the scale of the chart ends at a round number", () => {
  expect([0, 0.03, 7, 501, 800.1, 9000].map(roundAbove)).toEqual([1, 0.03, 8, 600, 1000, 10_000]);
});

vi.setConfig({ testTimeout: 60_000 });
