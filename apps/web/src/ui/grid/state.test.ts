import { describe, expect, it } from "vitest";
import { boundsOf, rangeInRow, toTsv } from "./copy.ts";
import { memoryOf } from "./memory.ts";
import { sortRows } from "./sort.ts";
import {
  isFiltered,
  nextSort,
  pageSizes,
  readGridState,
  shownColumns,
  writeGridState,
  type GridDefaults,
} from "./state.ts";

const defaults: GridDefaults = {
  sort: { field: "last_data", desc: false },
  size: 25,
  sortFields: ["last_data", "name"],
  filters: ["status", "resource"],
};

describe("table in the address bar", () => {
  it("UI-040: page, size, sort, search, filters and columns come from the address", () => {
    const state = readGridState(
      { q: "412", sort: "-name", page: "3", size: 100, "f.status": "silent,never", cols: "name,via" },
      defaults,
    );

    expect(state).toEqual({
      q: "412",
      sort: { field: "name", desc: true },
      page: 3,
      size: 100,
      filters: { status: ["silent", "never"] },
      cols: ["name", "via"],
    });
  });

  it("an invalid address gives the default, not an error", () => {
    const state = readGridState({ sort: "-password", page: "-2", size: "7", "f.other": "x" }, defaults);

    expect(state).toEqual({ q: "", sort: defaults.sort, page: 1, size: 25, filters: {}, cols: null });
  });

  it("UI-035: sizes are 10, 25 and 100", () => {
    expect(pageSizes).toEqual([10, 25, 100]);
    expect(pageSizes.map((size) => readGridState({ size }, defaults).size)).toEqual([10, 25, 100]);
    expect(readGridState({ size: 50 }, defaults).size).toBe(25);
  });

  it("UI-071: saved settings apply unless the address overrides them", () => {
    const memory = { size: 100, cols: ["name"], sort: "-name" };

    expect(readGridState({}, defaults, memory)).toMatchObject({
      size: 100,
      cols: ["name"],
      sort: { field: "name", desc: true },
    });
    expect(readGridState({ size: 10, sort: "last_data" }, defaults, memory)).toMatchObject({
      size: 10,
      sort: { field: "last_data", desc: false },
    });
  });

  it("a link contains only differences from the default, and other parts of the address are kept", () => {
    expect(writeGridState({ dialog: "poll" }, { size: 25, q: "" }, defaults)).toEqual({ dialog: "poll" });
    expect(
      writeGridState({}, { filters: { status: ["silent"] }, sort: { field: "name", desc: true } }, defaults),
    ).toEqual({
      "f.status": "silent",
      sort: "-name",
    });
  });

  it("a change of search, filter or sorting returns to the first page; paging keeps the rest", () => {
    const address = { q: "m230", page: 4 };

    expect(writeGridState(address, { sort: { field: "name", desc: false } }, defaults)).toEqual({
      q: "m230",
      sort: "name",
    });
    expect(writeGridState(address, { page: 5 }, defaults)).toEqual({ q: "m230", page: 5 });
  });

  it("UI-023 UI-030: a reset clears search and filters", () => {
    const address = { q: "m230", "f.status": "silent", sort: "-name" };

    const cleared = readGridState(writeGridState(address, { q: "", filters: {} }, defaults), defaults);

    expect(isFiltered(readGridState(address, defaults))).toBe(true);
    expect(isFiltered(cleared)).toBe(false);
    expect(cleared.sort).toEqual({ field: "name", desc: true });
  });

  it("UI-027: a click sorts ascending, the next one descending", () => {
    const first = nextSort(null, "name");

    expect(first).toEqual({ field: "name", desc: false });
    expect(nextSort(first, "name")).toEqual({ field: "name", desc: true });
    expect(nextSort(first, "last_data")).toEqual({ field: "last_data", desc: false });
  });

  it("columns are shown as chosen; the name cannot be hidden, unknown ones are ignored", () => {
    const columns = [{ id: "name", isFixed: true }, { id: "via" }, { id: "address", isOptional: true }];

    expect(shownColumns(columns, null)).toEqual(["name", "via"]);
    expect(shownColumns(columns, ["address", "gone"])).toEqual(["name", "address"]);
  });
});

describe("order", () => {
  const rows = [{ value: 2 }, { value: null }, { value: 10 }, { value: Number.NaN }];

  it("UI-038: nulls are last ascending and first descending", () => {
    expect(sortRows(rows, (row) => row.value, false).map((row) => row.value)).toEqual([
      2,
      10,
      null,
      Number.NaN,
    ]);
    expect(sortRows(rows, (row) => row.value, true).map((row) => row.value)).toEqual([
      null,
      Number.NaN,
      10,
      2,
    ]);
  });

  it("texts are ordered by the numbers in them", () => {
    expect(sortRows(["WM-10", "wm-9", "WM-100"], (row) => row, false)).toEqual(["wm-9", "WM-10", "WM-100"]);
  });
});

describe("copy", () => {
  it("has raw values for a spreadsheet", () => {
    expect(
      toTsv([
        ["M230", 1204518.06, null],
        ["a\tb", Number.NaN, false],
      ]),
    ).toBe("M230\t1204518.06\t\na b\t\tfalse");
  });

  it("a range is copied row by row; a single cell is not a range", () => {
    const range = { anchor: { row: 4, column: 3 }, focus: { row: 2, column: 1 } };

    expect(boundsOf(range)).toEqual({ top: 2, bottom: 4, left: 1, right: 3 });
    expect(rangeInRow(range, 3)).toBe("1-3");
    expect(rangeInRow(range, 5)).toBe("");
    expect(rangeInRow({ anchor: range.anchor, focus: range.anchor }, 4)).toBe("");
  });
});

describe("memory", () => {
  it("UI-071: stored settings are used as far as they are valid", () => {
    const stored = { size: 100, cols: ["name"], widths: { name: 240, via: "wide" }, sort: "-name", other: 1 };

    expect(memoryOf(stored)).toEqual({ size: 100, cols: ["name"], widths: { name: 240 }, sort: "-name" });
    expect([memoryOf(null), memoryOf("x"), memoryOf({ cols: [1] })]).toEqual([{}, {}, {}]);
  });
});
