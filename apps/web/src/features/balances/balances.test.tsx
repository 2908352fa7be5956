// @vitest-environment happy-dom
import type { AccountingPoint, Balance, BalanceGroup, ListedBalanceGroup } from "@metrum/contract/accounting";
import { beforeEach, describe, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { unevenColumns } from "#testing/columns.ts";
import { button, click, draw, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { BalancePage } from "./BalancePage.tsx";
import { BalanceView } from "./BalanceView.tsx";
import { BalancesPage } from "./BalancesPage.tsx";
import { GroupForm, GroupFormPage } from "./GroupFormPage.tsx";
import { usualRange } from "./balances.ts";

useScreen("balances", "directories", "dateRange", "grid", "vector");
beforeEach(() => {
  startSession("token");
  location.hash = "";
});

const at = 1_793_462_400;
const group: BalanceGroup = {
  ...{ id: 7, name: "TP-14", resource_type_id: 3, allowed_imbalance: 5, loss_rule: "none", loss_value: null },
  ...{ unit: "kWh", timezone: "Asia/Ulaanbaatar", comment: "", version: 1 },
  ...{ input_point_ids: [1], output_point_ids: [2], loss_point_ids: [], points: [] },
};
const sums = {
  ...{ in: 12_604, out: 11_345.8, losses: 275.2, imbalance: 983, imbalance_percent: 7.8 },
  ...{ start_day: "2026-11-01", stop_day: "2026-11-02", days: 2, computed_days: 1, covered_percent: 99.8 },
  state: "exceeded" as const,
};
const day = {
  ...{
    day: "2026-11-01",
    at,
    in: 6302,
    out: 5000,
    losses: 137.6,
    imbalance: 1164.4,
    imbalance_percent: 18.5,
  },
  ...{ state: "computed" as const, cumulative_percent: 18.5, exceeds: true, missing_points: 0 },
};
const point = {
  ...{
    point_id: 2,
    role: "out" as const,
    name: "Feeder 7",
    coefficient: 1,
    device_id: 5,
    device: "CE-308 №1",
  },
  ...{ amount: 1806.2, share: 14.3, estimated: 0, state: "cause" as const, state_text: "−34 %" },
  ...{ missing_sec: 0, missing_days: 0, missing_from: null, missing_to: null },
  bills: [],
};
const { points: _, ...head } = group;
const balance: Balance = {
  group: head,
  total: sums,
  shares: { out: 90, losses: 2.2 },
  counts: { in: 1, out: 1, loss: 0 },
  state_text: "Does not close",
  closed: [],
  since_day: "2026-11-01",
  limit: { percent: 5, amount: 630.2, over: 352.8 },
  coverage: {
    ...{
      points: 2,
      incomplete_points: 1,
      interpolated_points: 0,
      covered_percent: 99.8,
      missing_sec: 25_200,
      is_one_zone: true,
    },
    text: "Incomplete: 1 of 2 points",
  },
  ledger: {
    in: [{ point_id: 1, name: "Input 1", amount: 12_604, width: 100 }],
    out: [{ point_id: 2, name: "Feeder 7", amount: 11_345.8, width: 90 }],
    losses: { point_id: null, name: "Losses", amount: 275.2, width: 2.2 },
    imbalance: { point_id: null, name: "Imbalance", amount: 983, width: 7.8 },
    limit_at: 97.2,
  },
  points: [
    { ...point, point_id: 1, role: "in", name: "Input 1", amount: 12_604, share: 100, state: "complete" },
    point,
  ],
  days: [
    day,
    {
      ...day,
      ...{ day: "2026-11-02", in: null, out: null, losses: null, imbalance: null, imbalance_percent: null },
      ...{ cumulative_percent: null, exceeds: false, state: "incomplete", missing_points: 1 },
    },
  ],
  months: [sums],
  causes: [
    {
      ...{
        kind: "ratio",
        point_id: 2,
        device_id: 5,
        name: "Feeder 7",
        amount: 512,
        share: 52,
        severity: "alarm",
      },
      ...{ text: "The card says 100/5, 150/5 closes it.", action: "point", params: {} },
    },
  ],
  rest: {
    amount: 93,
    error: 126,
    accuracy_class: 1,
    is_within: true,
    text: "Inside the error of the meters",
  },
};
const listed: ListedBalanceGroup = { ...head, point_count: 2, month: sums, state_text: "Does not close" };

async function serve(more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "balance/groups": () => answer({ balance_groups: pageOf([listed]) }),
    "balance/group/": () => answer({ balance_group: group }),
    "balance/group//data": () => answer({ balance }),
    "balance/group/7/data": () => answer({ balance }),
    "balance/group/7/get_no_balance": () =>
      answer({ unit: "kWh", total: sums, months: [sums, { ...sums, start_day: "2026-10-01" }], days: [] }),
    ...more,
  });
  await loadSession();
  return requests;
}

