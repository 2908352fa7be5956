// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { act, useState, type ComponentProps } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { click, draw, field, found, says, type, useScreen, button } from "#testing/dom.tsx";
import { ColumnChooser, Grid } from "./index.ts";
import { ChipOptions } from "../list/ChipOptions.tsx";

interface Meter {
  readonly id: number;
  readonly name: string;
}

useScreen("grid");
beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

const meters: readonly Meter[] = ["Boiler", "Gate"].map((name, id) => ({ id, name }));
const columns = [
  { id: "name", title: "Name", width: 180, cell: ({ name }: Meter) => name },
  { id: "id", title: "Id", width: 140, cell: ({ id }: Meter) => String(id) },
];
type Props = ComponentProps<typeof Grid<Meter>>;
const aGrid = (more: Partial<Props> = {}) => (
  <Grid
    label="Meters"
    columns={columns}
    shown={["name", "id"]}
    rows={meters}
    rowKey={({ id }) => String(id)}
    status="ready"
    empty="None"
    phoneRow={({ name }) => name}
    {...more}
  />
);
const rowOf = (name: string) => {
  const cell = [...document.querySelectorAll<HTMLElement>("td")].find((each) => each.textContent === name);
  if (!cell) throw new Error(`no row "${name}"`);
  return cell;
};

const heads = () =>
  [...document.querySelectorAll("thead th")].map((each) => [
    each.textContent,
    each.getAttribute("colspan") ?? "1",
    each.getAttribute("rowspan") ?? "1",
  ]);

describe("headings", () => {
  it("show a shared part once, and name each column by its whole title", async () => {
    const energy = (id: string, own: string) => ({
      id,
      title: `Energy, ${own}, kWh`,
      heading: { shared: "Energy, kWh", own },
      width: 110,
      cell: () => "1",
    });
    const grouped = [...columns.slice(0, 1), energy("total", "total"), energy("night", "tariff 2")];

    await draw(aGrid({ columns: grouped, shown: grouped.map(({ id }) => id) }));

    expect(heads()).toEqual([
      ["Name", "1", "2"],
      ["Energy, kWh", "2", "1"],
      ["total", "1", "1"],
      ["tariff 2", "1", "1"],
    ]);
    const called = [...document.querySelectorAll("[role=columnheader]")].map(
      (each) => each.getAttribute("aria-label") ?? each.textContent,
    );
    expect(called).toEqual(["Name", "Energy, total, kWh", "Energy, tariff 2, kWh"]);
  });

  it("are in one row if nothing is shared", async () => {
    await draw(aGrid());

    expect(heads()).toEqual([
      ["Name", "1", "1"],
      ["Id", "1", "1"],
    ]);
  });
});

