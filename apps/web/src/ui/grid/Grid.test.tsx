// @vitest-environment happy-dom
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadTexts, startI18n } from "#lib/i18n";
import { Grid } from "./Grid.tsx";

interface Meter {
  readonly id: number;
  readonly value: number;
}

const meters: readonly Meter[] = Array.from({ length: 100 }, (_, id) => ({ id, value: 0 }));
const heard = (rows: readonly Meter[], id: number): readonly Meter[] =>
  rows.map((row) => (row.id === id ? { ...row, value: row.value + 1 } : row));

let painted: number[];
let root: Root;
const value = ({ id, value: shown }: Meter): ReactNode => {
  painted.push(id);
  return shown;
};
const columns = [{ id: "value", title: "Value", width: 120, cell: value }];
const shown = ["value"];
const rowKey = ({ id }: Meter) => String(id);
const bulk = () => null;

function paint(rows: readonly Meter[]): void {
  painted = [];
  act(() =>
    root.render(
      <Grid
        label="Meters"
        columns={columns}
        shown={shown}
        rows={rows}
        rowKey={rowKey}
        status="ready"
        empty="None"
        phoneRow={value}
        bulk={bulk}
      />,
    ),
  );
}

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  await startI18n();
  await loadTexts("grid");
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

describe("an update of one row", () => {
  it.each([
    ["a table", false],
    ["a phone", true],
  ])("repaints only that row on %s", (_, isPhone) => {
    vi.stubGlobal("matchMedia", () => ({
      matches: isPhone,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    paint(meters);
    expect(painted).toHaveLength(100);

    paint(heard(meters, 7));

    expect(painted).toEqual([7]);
  });
});
