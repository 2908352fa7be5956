// @vitest-environment happy-dom
import type { Balance } from "@metrum/contract/accounting";
import { describe, expect, it } from "vitest";
import { draw, found, useScreen } from "#testing/dom.tsx";
import { Bars } from "./Bars.tsx";
import { areaOf, dayBars, gapsOf, labelsOf, placeOf, scaleOf, type Bar } from "./bars.ts";

useScreen("balances");

type BalanceDay = Balance["days"][number];

const day: BalanceDay = {
  ...{ day: "2026-11-01", at: 1_793_462_400, in: 6302, out: 5000, losses: 137.6, imbalance: 1164.4 },
  ...{
    imbalance_percent: 18.5,
    state: "computed",
    cumulative_percent: 18.5,
    exceeds: true,
    missing_points: 0,
  },
};
const empty: BalanceDay = {
  ...{
    ...day,
    day: "2026-11-02",
    in: null,
    out: null,
    losses: null,
    imbalance: null,
    imbalance_percent: null,
  },
  ...{ cumulative_percent: null, exceeds: false, state: "incomplete", missing_points: 1 },
};
const balance = { group: { unit: "kWh" }, days: [day, empty] };

describe("the chart", () => {
  const words = { t: ((key: string) => key) as never, number: String };

  it("BAL-005 the axis holds the limit, bars below zero and the line", () => {
    const bars = dayBars(balance, words);
    const scale = scaleOf([...bars, ...bars.slice(0, 1).map((bar) => ({ ...bar, value: -3 }))], 5);

    expect(scale.top).toBeGreaterThanOrEqual(18.5);
    expect(scale.bottom).toBeLessThanOrEqual(-3);
    expect(placeOf(scale.top, scale)).toBe(0);
    expect(placeOf(scale.bottom, scale)).toBe(100);
    expect(bars[1]).toMatchObject({ value: null, line: null });
  });

  const barsOf = (count: number, change: (at: number) => Partial<Bar>): Bar[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ key: String(at), label: "", value: 1, line: null, isBeyond: false, text: `slot ${String(at)}` },
      ...{ of: String(at), sums: day },
      ...change(at),
    }));

  it("BAL-005 BAL-006 half-hours of a month are one stepped area, with gaps, beyond the limit, and labels that fit", () => {
    const bars = barsOf(1296, (at) => ({
      label: at % 48 === 0 ? `${String(at / 48 + 1).padStart(2, "0")}.11` : "",
      value: at >= 10 && at < 13 ? null : at === 5 ? 4 : 1,
      isBeyond: at === 5,
    }));
    const scale = { top: 4, bottom: 0, ticks: [0, 4] };

    expect(gapsOf(bars)).toEqual([{ from: 10, count: 3 }]);
    expect(areaOf(bars, scale, true)).toBe("M5 100V0H6V100Z");
    expect(areaOf(bars.slice(0, 14), scale, false)).toBe(
      "M0 100V75H1V75H2V75H3V75H4V75H5V100ZM6 100V75H7V75H8V75H9V75H10V100ZM13 100V75H14V100Z",
    );
    const labels = labelsOf(bars);
    expect(labels.map(({ label }) => label)).toEqual([
      "01.11",
      "04.11",
      "07.11",
      "10.11",
      "13.11",
      "16.11",
      "19.11",
      "22.11",
      "25.11",
    ]);
    expect(labels.filter(({ isMinor }) => !isMinor)).toHaveLength(5);
  });

  it("BAL-005 the pointer and the keys read a slot of a month of half-hours", async () => {
    await draw(
      <Bars
        title="Half-hours"
        limit={5}
        bars={barsOf(1440, (at) => ({ label: at % 48 === 0 ? "01.11" : "" }))}
      />,
    );
    const readout = () => document.querySelector("[role=status]")?.textContent;
    const plot = document.querySelector<HTMLElement>(".balance-plot");
    if (!plot) throw new Error("no plot");
    expect(document.querySelectorAll(".balance-bars li")).toHaveLength(0);
    plot.getBoundingClientRect = () => new DOMRect(100, 0, 720, 160);

    plot.dispatchEvent(new PointerEvent("pointermove", { clientX: 460, bubbles: true }));
    await found(() => readout() === "slot 720");

    const keys = async (key: string, text: string) => {
      plot.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await found(() => readout() === text);
    };
    await keys("ArrowRight", "slot 721");
    await keys("PageDown", "slot 864");
    await keys("PageUp", "slot 720");
    await keys("End", "slot 1439");
    await keys("ArrowRight", "slot 1439");
    await keys("Home", "slot 0");
  });

  it("BAL-005 days of a long period are labelled by date, and of a longer one by month", () => {
    const daysOf = (count: number) =>
      dayBars(
        {
          ...balance,
          days: Array.from({ length: count }, (_, nth) => ({
            ...day,
            day: new Date(Date.UTC(2026, 7, 30 + nth)).toISOString().slice(0, 10),
          })),
        },
        words,
      ).map(({ label }) => label);

    expect(daysOf(31).slice(0, 3)).toEqual(["30", "31", "1"]);
    expect(daysOf(40).slice(0, 3)).toEqual(["30.08", "31.08", "01.09"]);
    expect(daysOf(120).slice(0, 4)).toEqual(["", "", "09.2026", ""]);
  });

  it("BAL-005 one day alone has a dot of the cumulative line", async () => {
    await draw(<Bars title="Days" limit={5} hasLine bars={dayBars(balance, words).slice(0, 1)} />);

    expect(document.querySelector(".balance-line path")?.getAttribute("d")).toMatch(/^M0\.5 [\d.]+h0$/);
  });
});
