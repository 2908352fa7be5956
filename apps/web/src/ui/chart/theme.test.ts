// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { observeWidth } from "./theme.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("the width is reported when the page is laid out, and later once it is stable", () => {
  vi.useFakeTimers();
  let laidOut: () => void = () => undefined;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(listener: () => void) {
        laidOut = listener;
      }
      observe() {}
      disconnect() {}
    },
  );
  const element = document.createElement("div");
  const read = vi.spyOn(element, "clientWidth", "get").mockReturnValue(640);
  const widths: number[] = [];

  observeWidth(element, 500, (width) => widths.push(width));
  expect(read).not.toHaveBeenCalled();
  laidOut();
  expect(widths).toEqual([640]);

  for (const width of [700, 800]) {
    read.mockReturnValue(width);
    laidOut();
    vi.advanceTimersByTime(499);
  }
  expect(widths).toEqual([640]);
  vi.advanceTimersByTime(1);
  expect(widths).toEqual([640, 800]);
});