describe("a table", () => {
  it("keeps the status at its edge with any number of columns", async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      id: `v${String(at)}`,
      title: `Value ${String(at)}`,
      width: 130,
      cell: () => "1",
    }));
    const status = { id: "status", title: "Status", width: 190, isEnd: true, cell: () => "Received" };
    const all = [...columns.slice(0, 1), ...many, status];
    await draw(aGrid({ columns: all, shown: all.map(({ id }) => id) }));

    const edges = [...document.querySelectorAll(".is-end")].map((each) => each.textContent);
    const css = readFileSync(`${import.meta.dirname}/grid.css`, "utf8");
    const ruleOf = (selector: string) =>
      css
        .slice(css.indexOf(`${selector} {`))
        .split("}")[0]
        ?.replaceAll(/\s+/g, " ");

    expect(edges).toEqual(["Status", "Received", "Received"]);
    expect(ruleOf(".grid .is-end")).toContain("right: 0;");
    expect(ruleOf("[data-wide] td:is(.is-sticky, .is-end, .grid-check)")).toContain("position: sticky;");
  });

  it("pins cells only while it is wider than its frame", async () => {
    let changed: () => void = () => undefined;
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(listener: () => void) {
          changed = listener;
        }
        observe() {}
        disconnect() {}
      },
    );
    await draw(aGrid());
    const scroller = document.querySelector(".grid-scroll");
    const isWideAt = (table: number) => {
      Object.defineProperties(scroller, {
        clientWidth: { value: 1200, configurable: true },
        scrollWidth: { value: table, configurable: true },
      });
      changed();
      return scroller?.hasAttribute("data-wide");
    };

    expect([isWideAt(1200), isWideAt(1201), isWideAt(1200)]).toEqual([false, true, false]);
  });

  it("UI-028: a click expands a row, another collapses it; others stay as they are", async () => {
    await draw(aGrid({ expand: ({ name }) => `inside ${name}` }));

    await click(rowOf("Boiler"));
    expect([says("inside Boiler"), says("inside Gate")]).toEqual([true, false]);
    await click(rowOf("Gate"));
    expect([says("inside Boiler"), says("inside Gate")]).toEqual([true, true]);
    await click(rowOf("Boiler"));
    expect([says("inside Boiler"), says("inside Gate")]).toEqual([false, true]);
  });

  it.each([
    [1, "1 – 11 of 36"],
    [2, "12 – 21 of 36"],
    [4, "32 – 36 of 36"],
  ])("UI-029: the root of a tree counts on page %d of the footer", async (page, words) => {
    const paging = { page, size: 10, total: 35, rowsAbove: 1, onPage: vi.fn(), onSize: vi.fn() };
    await draw(aGrid({ paging }));

    expect(document.querySelector(".grid-foot")?.textContent).toContain(words);
  });

  it("UI-029: the footer shows the visible range, turns pages and has a note", async () => {
    const onPage = vi.fn();
    const onSize = vi.fn();
    await draw(
      aGrid({ paging: { page: 2, size: 10, total: 35, onPage, onSize }, footNote: "35 in the company" }),
    );

    const foot = document.querySelector(".grid-foot");
    expect(foot?.textContent).toContain("11 – 20 of 35");
    expect(foot?.textContent).toContain("35 in the company");
    await click(button("Next page"));
    await click(button("Previous page"));
    const sizes = await found(() => foot?.querySelector("select"));
    await type(sizes, "25");

    expect(onPage.mock.calls).toEqual([[3], [1]]);
    expect(onSize).toHaveBeenCalledWith(25);
  });

  it("UI-036: a column is resized by dragging, never to 100 px or less", async () => {
    const onWidths = vi.fn();
    await draw(aGrid({ onWidths }));
    const handle = await found(() => document.querySelector('[aria-label="Width of column: Id"]'));
    const drag = async (by: number) => {
      const move = (name: string, clientX: number) =>
        act(async () => {
          handle.dispatchEvent(new PointerEvent(name, { bubbles: true, clientX, pointerId: 1 }));
          await Promise.resolve();
        });
      await move("pointerdown", 500);
      await move("pointermove", 500 + by);
      await move("pointerup", 500 + by);
    };

    await drag(60);
    expect(onWidths).toHaveBeenLastCalledWith({ id: 200 });
    await drag(-400);
    expect(document.querySelectorAll("col")[1]?.style.width).toBe("101px");
  });

  it("UI-069: a failed load shows the reason and a retry in place of the rows; loaded rows stay", async () => {
    const onRetry = vi.fn();
    const failed = { status: "error", error: "The server is away", onRetry } as const;
    function Loads() {
      const [isEmpty, setEmpty] = useState(true);
      return (
        <>
          {aGrid({ ...failed, rows: isEmpty ? [] : meters })}
          <button type="button" onClick={() => setEmpty(false)}>
            {"rows"}
          </button>
        </>
      );
    }
    await draw(<Loads />);

    expect(document.querySelector("[role=alert]")?.textContent).toContain("The server is away");
    await click(button("Retry"));
    expect(onRetry).toHaveBeenCalledOnce();
    await click(button("rows"));
    expect([says("Boiler"), document.querySelector("[role=alert]")]).toEqual([true, null]);
  });

  it("GENERAL-027: the button of the columns opens their choice, and a tick shows or hides one", async () => {
    const onShown = vi.fn();
    await draw(<ColumnChooser columns={columns} shown={["name", "id"]} onShown={onShown} />);

    expect(document.querySelector("input")).toBeNull();
    await click(button("Columns"));
    await click(await found(() => document.querySelector<HTMLInputElement>("li:last-child input")));

    expect(onShown).toHaveBeenCalledWith(["name"]);
  });
});

it("UI-033: values of a column filter are found by a part of the title, ignoring case", async () => {
  const options = Array.from({ length: 12 }, (_, at) => ({
    id: String(at),
    title: at === 7 ? "Mercury 230" : `Pulsar ${String(at)}`,
  }));
  const chip = { id: "model", title: "Model", options };
  await draw(<ChipOptions chip={chip} values={[]} onValues={() => undefined} onBack={() => undefined} />);
  const listed = () => [...document.querySelectorAll("li")].map((each) => each.textContent);
  expect(listed()).toHaveLength(12);

  await type(field("Find a value"), "CURY");

  expect(listed()).toEqual(["Mercury 230"]);
});