describe("the list of balance groups", () => {
  it("BAL-001 shows the state, imbalance and data of the last month of each group", async () => {
    await serve();

    await draw(<BalancesPage />);
    await found(() => says("TP-14"));

    expect(says("Does not close")).toBe(true);
    expect(says("983.0")).toBe(true);
    expect(document.querySelector("a[href='#/cloud/directories/balance/new']")).not.toBeNull();
  });

  it("BAL-001 without a group the page says what one is", async () => {
    await serve({ "balance/groups": () => answer({ balance_groups: pageOf([]) }) });

    await draw(<BalancesPage />);

    await found(() => says("input points and output points of one resource"));
  });
});

describe("the balance of a group", () => {
  it("BAL-005 BAL-011 TRUST-020 TRUST-028 shows figures, coverage, points, causes with their action, and the rest", async () => {
    await serve();

    await draw(<BalancePage />);
    await found(() => says("What explains 983.000 kWh"));

    expect(says("Does not close since 01.11.2026")).toBe(true);
    expect(says("Above it by 352.800 kWh")).toBe(true);
    expect(unevenColumns()).toEqual([]);
    expect(says("Incomplete: 1 of 2 points")).toBe(true);
    expect(says("Computed over the days with complete data: 1 of 2")).toBe(true);
    expect(says("The card says 100/5, 150/5 closes it.")).toBe(true);
    const action = [...document.querySelectorAll("a")].find((each) => each.textContent === "Check the point");
    expect(action?.getAttribute("href")).toBe("#/cloud/devices/accounting-point-card/5?point_id=2");
    expect(says("Out, 1 point")).toBe(true);
    await found(() => says("Last 12 months"));
  });

  it("BAL-006 a day that is not computed is hatched and counted, and says why", async () => {
    await serve();
    await draw(<BalancePage />);
    await found(() => says("not computed: 1"));

    const chart = document.querySelector<HTMLElement>("[role=application]");
    expect(chart?.querySelectorAll("li[data-empty]")).toHaveLength(1);
    expect(chart?.querySelectorAll("li[data-beyond]")).toHaveLength(1);
    for (const key of ["ArrowRight", "ArrowRight"])
      chart?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await found(() => says("02.11.2026: not computed, points without data: 1"));
  });

  it("BAL-006 without one complete day no number stands there", async () => {
    const none = { in: null, out: null, losses: null, imbalance: null, imbalance_percent: null };
    const empty: Balance = {
      ...balance,
      total: { ...sums, ...none, computed_days: 0, state: "incomplete" },
      ledger: { in: [], out: [], losses: null, imbalance: null, limit_at: null },
      ...{ causes: [], rest: null, since_day: null, limit: { percent: 5, amount: null, over: null } },
    };
    await serve({
      "balance/group//data": () => answer({ balance: empty }),
      "balance/group/7/data": () => answer({ balance: empty }),
    });

    await draw(<BalancePage />);

    await found(() => says("There is no day on which all points have data"));
    expect(says("What the balance lacks")).toBe(true);
  });

  it("TRUST-017 a balance of a closed month says its bill in the head and at the point", async () => {
    const days = { from_day: "2026-11-01", to_day: "2026-11-30", version: 2 };
    const bill = { ...days, amount: 1800, now: 1806.2, difference: 6.2, text: "Version 2 bills 1 800.0 kWh" };
    const differing: Balance = {
      ...balance,
      closed: [{ ...days, differing: 1, text: "11.2026 is closed, version 2" }],
      points: [{ ...point, bills: [bill] }],
    };
    await serve({
      "balance/group//data": () => answer({ balance: differing }),
      "balance/group/7/data": () => answer({ balance: differing }),
    });

    await draw(<BalancePage />);
    await found(() => says("11.2026 is closed, version 2"));

    const row = document.querySelector(".balance-points .is-bill");
    expect(row?.textContent).toContain("Version 2 bills 1 800.0 kWh");
    expect(row?.previousElementSibling?.textContent).toContain("Feeder 7");
  });

  it("BAL-008 a group that is not there, and one that could not be loaded", async () => {
    await serve({ "balance/group/": () => refusal(404, "not_found", "Not found") });
    await draw(<BalancePage />);
    await found(() => says("There is no such balance group"));
  });

  const gap = {
    ...{ kind: "no_data" as const, point_id: 2, device_id: 5, name: "Feeder 7", amount: 0, share: 0 },
    ...{
      severity: "warn" as const,
      text: "Data of 1 day are missing",
      action: "request" as const,
      params: {},
    },
  };
  const lacking: Balance = {
    ...balance,
    points: [{ ...point, missing_sec: 3600, missing_from: "2026-11-02", missing_to: "2026-11-02" }],
    causes: [gap, { ...gap, kind: "phase", action: "readings", point_id: 3 }],
  };
  const lacks = {
    "balance/group//data": () => answer({ balance: lacking }),
    "balance/group/7/data": () => answer({ balance: lacking }),
  };

  it("TRUST-020 the missing days of a cause are asked of its device, and nothing else", async () => {
    const plan = { missing: 24, asked: 0, devices: 0, requests: 0, not_asked: [], devices_left_out: 0 };
    const requests = await serve({
      ...lacks,
      "task/device/holes": () => answer({ plan, device_task: null }, 200, { msg: "Nothing can be asked" }),
    });
    await draw(<BalancePage />);
    await found(() => says("Data of 1 day are missing"));

    await click(button("Request again"));

    await found(() => says("Nothing can be asked"));
    const sent = requests.find(({ url }) => url.endsWith("task/device/holes"));
    const noon = Date.UTC(2026, 10, 2, 4) / 1000;
    expect(await sent?.clone().json()).toEqual({
      ...{ device_ids: [5], msg_types: [100, 101], start_date: noon, stop_date: noon },
    });
  });

  it("TRUST-020 the phases of a cause are the last voltages and currents of its device", async () => {
    const values = { datetime: at, realdatetime: at, created_at: at, message_api: false, status: "measured" };
    const requests = await serve({
      ...lacks,
      "messages/last/5": () =>
        answer({ ...values, source: "polled", voltage1: 230, voltage2: 231, voltage3: 229.5, current2: 4 }),
    });
    await draw(<BalancePage />);
    await found(() => says("Data of 1 day are missing"));

    await click(button("Open phasor"));

    await found(() => says("Vector diagram: Feeder 7"));
    await found(() => says("229.5"));
    const sent = requests.find(({ url }) => url.endsWith("messages/last/5"));
    expect(await sent?.clone().json()).toEqual({ msgType: 2 });
  });

  it("TRUST-020 who may not ask devices is led to the point", async () => {
    await serve({ ...lacks, ...asUser(anAccess([6])) });
    await draw(<BalancePage />);
    await found(() => says("Data of 1 day are missing"));

    expect(says("Request again")).toBe(false);
    const action = [...document.querySelectorAll("a")].find((each) => each.textContent === "Check the point");
    expect(action?.getAttribute("href")).toBe("#/cloud/devices/accounting-point-card/5?point_id=2");
  });

  it("BAL-005 the days stand in a table: in, out, losses, imbalance, percent; what is unknown as a dash", async () => {
    await serve();
    await draw(<BalancePage />);
    await found(() => says("As a table"));

    const rows = [...document.querySelectorAll(".balance-intervals tbody tr")].map((row) =>
      [...row.children].map(({ textContent }) => textContent.replaceAll("\u00a0", " ")),
    );
    expect(rows).toEqual([
      ["01.11.2026", "6 302.000", "5 000.000", "137.600", "1 164.400", "18.5"],
      ["02.11.2026", "—", "—", "—", "—", "—"],
    ]);
  });

  it("BAL-005 half-hours are asked for when they are looked at, and not before", async () => {
    const slot = { from: at, ...day, exceeds: true, missing_points: 0 };
    const requests = await serve({
      "balance/group/7/half_hours": () =>
        answer({
          unit: "kWh",
          half_hours: [
            { ...slot, imbalance: 3.5 },
            { ...slot, from: at + 1800, imbalance: null, imbalance_percent: null, missing_points: 2 },
          ],
        }),
    });
    await draw(<BalanceView balance={balance} step="days" range={{ start: at, end: at + 86_399 }} />);
    expect(requests.some(({ url }) => url.includes("half_hours"))).toBe(false);

    await draw(<BalanceView balance={balance} step="halfHours" range={{ start: at, end: at + 86_399 }} />);
    await found(() => says("Imbalance by half-hour"));
    const sent = requests.find(({ url }) => url.includes("half_hours"));
    expect(await sent?.clone().json()).toEqual({ startDate: at, stopDate: at + 86_400 });
    const chart = document.querySelector<HTMLElement>("[role=application]");
    expect([...(chart?.querySelectorAll("li") ?? [])].map((bar) => bar.hasAttribute("data-empty"))).toEqual([
      false,
      true,
    ]);
  });

  it("BAL-003 the report of the period is requested", async () => {
    const requests = await serve({
      "report/balance/group/7/create": () =>
        new Response("PK", {
          headers: { "content-disposition": "attachment; filename*=UTF-8''Balance.xlsx" },
        }),
    });
    await draw(<BalancePage />);
    await found(() => says("What explains"));

    await click(button("Report"));

    const sent = await found(() => requests.find(({ url }) => url.includes("report/balance/group/7/create")));
    expect(Object.keys((await sent.clone().json()) as object)).toEqual(["startDate", "stopDate"]);
  });
});

