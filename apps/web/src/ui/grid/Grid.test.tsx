// @vitest-environment happy-dom
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadTexts, startI18n } from "#lib/i18n";
import { Grid } from "./Grid.tsx";
import type { GridBulk, GridPaging } from "./GridFooter.tsx";

interface Meter {
  readonly id: number;
  readonly value: number;
}

const meters: readonly Meter[] = Array.from({ length: 50 }, (_, id) => ({ id, value: 0 }));
const refreshed = (rows: readonly Meter[], id: number): readonly Meter[] =>
  rows.map((row) => (row.id === id ? { ...row, value: row.value + 1 } : row));

let painted: number[];
/** Positions that the table has read from its rows: each element of a row reads its own. */
let read: number[];
const watched = (rows: readonly Meter[]): readonly Meter[] =>
  new Proxy(rows, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) read.push(Number(name));
      return Reflect.get(target, name) as unknown;
    },
  });
let root: Root;
const value = ({ id, value: shown }: Meter): ReactNode => {
  painted.push(id);
  return shown;
};
const columns = [{ id: "value", title: "Value", width: 120, cell: value }];
const shown = ["value"];
const rowKey = ({ id }: Meter) => String(id);
const bulk: GridBulk = (keys, _, whole) => (
  <button onClick={whole.toggle}>{`${String(keys.length)} of 300`}</button>
);

let paged: { paging?: GridPaging } = {};
function paint(rows: readonly Meter[]): void {
  [painted, read] = [[], []];
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
        {...paged}
      />,
    ),
  );
}

beforeEach(async () => {
  paged = {};
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  await startI18n();
  await loadTexts("grid");
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const screens = [
  ["a table", false],
  ["a phone", true],
] as const;
const stubScreen = (isPhone: boolean) =>
  vi.stubGlobal("matchMedia", () => ({
    matches: isPhone,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));

describe("an update of one row", () => {
  it.each(screens)("repaints only that row on %s", (_, isPhone) => {
    stubScreen(isPhone);
    paint(meters);
    expect(painted).toHaveLength(50);

    paint(refreshed(meters, 7));

    expect(painted).toEqual([7]);
  });
});

const tick = (at: string) =>
  act(() => {
    document.querySelector<HTMLElement>(at)?.click();
  });
const marked = () => document.querySelectorAll("tr[aria-selected='true']").length;
const foot = () => document.querySelector(".grid-bulk strong")?.textContent;

describe("the selection of all rows of the list", () => {
  it("DEV-005 marks every row and says their number, those of other pages included; a row ends it", () => {
    stubScreen(false);
    paged = { paging: { page: 1, size: 50, total: 300, onPage: () => undefined, onSize: () => undefined } };
    paint(meters);
    tick("tr[data-index='3'] input");
    expect([marked(), foot()]).toEqual([1, "Выбрана 1"]);

    tick(".grid-bulk button");
    expect([marked(), foot()]).toEqual([50, "Выбрано 300"]);
    tick(".grid-bulk button");
    expect([marked(), foot()]).toEqual([1, "Выбрана 1"]);

    tick(".grid-bulk button");
    tick("tr[data-index='5'] input");
    expect([marked(), foot()]).toEqual([49, "Выбрано 49"]);
  });
});

const press = (code: string, key: string) =>
  act(() => {
    const pressed = new KeyboardEvent("keydown", { code, key, bubbles: true });
    document.querySelector("tr[data-index='0']")?.dispatchEvent(pressed);
  });
const stops = () =>
  [...document.querySelectorAll("tr[tabindex='0']")].map((row) => row.getAttribute("data-index"));

describe("a move of the cursor", () => {
  it.each(screens)("renders only the row left and the row entered on %s", (_, isPhone) => {
    stubScreen(isPhone);
    paint(watched(meters));
    press("KeyJ", "j");
    expect(stops()).toEqual(["1"]);
    [painted, read] = [[], []];

    press("KeyJ", "j");

    expect(stops()).toEqual(["2"]);
    expect(painted).toEqual([1, 2]);
    // The row of the pressed key; the list itself is not rendered.
    expect(read).toEqual([1]);
  });
});

const point = (name: "pointerover" | "pointerout") =>
  act(() => {
    document.querySelector("tbody")?.dispatchEvent(new PointerEvent(name, { bubbles: true }));
  });
const listed = () => document.querySelectorAll("tbody tr").length;
const offer = () => document.querySelector<HTMLElement>(".grid-new");

describe("the pointer over the rows", () => {
  beforeEach(() => {
    stubScreen(false);
    paint(watched(meters.slice(1)));
    read = [];
  });

  it("renders nothing while no rows arrive", () => {
    point("pointerover");
    point("pointerout");

    expect(read).toEqual([]);
  });

  it("withholds new rows until it leaves", () => {
    point("pointerover");
    paint(meters);
    expect([listed(), offer()?.textContent]).toEqual([49, expect.stringContaining("1")]);

    point("pointerout");

    expect([listed(), offer()]).toEqual([50, null]);
  });

  it("withholds new rows until they are requested", () => {
    point("pointerover");
    paint(meters);

    act(() => offer()?.click());

    expect([listed(), offer()]).toEqual([50, null]);
  });
});
