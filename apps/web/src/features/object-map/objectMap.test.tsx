// @vitest-environment happy-dom
import type { MapCluster, MapObject } from "@metrum/contract/accounting";
import { act } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { click, draw, found, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { MapPage } from "./MapPage.tsx";
import { besideOf } from "./marks.ts";
import { niceBelow, rectangleOf, toDegrees, toPlane, viewportOf, zoomedAt } from "./plane.ts";

useScreen("objectMap", "objectTabs", "grid");
const size = { width: 800, height: 600 };
beforeEach(() => {
  startSession("token");
  // Without a layout every element has the size of the map.
  for (const [name, value] of [
    ["clientWidth", size.width],
    ["clientHeight", size.height],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
});

const cluster: MapCluster = {
  key: "1:1",
  coordinates: [49.5, 105.9],
  bounds: { south: 49.4, west: 105.8, north: 49.6, east: 106 },
  count: 1240,
  counts: { silent: 3, partly: 10, ok: 1227, none: 0 },
  state: "silent",
};
const twins: MapCluster = {
  ...cluster,
  key: "2:2",
  coordinates: [49.2, 105.2],
  bounds: { south: 49.2, west: 105.2, north: 49.2, east: 105.2 },
  count: 2,
  counts: { silent: 0, partly: 0, ok: 2, none: 0 },
  state: "ok",
};
const house: MapObject = {
  _id: "7",
  name: "House 7",
  type: "house",
  address: "Sukhbaatar 7",
  coordinates: [49.3, 105.6],
  devices: 12,
  silent: 2,
  state: "partly",
};

async function serve(more: object = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "objects/map/start": () =>
      answer({
        bounds: { south: 49, west: 105, north: 50, east: 106 },
        total: 1243,
        without: 4,
        tiles_url: null,
        tiles_attribution: "",
        ...more,
      }),
    "objects/map/view": () =>
      answer({
        total: 1243,
        counts: { silent: 3, partly: 11, ok: 1229, none: 0 },
        clusters: [cluster, twins],
        objects: [house],
        stations: [
          { id: 3, name: "BS-3", coordinates: [49.4, 105.5], radius: 4000, is_active: true, devices: 81 },
        ],
        names: [{ text: "Darkhan", coordinates: [49.45, 105.9] }],
      }),
    "objects/map/list": () => answer({ objects: pageOf([house]) }),
  });
  await loadSession();
  return requests;
}

const bodies = async (requests: readonly Request[], path: string): Promise<Record<string, unknown>[]> =>
  Promise.all(
    requests
      .filter(({ url }) => url.endsWith(`/api/${path}`))
      .map(async (each) => (await each.clone().json()) as Record<string, unknown>),
  );
const mark = (label: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=button]")].find((each) =>
      each.getAttribute("aria-label")?.startsWith(label),
    ),
  );

/** Elements of a drawing have no method click. */
const press = (element: Element) =>
  act(() => element.dispatchEvent(new MouseEvent("click", { bubbles: true })));