describe("the form of a group", () => {
  const offered: AccountingPoint = {
    ...{ id: 2, title: "Feeder 7", name: "Feeder 7", city: "", street: "", house: "", innerObject: "" },
    ...{ address: "—", address_short: "—", parent_id: "4", parent_name: "TP-14", resource_type_id: 3 },
    ...{ resource_title: "Electricity", resource_title_en: "Electricity", device_group_id: 4, unit: "kWh" },
    ...{
      timezone: "Asia/Ulaanbaatar",
      has_own_zone: false,
      comment: "",
      tabs: {},
      currentPoint: { resource_type_id: 3 },
    },
    ...{ standard: null, device_id: null, device: null, last_reading: null, state: "no_device" },
    ...{
      transformation_ratio: 1,
      ratio_source: "none",
      loss_factor: null,
      consumer_id: null,
      consumer: null,
    },
    ...{ supplier_id: null, supplier: null, voltage_level_id: null, contract_power: null },
    ...{ current_transformer: null, voltage_transformer: null, created_at: 0 },
  };
  const input = { ...offered, id: 1, name: "Input 1" };
  const points = () => answer({ accounting_points: pageOf([input, offered]) });

  it("BAL-007 points are added by role, and the formula is sent; an output alone is refused at once", async () => {
    const requests = await serve({
      "objects/accounting_point/company/list": points,
      "objects/build_tree": () => answer({ tree: [] }),
      "balance/group/create": () => answer({ balance_group: group }),
    });
    await draw(<GroupFormPage />);
    await click(await found(() => button("Add Feeder 7: Output")));
    await type(field("Name"), "TP-14");
    // From the first one on, points of its resource are offered.
    const asked = await found(() => requests.filter(({ url }) => url.endsWith("company/list"))[1]);
    expect(await asked.clone().json()).toMatchObject({ resource_type_id: offered.resource_type_id });
    await click(button("Save"));
    await found(() => says("At least one input and one output are needed"));
    for (const name of ["Add Input 1: Input", "Save"]) await click(button(name));

    const sent = await found(() => requests.find(({ url }) => url.endsWith("balance/group/create")));
    expect(await sent.clone().json()).toMatchObject({
      name: "TP-14",
      allowed_imbalance: 5,
      points: [
        { point_id: 2, role: "out", coefficient: 1 },
        { point_id: 1, role: "in", coefficient: 1 },
      ],
    });
  });
});

