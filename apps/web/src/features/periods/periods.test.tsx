// @vitest-environment happy-dom
import type { PeriodPreview, PeriodTotal, SettlementPeriod } from "@metrum/contract/accounting";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { unevenColumns } from "#testing/columns.ts";
import { button, click, draw, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { ClosePage } from "./ClosePage.tsx";
import { PeriodPage } from "./PeriodPage.tsx";
import { PeriodsPage } from "./PeriodsPage.tsx";
import { coveredText } from "./periods.ts";

useScreen("periods", "grid");
beforeEach(() => startSession("token"));
afterEach(() => vi.restoreAllMocks());

const digest = "a".repeat(64);
const summary = { points: 40, lacking: 2, without_data: 1, estimated: 3, covered: 0.99951 };
const aPeriod = (more: Partial<SettlementPeriod> = {}): SettlementPeriod => ({
  id: 5,
  month: "2026-10",
  from_day: "2026-10-01",
  to_day: "2026-10-31",
  state: "closed",
  version: 1,
  closed_at: 1_793_700_000,
  closed_by: "Accountant",
  reopened_at: null,
  reopened_by: null,
  reopen_reason: null,
  summary,
  differing: 3,
  is_comparing: false,
  ...more,
});
const amounts = {
  ...{ amount: 34.1, carried: 0, estimated: 0, covered: 1, start_value: 100, end_value: 134.1 },
  loss: 0.682,
};
const aTotal = (more: Partial<PeriodTotal> = {}): PeriodTotal => ({
  point_id: 9,
  name: "House 1",
  resource_type_id: 3,
  field: "main",
  register: { title: "main", unit: "kWh" },
  timezone: "UTC",
  ...amounts,
  flags: 0,
  status: 0,
  is_removed: false,
  other: { ...amounts, amount: 33.3, loss: 0.9 },
  difference: -0.8,
  change: "changed",
  ...more,
});
const opened = (period: SettlementPeriod) => ({
  period,
  versions: [
    {
      ...{ version: 1, kind: "close", reason: "", made_at: 1_793_700_000, made_by: "Accountant" },
      ...{ points: 40, lacking: 2, estimated: 3, digest, is_intact: true },
    },
  ],
  now: { differing: 3, recomputing: 0, digest },
  resources: [
    {
      resource_type_id: 3,
      points: 40,
      amount: 34.1,
      estimated: 0,
      difference: -0.8,
      loss: 0.682,
      loss_difference: 0.218,
    },
  ],
  totals: pageOf([
    aTotal(),
    aTotal({
      point_id: 10,
      name: "Garage",
      is_removed: true,
      other: { ...amounts, amount: null },
      change: "gone",
    }),
  ]),
});
const preview: PeriodPreview = {
  ...summary,
  ...{
    month: "2026-10",
    from_day: "2026-10-01",
    to_day: "2026-10-31",
    counted_to: "2026-10-31",
    state: "open",
    recomputing: 0,
    exceptions: 4,
    digest,
  },
  resources: [{ resource_type_id: 3, points: 40, amount: 934.5, estimated: 0.5, loss: 18.69 }],
};

async function serve(
  more: Readonly<Record<string, () => Response>> = {},
  access: Parameters<typeof anAccess>[0] = "admin",
) {
  const requests = stubServer({ ...asUser(anAccess(access)), ...more });
  await loadSession();
  return requests;
}
const sent = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();

it("TRUST-017 the list says state, completeness and later data of each month", async () => {
  const rows = [
    aPeriod({
      id: null,
      month: "2026-11",
      state: "running",
      summary: null,
      differing: null,
      version: 0,
      closed_at: null,
    }),
    aPeriod(),
    aPeriod({ id: 4, month: "2026-09", differing: 0, summary: { ...summary, lacking: 0, covered: 1 } }),
    aPeriod({ id: 3, month: "2026-08", is_comparing: true }),
    aPeriod({ id: 2, month: "2026-07", state: "reopened" }),
  ];
  await serve({ "period/list": () => answer({ periods: pageOf(rows) }) });

  await draw(<PeriodsPage />);
  await found(() => says("October 2026"));

  for (const text of [
    "Not over yet",
    "99.9 %",
    "2 of 40 lack data",
    "3 points differ",
    "no difference",
    "being compared",
  ])
    expect(says(text), text).toBe(true);
  const hrefs = [...document.querySelectorAll("a")].map((each) => each.getAttribute("href"));
  expect(hrefs).toEqual(
    expect.arrayContaining([
      "#/cloud/objects/periods/5",
      "#/cloud/objects/periods/close/2026-11",
      "#/cloud/objects/periods/close/2026-07",
    ]),
  );
});

it("TRUST-017 a month that lacks data is closed only after a confirmation, with the totals that were shown", async () => {
  const requests = await serve({
    "period/preview": () =>
      answer({
        preview,
        incomplete: pageOf([
          { point_id: 3, name: "Cellar", resource_type_id: 2, covered: 0, has_amount: false, estimated: 0 },
        ]),
      }),
    "period/close": () => answer({ period: aPeriod() }),
  });
  await draw(<ClosePage />);
  await found(() => says("Cellar"));
  expect(document.querySelector('a[href="#/cloud/objects/validation?month=2026-10"]')?.textContent).toBe(
    "4 open exceptions of the month",
  );
  const close = button("Close the month");
  const wasDisabled = close.disabled;

  await click(field("Close although 2 points lack data"));
  await click(button("Close the month"));

  expect([wasDisabled, says("934.5"), says("nothing known")]).toEqual([true, true, true]);
  expect(await sent(requests, "period/close")).toEqual({
    month: "2026-10",
    digest,
    accepts_incomplete: true,
  });
});

it("TRUST-017 a month that is not over, or still being computed, offers no closing and says why", async () => {
  await serve({
    "period/preview": () => answer({ preview: { ...preview, recomputing: 4 }, incomplete: pageOf([]) }),
  });
  await draw(<ClosePage />);
  await found(() => says("4 points are still being computed"));

  expect(document.querySelector(".period-closing")).toBeNull();
  expect(says("inclusive")).toBe(false);
});

it("TRUST-017 of a running month it says which days the numbers count", async () => {
  const running = { ...preview, state: "running", counted_to: "2026-10-09" };
  await serve({ "period/preview": () => answer({ preview: running, incomplete: pageOf([]) }) });
  await draw(<ClosePage />);

  await found(() => says("days until 09.10.2026 inclusive"));
});

it("TRUST-017 TRUST-028 a closed period shows both sides of a difference, and stores a correction with a reason", async () => {
  const requests = await serve({
    "period/get": () => answer(opened(aPeriod())),
    "period/correct": () => answer({ period: aPeriod({ version: 2 }) }),
  });
  await draw(<PeriodPage />);
  await found(() => says("House 1"));

  for (const text of [
    "34.100",
    "33.300",
    "-0.800000",
    "0.900",
    "losses 0.682",
    "losses differ by +0.218000",
    "Garage (removed)",
    "unaltered",
    "Later data give 3 points other totals",
  ])
    expect(says(text) || says(text.replace("-", "−")), text).toBe(true);
  expect(unevenColumns()).toEqual([]);
  await click(button("Store a correction…"));
  await type(field("Reason"), "Readings of day 9 came late");
  await click(button("Store the correction"));
  expect(await sent(requests, "period/correct")).toEqual({
    id: 5,
    digest,
    reason: "Readings of day 9 came late",
  });
});

it("TRUST-017 only an administrator is offered to open a period again", async () => {
  await serve({ "period/get": () => answer(opened(aPeriod())) }, [6]);
  await draw(<PeriodPage />);
  await found(() => says("House 1"));

  expect([says("Open again…"), says("Store a correction…")]).toEqual([false, false]);
});

it("TRUST-017 a period that was opened again says who did it and why", async () => {
  const reopened = aPeriod({
    ...{
      state: "reopened",
      reopened_at: 1_793_700_000,
      reopened_by: "Director",
      reopen_reason: "Wrong ratio",
    },
  });
  await serve({ "period/get": () => answer(opened(reopened)) });
  await draw(<PeriodPage />);
  await found(() => says("by Director: Wrong ratio"));
});

it("TRUST-017 completeness is rounded down: what lacks a second is not shown as complete", () => {
  const number = (value: number, decimals = 0) => value.toFixed(decimals);

  expect([
    coveredText(0.9999, { number }),
    coveredText(1, { number }),
    coveredText(null, { number }),
  ]).toEqual(["99.9 %", "100.0 %", "—"]);
});