describe("the map of objects", () => {
  it("DASH-006 TREE-022: opens where the objects are, with clusters, objects, places, and the list beside it", async () => {
    const requests = await serve();
    await draw(<MapPage />);

    expect((await mark("1\u00a0240 objects")).getAttribute("aria-label")).toMatch(
      /all silent in 3, some in 10/,
    );
    expect((await mark("House 7")).getAttribute("aria-label")).toBe("House 7: Some silent");
    expect(document.querySelector(".map-name")?.textContent).toBe("Darkhan");
    expect(document.querySelector(".map-side")?.textContent).toMatch(
      /House 7.*Sukhbaatar 7.*12 devices.*2 silent/,
    );
    const [first] = await bodies(requests, "objects/map/view");
    expect(Number(first?.["south"])).toBeLessThan(49);
    expect(Number(first?.["north"])).toBeGreaterThan(50);
    const [list] = await bodies(requests, "objects/map/list");
    expect([list?.["south"], list?.["east"]]).toEqual([first?.["south"], first?.["east"]]);
  });

  it("DASH-007: a cluster opens nearer, one at a single place is listed beside the map", async () => {
    const requests = await serve();
    await draw(<MapPage />);
    const large = await mark("1\u00a0240 objects");
    const [before] = await bodies(requests, "objects/map/view");

    await press(large);
    await found(() => requests.filter(({ url }) => url.endsWith("objects/map/view")).length > 1);
    const after = (await bodies(requests, "objects/map/view")).at(-1);
    await press(await mark("2 objects"));
    await found(() => requests.filter(({ url }) => url.endsWith("objects/map/list")).length > 2);

    expect(Number(after?.["zoom"])).toBeGreaterThan(Number(before?.["zoom"]));
    expect((await bodies(requests, "objects/map/list")).at(-1)).toMatchObject(twins.bounds);
  });

  it("BS-006: base stations show with a circle of their radius", async () => {
    await serve();
    await draw(<MapPage />);

    const circle = await found(() => document.querySelector(".map-station circle"));

    expect(document.querySelector(".map-station title")?.textContent).toBe("Base station BS-3, 81 devices");
    expect(Number(circle.getAttribute("r"))).toBeGreaterThan(5);
  });

  it("DASH-007: works without tiles on a plain grid", async () => {
    await serve();
    await draw(<MapPage />);
    await found(() => document.querySelector(".map-grid line"));
    expect(document.querySelector(".map-tiles")).toBeNull();
  });

  it("DASH-007: shows the tiles of the operator, and whose they are", async () => {
    await serve({ tiles_url: "https://tiles.example/{z}/{x}/{y}.png", tiles_attribution: "Tiles Example" });
    await draw(<MapPage />);
    const tile = await found(() => document.querySelector(".map-tiles image"));

    expect(tile.getAttribute("href")).toMatch(/^https:\/\/tiles\.example\/\d+\/\d+\/\d+\.png$/);
    expect(document.querySelector(".map-attribution")?.textContent).toBe("Tiles Example");
  });

  it("TREE-022: moves and zooms by keys, and filters by state", async () => {
    const requests = await serve();
    await draw(<MapPage />);
    const area = await found(() => document.querySelector<HTMLElement>(".map-area"));
    await mark("House 7");
    const key = (name: string) =>
      act(() => area.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })));

    await key("+");
    await found(() => requests.filter(({ url }) => url.endsWith("objects/map/view")).length > 1);
    const [first, nearer] = await bodies(requests, "objects/map/view");
    const chip = await found(() =>
      [...document.querySelectorAll<HTMLElement>(".map-chip")].find(({ textContent }) =>
        textContent.includes("All silent"),
      ),
    );
    await click(chip);
    await found(async () => (await bodies(requests, "objects/map/view")).some((body) => "states" in body));

    expect(Number(nearer?.["zoom"])).toBeCloseTo(Number(first?.["zoom"]) + 1, 1);
    expect((await bodies(requests, "objects/map/view")).at(-1)).toMatchObject({ states: ["silent"] });
  });

  it("UI-070 TREE-022: the map is one stop of the Tab key; Enter goes to its objects, Escape back", async () => {
    await serve();
    await draw(<MapPage />);
    const area = await found(() => document.querySelector<HTMLElement>(".map-area"));
    await mark("House 7");
    const key = (target: Element | null, name: string) =>
      act(() => target?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })));
    const marks = [...document.querySelectorAll("svg [role=button]")];
    expect(marks.map((each) => each.getAttribute("tabindex"))).toEqual(["-1", "-1", "-1"]);

    area.focus();
    await key(area, "Enter");
    expect(marks).toContain(document.activeElement);
    await key(document.activeElement, "Escape");
    expect(document.activeElement).toBe(area);

    // A cluster that comes apart leaves the focus to the map.
    (await mark("1")).focus();
    await key(document.activeElement, "Enter");
    expect(document.activeElement).toBe(area);
  });

  it("UI-070: an arrow key goes from an object to the nearest one on that side", () => {
    const points = [
      { x: 0, y: 0 },
      { x: 30, y: 5 },
      { x: 10, y: 40 },
      { x: 90, y: 0 },
    ];
    const from = { x: 0, y: 0 };

    expect(besideOf(points, from, [1, 0])).toBe(points[1]);
    expect(besideOf(points, from, [0, 1])).toBe(points[2]);
    expect(besideOf(points, from, [-1, 0])).toBeUndefined();
  });
});

describe("the plane", () => {
  it("DASH-007: degrees and back, a rectangle fits, zooming keeps the point under the pointer", () => {
    const [latitude, longitude] = toDegrees(toPlane([49.4669, 105.9621]));
    const view = viewportOf({ south: 49, west: 105, north: 50, east: 106 }, size);
    const seen = rectangleOf(view, size);
    const at = { x: 100, y: 500 };
    const under = (each: typeof view) => [
      each.x + (at.x - 400) / (256 * 2 ** each.zoom),
      each.y + (at.y - 300) / (256 * 2 ** each.zoom),
    ];
    const zoomed = zoomedAt(view, 2, at, size);

    expect([latitude, longitude]).toEqual([expect.closeTo(49.4669, 9), expect.closeTo(105.9621, 9)]);
    expect(seen.south < 49 && seen.north > 50 && seen.west < 105 && seen.east > 106).toBe(true);
    expect(under(zoomed).map((each, n) => each - (under(view)[n] ?? 0))).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(0, 9),
    ]);
    expect([niceBelow(7.3), niceBelow(0.03), niceBelow(199)]).toEqual([5, 0.02, 100]);
  });
});
