// @vitest-environment happy-dom
import type { OpenedException, ValidationException } from "@metrum/contract/accounting";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { filterOf, readAddress, writeAddress } from "./address.ts";
import { stepPath, ticksUpTo } from "./EvidenceChart.tsx";
import { keyOf } from "./keys.ts";
import { RulesDialog } from "./RulesDialog.tsx";
import { ValidationPage } from "./ValidationPage.tsx";

useScreen("validation", "objectTabs", "grid");
beforeEach(() => startSession("token"));
afterEach(() => vi.restoreAllMocks());

const at = 1_793_700_000;
const aRow = (id: number, more: Partial<ValidationException> = {}): ValidationException => ({
  id,
  kind: "spike",
  kind_title: "Spike",
  summary: "3 values, up to ×4.3 of the usual maximum",
  device_id: 7,
  device_name: `Meter ${String(id)}`,
  deviceID: "41",
  point_id: null,
  point_name: null,
  place: "Pump station",
  field: "tariff0",
  msgType: 100,
  startDate: at,
  stopDate: at + 7200,
  values: 3,
  found_at: at + 9000,
  outcome: null,
  outcome_reason: null,
  closed_at: null,
  closed_by: null,
  comments: 0,
  ...more,
});
const opened = (row: ValidationException): OpenedException => ({
  exception: row,
  limit: "over 2.5 × usual maximum",
  facts: {
    ...{ highest: 238.9, usual: 56.2, limit: 140.5, ratio: 20, clock_offset: 1.2, in_30_days: 2 },
    consumer: null,
    model: "Model",
  },
  evidence: [{ state: "ok", text: "Register of the day 1 843.1, agrees with the estimate to 0.4" }],
  unit: "kWh",
  decimals: 3,
  zone: "UTC",
  chart: {
    ...{
      window: "around",
      startDate: at - 21_600,
      stopDate: at + 21_600,
      stepSec: 1800,
      limit: 140.5,
      marks: [],
    },
    measured: [
      { at: at - 1800, value: 42 },
      { at: at, value: null },
      { at: at + 5400, value: 41 },
    ],
    suspect: [{ at, value: 238.9 }],
    estimate: [{ at, value: 39.7 }],
  },
  proposal: {
    method: "same_day_type",
    text: "Estimate: mean of the same hours on 29.10, 05.11, 12.11.",
    total: "39.7",
    methods: [{ method: "same_day_type", title: "Same days of the week", is_possible: true }],
  },
  changes: [
    {
      ...{ period: "day", startDate: at, stopDate: at + 86_400, is_lower: true },
      ...{ before: "2373.3", after: "1842.7", change: "-530.6" },
    },
  ],
  balances: [
    {
      ...{ balance_group_id: 4, name: "TP-11", allowed_percent: 3, is_within: true },
      ...{ before: 2086.8, after: 2617.4, change: 530.6, before_percent: 0.97, after_percent: 1.22 },
    },
  ],
  closed_period: null,
  steps: [],
  can: { accept: true, reject: true, estimate: true, ask: true, undo: false },
  decides: null,
});

function server(access: Parameters<typeof anAccess>[0] = "admin", more: Partial<OpenedException> = {}) {
  const rows = [aRow(1), aRow(2)];
  let asked = 0;
  return stubServer({
    ...asUser(anAccess(access)),
    "objects/validation/summary": () =>
      answer({
        groups: [{ kind: "spike", title: "Spike", count: 2, not_kept: 0 }],
        ...{ open: 2, closed_today: 12, oldest_at: at },
      }),
    "objects/validation/list": () => answer({ exceptions: pageOf(rows) }),
    "objects/validation/get": () => answer({ ...opened(rows[Math.min(asked++, 1)] ?? aRow(1)), ...more }),
    "objects/validation/estimate": () => answer({ decided: 1, left: 0 }),
    "objects/validation/accept": () => answer({ decided: 1, left: 0 }),
  });
}