describe("the days of a formula", () => {
  const named = { point_id: 1, name: "Input 1", role: "in" as const, coefficient: 1 };
  const stored: BalanceGroup = {
    ...group,
    points: [
      { ...named, from_day: null, to_day: null },
      { ...named, point_id: 2, name: "Feeder 7", role: "out", from_day: null, to_day: "2026-10-31" },
    ],
  };
  const more = {
    "balance/group/": () => answer({ balance_group: stored }),
    "objects/accounting_point/company/list": () => answer({ accounting_points: pageOf([]) }),
    "objects/build_tree": () => answer({ tree: [] }),
  };
  const fields = () => [...document.querySelectorAll<HTMLInputElement>(".date-field input")];

  it("BAL-009 a point counts from a day to a day; a reversed interval is refused at its field", async () => {
    const requests = await serve({ ...more, "balance/group/7": () => answer({ balance_group: stored }) });
    await draw(<GroupForm group={stored} onConflict={() => Promise.resolve()} />);
    await found(() => says("Feeder 7"));
    expect(fields().map(({ value }) => value)).toEqual(["", "", "", "31.10.2026"]);

    const from = fields()[2];
    if (!from) throw new Error("no field");
    await type(from, "05.11.2026");
    await found(() => says("The last day is before the first"));
    await click(button("Save"));
    expect(requests.some(({ method }) => method === "PUT")).toBe(false);

    await type(from, "05.10.2026");
    await click(button("Save"));
    const sent = await found(() => requests.find(({ method }) => method === "PUT"));
    expect(await sent.clone().json()).toMatchObject({
      points: [
        { point_id: 1, from_day: null, to_day: null },
        { point_id: 2, from_day: "2026-10-05", to_day: "2026-10-31" },
      ],
    });
  });
});

it("BAL-005 the usual period is the month so far, on its first days the last one", () => {
  const late = Date.UTC(2026, 10, 18, 6) / 1000;
  const early = Date.UTC(2026, 10, 2, 6) / 1000;

  expect(usualRange("Etc/UTC", late)).toEqual({
    start: Date.UTC(2026, 10, 1) / 1000,
    end: Date.UTC(2026, 10, 18) / 1000 - 1,
  });
  expect(usualRange("Etc/UTC", early).end).toBe(Date.UTC(2026, 10, 1) / 1000 - 1);
});

it("BAL-005 TRUST-023 a month that begins with a day of 25 hours is young for its first three days", () => {
  // New York: the clocks went back on 1 November 2026.
  const zone = "America/New_York";
  const third = Date.UTC(2026, 10, 4, 4, 30) / 1000;
  const fourth = Date.UTC(2026, 10, 4, 5, 30) / 1000;

  expect(usualRange(zone, third).start).toBe(Date.UTC(2026, 9, 1, 4) / 1000);
  expect(usualRange(zone, fourth)).toEqual({
    start: Date.UTC(2026, 10, 1, 4) / 1000,
    end: Date.UTC(2026, 10, 4, 5) / 1000 - 1,
  });
});
