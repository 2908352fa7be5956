// @vitest-environment happy-dom
import { useMemo } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createHover } from "#ui/chart";
import { draw, found, useScreen } from "#testing/dom.tsx";
import { DataChart } from "./DataChart.tsx";
import { emptyTable } from "./dataTable.ts";

const { setSize } = vi.hoisted(() => ({ setSize: vi.fn() }));

/** The test browser has no canvas. */
vi.mock("uplot", () => ({
  default: class {
    data = [];
    series = [];
    width = 0;
    setSize = setSize;
    batch() {}
    redraw() {}
    destroy() {}
  },
}));

useScreen("chart", "deviceData");

let width = 0;
let resized: () => void = () => undefined;
beforeEach(() => {
  width = 0;
  setSize.mockClear();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  Object.defineProperty(document, "fonts", { value: { ready: Promise.resolve() }, configurable: true });
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockImplementation(() => width);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const at = Date.UTC(2026, 10, 14, 0, 30) / 1000;

function Drawn() {
  const hover = useMemo(createHover, []);
  const columns = [
    { name: "voltage1", title: "U1", unit: "V", decimals: 1, values: Float64Array.from([230.12345]) },
  ];
  return (
    <DataChart
      title="Voltage"
      table={{ ...emptyTable, time: Float64Array.from([at]), columns }}
      columns={columns}
      resource="electricity"
      stepSec={null}
      intervalSec={null}
      range={{ start: at - 3600, end: at + 3599 }}
      zone="Asia/Ulaanbaatar"
      now={at}
      gaps={[]}
      zoom={null}
      onZoom={() => undefined}
      hidden={null}
      onHidden={() => undefined}
      hover={hover}
    />
  );
}

it("CHART-001 CHART-007: a point is shown with three decimals and as DD.MM.YYYY HH:mm in the zone of the device", async () => {
  await draw(<Drawn />);

  const readout = await found(() => document.querySelector(".chart-fixed"));
  expect(readout.querySelector(".readout-time")?.textContent).toBe("14.11.2026 08:30");
  expect(readout.querySelector("dd")?.textContent).toBe("230.123 V");
});

it("CHART-005: a new width is drawn once, 500 ms after the last change", async () => {
  await draw(<Drawn />);
  await found(() => document.querySelector(".chart-fixed"));
  // A browser reports the first size once it has laid out the page.
  resized();
  vi.useFakeTimers();
  setSize.mockClear();

  width = 320;
  resized();
  vi.advanceTimersByTime(400);
  width = 330;
  resized();
  vi.advanceTimersByTime(499);
  expect(setSize).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);

  expect(setSize.mock.calls).toEqual([[expect.objectContaining({ width: 330 })]]);
});