const sent = async (requests: readonly Request[], verb: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/validation/${verb}`)))).clone().json();

async function drawPage(address = "/") {
  await loadSession();
  const router = await draw(<ValidationPage />, address);
  await found(() => says("Meter 1"));
  return router;
}

it("TRUST-028 of values that contradict each other the verbs say which of them counts", async () => {
  server("admin", { decides: { accept: "900 kWh counts", reject: "905 kWh counts" } });
  await drawPage();

  await found(() => says("905 kWh counts"));
  expect(says("900 kWh counts")).toBe(true);
  expect(says("leave a gap")).toBe(false);
});

it("TRUST-015 the first exception is open, and the keys go on into folded rules and back", async () => {
  const kinds = ["spike", "gap", "frozen"] as const;
  stubServer({
    ...asUser(anAccess("admin")),
    "objects/validation/summary": () =>
      answer({
        groups: kinds.map((kind) => ({ kind, title: kind, count: 1, not_kept: 0 })),
        ...{ open: 3, closed_today: 0, oldest_at: at },
      }),
    "objects/validation/list": (body) => {
      const { kind } = JSON.parse(body) as { kind: (typeof kinds)[number] };
      return answer({ exceptions: pageOf([aRow(kinds.indexOf(kind) + 1, { kind })]) });
    },
    "objects/validation/get": () => answer(opened(aRow(1))),
  });
  const router = await drawPage();
  const isOpen = (id: number) => found(() => router.state.location.search["id" as never] === id);
  await isOpen(1);
  expect(says("Meter 3")).toBe(false);

  for (const id of [2, 3]) {
    await press("о", { code: "KeyJ" });
    await isOpen(id);
  }
  expect(says("Meter 3")).toBe(true);
  await press("л", { code: "KeyK" });
  await isOpen(2);
});

/** Three rules; the third one, which is folded at first, has more rows than are shown. */
function longServer() {
  const rows = {
    spike: [aRow(1), aRow(2)],
    gap: [aRow(3, { kind: "gap" })],
    frozen: Array.from({ length: 30 }, (_, n) => aRow(n + 10, { kind: "frozen" })),
  };
  const all = Object.values(rows).flat();
  stubServer({
    ...asUser(anAccess("admin")),
    "objects/validation/summary": () =>
      answer({
        groups: (["spike", "gap", "frozen"] as const).map((kind) => {
          return { kind, title: kind, count: rows[kind].length, not_kept: 0 };
        }),
        ...{ open: 33, closed_today: 0, oldest_at: at },
      }),
    "objects/validation/list": (body) => {
      const { kind, per_page } = JSON.parse(body) as { kind: keyof typeof rows; per_page: number };
      return answer({
        exceptions: { ...pageOf(rows[kind].slice(0, per_page)), total: rows[kind].length },
      });
    },
    "objects/validation/get": (body) => {
      const { exception_id } = JSON.parse(body) as { exception_id: number };
      return answer(opened(all.find(({ id }) => id === exception_id) ?? aRow(exception_id)));
    },
    "objects/validation/accept": () => {
      rows.frozen = rows.frozen.filter(({ id }) => id !== 36);
      return answer({ decided: 1, left: 0 });
    },
  });
}

it("TRUST-015 from an exception that the address names the keys go to its neighbours, folded or not shown before", async () => {
  longServer();
  const router = await drawPage("/?id=35");
  const isOpen = (id: number) => found(() => router.state.location.search["id" as never] === id);
  await found(() => says("Meter 35") && document.querySelector('[aria-current="true"]'));

  await press("о", { code: "KeyJ" });
  await isOpen(36);
  // A decided exception leaves the list; the next one takes its place.
  await found(() => says("over 2.5 × usual maximum"));
  await press("ф", { code: "KeyA" });
  await isOpen(37);
  await press("л", { code: "KeyK" });
  await isOpen(35);
});

it("TRUST-015 the next key shows more rows of a rule before it goes on", async () => {
  longServer();
  const router = await drawPage("/?id=14");
  await found(() => document.querySelector('[aria-current="true"]'));
  expect(says("Meter 15")).toBe(false);

  await press("о", { code: "KeyJ" });

  await found(() => router.state.location.search["id" as never] === 15);
  expect(says("Meter 15")).toBe(true);
});

it("TRUST-015 the inbox is worked off by keys: next, estimate, and the next one again", async () => {
  const requests = server();
  await drawPage();

  await found(() => says("over 2.5 × usual maximum"));
  expect(says(/2.373\.3/)).toBe(true);
  expect(says(/1.842\.7/)).toBe(true);
  expect(says(/2.617\.4/)).toBe(true);
  expect(document.querySelector('a[href="#/cloud/directories/balance/4"]')?.textContent).toBe("TP-11");
  expect(says("within 3 %")).toBe(true);
  expect(says("Estimate: mean of the same hours on 29.10, 05.11, 12.11.")).toBe(true);
  // A Cyrillic layout: the key E has another letter.
  await press("у", { code: "KeyE" });

  expect(await sent(requests, "estimate")).toEqual({ exception_ids: [1] });
  await found(() => document.querySelectorAll(".inbox-row")[1]?.getAttribute("aria-current") === "true");
  expect(await sent(requests, "get")).toMatchObject({ exception_id: 2 });
});

it("TRUST-016 a consumption of a person is asked for before it is used as an estimate", async () => {
  const requests = server("admin", {
    proposal: {
      method: "same_day_type",
      text: "Estimate",
      total: "39.7",
      methods: (["same_day_type", "given"] as const).map((method) => ({
        ...{ method, title: method, is_possible: true },
      })),
    },
  });
  await drawPage();
  const method = await found(() => document.querySelector<HTMLSelectElement>(".inbox-method select"));
  await type(method, "given");
  const input = await found(() => document.querySelector<HTMLInputElement>(".inbox-method input"));

  await click(button("Estimate use the proposal E"));
  await found(() => says("Enter the consumption"));
  expect(requests.some(({ url }) => url.endsWith("/validation/estimate"))).toBe(false);

  await type(input, "12");
  await click(button("Estimate use the proposal E"));
  expect(await sent(requests, "estimate")).toEqual({ exception_ids: [1], method: "given", amount: 12 });
});

it("TRUST-017 values that a closed period bills say so, and nothing decides them", async () => {
  server("admin", {
    closed_period: { id: 5, from_day: "2026-10-01", to_day: "2026-10-31" },
    can: { accept: false, reject: false, estimate: false, ask: true, undo: false },
  });
  await drawPage();

  const link = await found(() => document.querySelector<HTMLElement>('a[href="#/cloud/objects/periods/5"]'));
  expect(link.textContent).toBe("The settlement period 01.10.2026 – 31.10.2026 is closed.");
  expect(says("values are right")).toBe(false);
});

it("TRUST-015 a decision is taken by its button", async () => {
  const requests = server();
  await drawPage();
  await found(() => says("values are right"));
  const accept = [...document.querySelectorAll("button")].find((each) =>
    each.textContent.includes("values are right"),
  );
  if (accept) await click(accept);

  expect(await sent(requests, "accept")).toEqual({ exception_ids: [1] });
});

it("TRUST-015 who may only read sees the evidence, and no decision", async () => {
  const requests = server([6]);
  await drawPage();
  await found(() => says("over 2.5 × usual maximum"));
  await press("a", { code: "KeyA" });

  expect(says("values are right")).toBe(false);
  expect(requests.some(({ url }) => url.endsWith("/validation/accept"))).toBe(false);
});

it("TRUST-015 keys are ignored while typing and with a command key", () => {
  const input = document.createElement("input");
  const of = (target: Element, init: KeyboardEventInit) => {
    const event = new KeyboardEvent("keydown", init);
    Object.defineProperty(event, "target", { value: target });
    return keyOf(event);
  };

  expect(of(document.body, { code: "KeyA" })).toBe("accept");
  expect(of(document.body, { code: "Slash", shiftKey: true })).toBe("help");
  expect(of(document.body, { key: "?", code: "Digit7", shiftKey: true })).toBe("help");
  expect(of(document.body, { code: "KeyA", ctrlKey: true })).toBeUndefined();
  expect(of(input, { code: "KeyA" })).toBeUndefined();
});

it("TRUST-015 the address holds the filter; invalid values are ignored", () => {
  const address = readAddress({
    q: 41,
    rule: "gap",
    days: "7",
    month: "2026-10",
    state: "closed",
    branch: "3",
    id: "9",
    window: "week",
  });

  expect(filterOf(address, 7200)).toEqual({
    ...{ state: "closed", search_string: "41", kind: "gap", object_ids: [3] },
    ...{ startDate: 7200 - 7 * 86_400, month: "2026-10" },
  });
  expect(writeAddress(address)).toEqual({
    q: "41",
    rule: "gap",
    days: 7,
    month: "2026-10",
    state: "closed",
    branch: 3,
    id: 9,
    window: "week",
  });
  expect(
    readAddress({ rule: "toString", days: "8", month: "2026-13", state: "x", id: "-1", window: 4 }),
  ).toEqual({
    ...{ text: "", state: "open", kind: undefined, days: undefined, sort: "desc", branch: undefined },
    month: undefined,
    ...{ current: undefined, window: "around" },
  });
});

it("TRUST-015 the line breaks at a missing value, and ticks are round", () => {
  const scale = { x: (value: number) => value, y: (value: number) => 100 - value };
  const path = stepPath(
    [
      { at: 0, value: 1 },
      { at: 10, value: null },
      { at: 20, value: 2 },
    ],
    10,
    scale,
  );

  expect(path).toBe("M0.0 99.0L10.0 99.0M20.0 98.0L30.0 98.0");
  expect(ticksUpTo(238.9)).toEqual([0, 50, 100, 150, 200]);
});

it("TRUST-014 a rule of a point shows where it comes from, is saved for the point, and its fault stands at the number", async () => {
  const kind = {
    ...{ kind: "spike", title: "Spike", about: "Too high", is_on: { electricity: true } },
    parameters: [
      { name: "factor", title: "Factor", unit: "times", min: 1, max: 50, step: 1, usual: { other: 3 } },
    ],
  };
  const numbers = { is_on: true, parameters: { factor: 4 } };
  const ofModel = { ...numbers, source: "model", source_title: "CE303" };
  const rules = [
    {
      kind: "spike",
      resource: null,
      model_id: null,
      model_title: null,
      point_id: 7,
      point_name: "Input 7",
      ...numbers,
    },
  ];
  let isOwn = true;
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "objects/validation/rules": (body) => {
      const named = Object.keys(JSON.parse(body) as object).length > 0;
      const own = { ...numbers, source: "point", source_title: null };
      const held = { kind: "spike", is_own: isOwn, ...(isOwn ? own : ofModel), inherited: ofModel };
      return answer({
        kinds: [kind],
        rules,
        resource: named ? "electricity" : null,
        holding: named ? [held] : [],
      });
    },
    "objects/accounting_point/company/list": () => answer({ accounting_points: pageOf([]) }),
    "objects/validation/rule/save": () =>
      refusal(422, "wrong_input", "No", { "parameters.factor": ["1 – 50"] }),
    "objects/validation/rule/reset": () => {
      isOwn = false;
      return answer({ rules });
    },
  });
  await loadSession();
  await draw(<RulesDialog onClose={() => undefined} />);
  await click(field("Point"));
  await click(await found(() => says("Input 7") && button("Input 7")));
  await found(() => says("Own rule of the point"));
  expect(says("Without it: Rule of the model CE303, on")).toBe(true);

  await type(field("Factor"), "5");
  await click(button("Save"));
  await found(() => says("1 – 50"));
  expect(await sent(requests, "rule/save")).toEqual({
    ...{ kind: "spike", point_id: 7, is_on: true, parameters: { factor: 5 } },
  });

  await click(button("As inherited"));
  await found(() => !says("Own rule of the point"));
  expect(says("Rule of the model CE303")).toBe(true);
});
