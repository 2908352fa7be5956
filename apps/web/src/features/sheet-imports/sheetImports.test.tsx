// @vitest-environment happy-dom
import type { ImportedRow, SheetField, SheetImport } from "@metrum/contract/metering";
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { ImportPage } from "./ImportPage.tsx";
import { ImportsPage } from "./ImportsPage.tsx";
import type { Reason } from "./imports.ts";

useScreen("sheetImports", "devices", "grid");
beforeEach(() => startSession("token"));
afterEach(() => {
  vi.restoreAllMocks();
  location.hash = "";
});

const anImport = (more: Partial<SheetImport> = {}): SheetImport => ({
  id: 17,
  kind: "devices",
  file_name: "meters.xlsx",
  user_name: "N",
  state: "rehearsed",
  headers: ["Number", "Gateway", "Floor", "back"],
  mapping: ["deviceID", "gateway", null, "name"],
  row_count: 20_000,
  done_count: 20_000,
  counts: { made: 18_432, changed: 1_268, same: 0, refused: 300 },
  created_at: 1_793_491_200,
  ran_at: null,
  undone_at: null,
  kept_until: 1_796_083_200,
  ...more,
});
const done = { state: "done", ran_at: 1_793_491_500 } as const;

const fields: SheetField[] = [
  { field: "deviceID", title: "Number", is_key: true, is_needed: true, example: "88402" },
  { field: "model", title: "Model", is_key: false, is_needed: true, example: "CE308" },
  { field: "gateway", title: "Gateway", is_key: false, is_needed: false, example: "GW-0117" },
  { field: "name", title: "Name", is_key: false, is_needed: false, example: "Flat 31" },
];
const none = [null, null, null, null];
const rows: ImportedRow[] = [
  {
    row: 4103,
    outcome: "refused",
    cells: ["0121879", "GW-1017", 3, "Flat 3"],
    faults: [{ column: 1, code: "unknown_gateway", text: "there is no such gateway" }],
    reason: "Gateway: there is no such gateway",
    before: none,
  },
  {
    row: 4104,
    outcome: "changed",
    cells: ["0117742", "GW-0119", 4],
    faults: [],
    reason: "",
    before: [null, "GW-0117", null, null],
  },
];
const reasons: Reason[] = [
  { column: 1, code: "unknown_gateway", text: "Gateway: there is no such gateway", count: 121 },
  { column: null, code: "device_limit_reached", text: "No more devices are licensed", count: 84 },
];
const page = (data: unknown[], total = data.length) => ({
  ...{ data, current_page: 1, last_page: 1, per_page: 100, total },
});

/** A server with an import; returns its requests. */
async function serve(
  imported: () => SheetImport,
  more: Readonly<Record<string, () => Response>> = {},
  access = anAccess("admin"),
) {
  const requests = stubServer({
    ...asUser(access),
    "device/sheet/list": () => answer({ imports: [imported()] }),
    "device/sheet/template": () => answer({ fields, examples: page([rows[0]]) }),
    "device/sheet/get": () => answer({ import: imported(), reasons }),
    "device/sheet/rows": () => answer({ rows: page(rows, 20_000) }),
    "device/sheet/upload": () => answer({ import: imported() }),
    "device/sheet/rehearse": () => answer({ import: imported() }),
    "device/sheet/run": () => answer({ import: imported() }),
    "device/sheet/undo": () => answer({ import: imported() }),
    ...more,
  });
  await loadSession();
  return requests;
}
const callsOf = (requests: readonly Request[], path: string) =>
  requests.filter(({ url }) => url.endsWith(`/api/device/sheet/${path}`));
const sent = async (requests: readonly Request[], path: string): Promise<unknown> => {
  const request = await found(() => callsOf(requests, path).at(-1));
  return (await request.clone().json()) as unknown;
};
const item = (name: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find((each) => each.textContent === name),
  );
const aFile = (size?: number) => {
  const file = new File(["Number\n1\n"], "meters.csv");
  if (size !== undefined) Object.defineProperty(file, "size", { value: size });
  return file;
};
const dropped = (file: File) =>
  act(async () => {
    const event = Object.assign(new Event("drop", { bubbles: true, cancelable: true }), {
      dataTransfer: { files: [file] },
    });
    document.querySelector(".sheets-drop")?.dispatchEvent(event);
    await Promise.resolve();
  });
const chosen = (file: File) =>
  act(async () => {
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    if (!input) throw new Error("no file input");
    Object.defineProperty(input, "files", { configurable: true, value: [file] });
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await Promise.resolve();
  });

describe("DEV-034 the file of an import", () => {
  it("TREE-017 is of objects for a user without rights on devices, on no page above them", async () => {
    const group = {
      id: 1,
      name: "g",
      access_rules: { create: [6], read: [6], update: [], delete: [], access_all: [] },
    };
    const access = anAccess([6], { access_group: group });
    const requests = await serve(() => anImport({ state: "uploaded" }), {}, access);
    await draw(<ImportsPage />);
    await found(() => says("Columns that are understood"));

    expect([...document.querySelectorAll("[name=kind]")]).toHaveLength(1);
    expect([...document.querySelectorAll("nav a")].map((each) => each.getAttribute("href"))).toEqual([
      "#/cloud/objects",
    ]);
    await chosen(aFile());
    const [request] = await found(() =>
      callsOf(requests, "upload").length > 0 ? callsOf(requests, "upload") : null,
    );
    expect((await request?.clone().formData())?.get("kind")).toBe("objects");
  });

  it("is chosen or dropped, for the kind in the address, and opens its import", async () => {
    const requests = await serve(() => anImport({ state: "uploaded" }));
    await draw(<ImportsPage />);
    await found(() => says("Columns that are understood"));

    await click(field("Gateways"));
    await dropped(aFile());
    const [request] = await found(() =>
      callsOf(requests, "upload").length > 0 ? callsOf(requests, "upload") : null,
    );
    const form = await request?.clone().formData();

    expect(form?.get("kind")).toBe("gateways");
    expect(form?.get("file_name")).toBe("meters.csv");
    await found(() => location.hash === "#/cloud/devices/import/17");
    location.hash = "";
    await chosen(aFile());
    await found(() => location.hash === "#/cloud/devices/import/17");
    expect(callsOf(requests, "upload")).toHaveLength(2);
  });

  it("is refused with its reason where it was dropped; one that is too large is not sent", async () => {
    const requests = await serve(() => anImport(), {
      "device/sheet/upload": () =>
        refusal(422, "sheet_refused", "Refused", { file: ["It contains macros."] }),
    });
    await draw(<ImportsPage />);
    await found(() => says("Columns that are understood"));

    await dropped(aFile(21 * 1024 * 1024));
    await found(() => says("The file is larger than 20 MiB."));
    expect(callsOf(requests, "upload")).toHaveLength(0);
    await dropped(aFile());

    await found(() => says("It contains macros."));
    expect(says("larger than")).toBe(false);
  });

  it("XLS-016 a template with the columns of the kind is saved, with one example", async () => {
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const requests = await serve(() => anImport());
    await draw(<ImportsPage />);
    await found(() => says("e.g. GW-0117"));

    await click(button("Template"));
    await click(await item("Excel (.xlsx)"));
    await found(() => says("Saved:"));

    expect(await sent(requests, "template")).toMatchObject({
      kind: "devices",
      file: {
        format: "xlsx",
        title: "Import, Metering devices",
        columns: [
          { title: "Number", of: ["cells.0"] },
          { title: "Model", of: ["cells.1"] },
          { title: "Gateway", of: ["cells.2"] },
          { title: "Name", of: ["cells.3"] },
        ],
      },
    });
  });

  it("earlier imports are listed with their state and numbers", async () => {
    await serve(() => anImport(done));
    await draw(<ImportsPage />);

    await found(() => says("meters.xlsx"));

    expect(says("Imported")).toBe(true);
    expect(says(/18.432/)).toBe(true);
  });

  it("without any, and when the columns fail, the page says so", async () => {
    await serve(() => anImport(), {
      "device/sheet/list": () => answer({ imports: [] }),
      "device/sheet/template": () => refusal(500, "internal", "The server has failed"),
    });
    await draw(<ImportsPage />);

    await found(() => says("No imports yet."));
    await found(() => says("The columns could not be loaded") && says("The server has failed"));
  });
});

describe("DEV-034 the columns of an import", () => {
  const uploaded = () =>
    anImport({ state: "uploaded", counts: { made: 0, changed: 0, same: 0, refused: 0 } });

  it("are guessed, shown with their first values, and sent as they were changed", async () => {
    const requests = await serve(uploaded);
    await draw(<ImportPage id={17} />);
    await found(() => says("0121879 · 0117742"));
    expect(field("What is the column Number").value).toBe("deviceID");
    expect(field("What is the column Floor").value).toBe("");
    expect(says("Not in the file: Model.")).toBe(true);

    await type(field("What is the column Floor"), "model");
    expect(says("Not in the file")).toBe(false);
    await click(button("Check all rows"));

    expect(await sent(requests, "rehearse")).toEqual({
      id: 17,
      mapping: ["deviceID", "gateway", "model", "name"],
    });
  });

  it("a field in two columns, or no column with the key, is said before anything is sent", async () => {
    const requests = await serve(uploaded);
    await draw(<ImportPage id={17} />);
    await found(() => says("0121879 · 0117742"));

    await type(field("What is the column Number"), "name");
    await click(button("Check all rows"));

    expect(faultAt(field("What is the column back"))).toBe("Another column is this already.");
    expect(faultAt(field("What is the column Floor"))).toBe("One column must be this one: Number.");
    expect(callsOf(requests, "rehearse")).toHaveLength(0);
  });

  it("can be changed again after the rehearsal", async () => {
    await serve(() => anImport());
    const router = await draw(<ImportPage id={17} />);
    await found(() => says("Why rows are refused"));

    await act(() => router.navigate({ to: ".", search: { step: "columns" } as never }));

    await found(() => field("What is the column Gateway").value === "gateway");
  });
});

describe("XLS-012 the rehearsal of an import", () => {
  it("says how many rows are made, changed and refused, and why, and marks the wrong cell", async () => {
    await serve(() => anImport());
    await draw(<ImportPage id={17} />);
    await found(() => document.querySelector(".sheets-wrong"));

    for (const number of [/18.432Will be created/, /1.268Will be changed/, /300Refused/])
      expect(says(number), String(number)).toBe(true);
    expect(document.querySelector(".sheets-wrong")?.textContent).toBe("GW-1017");
    expect(document.querySelector("del")?.textContent).toBe("GW-0117");
    expect(document.querySelector("ins")?.textContent).toBe("GW-0119");
    expect(says("Gateway: there is no such gateway")).toBe(true);
    expect(says("4103")).toBe(true);
    const heads = [...document.querySelectorAll("[role=columnheader]")].map(({ textContent }) => textContent);
    expect(heads, "the ignored column is not shown, a heading that is a key of texts as it is").toEqual([
      "Row",
      "Outcome",
      "Reason",
      "Number",
      "Gateway",
      "back",
    ]);
    expect(document.querySelector(".is-end"), "no column lies over those of the file").toBeNull();
  });

  it("rows are filtered by outcome and by reason", async () => {
    const requests = await serve(() => anImport());
    await draw(<ImportPage id={17} />);
    await found(() => says("Why rows are refused"));

    await click(field("Refused 300"));
    await expect.poll(() => sent(requests, "rows")).toMatchObject({ outcome: "refused" });
    await click(button("Gateway: there is no such gateway121"));
    await expect
      .poll(() => sent(requests, "rows"))
      .toMatchObject({ outcome: "refused", code: "unknown_gateway", column: 1 });
    await click(button("No more devices are licensed84"));

    await expect
      .poll(() => sent(requests, "rows"))
      .toMatchObject({ code: "device_limit_reached", column: null });
  });

  it("XLS-013 the refused rows are saved with all their columns and the reason", async () => {
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const requests = await serve(() => anImport());
    await draw(<ImportPage id={17} />);
    await found(() => says("Why rows are refused"));

    await click(button("Download refused rows"));
    await click(await item("CSV"));
    await found(() => says("Saved:"));

    expect(await sent(requests, "rows")).toMatchObject({
      id: 17,
      outcome: "refused",
      file: {
        format: "csv",
        columns: [
          { title: "Number", of: ["cells.0"] },
          { title: "Gateway", of: ["cells.1"] },
          { title: "Floor", of: ["cells.2"] },
          { title: "back", of: ["cells.3"] },
          { title: "Reason", of: ["reason"] },
        ],
      },
    });
  });

  it("shows its progress, and its rows when it has ended", async () => {
    let done_count = 4_000;
    await serve(() =>
      anImport(done_count < 20_000 ? { state: "rehearsing", done_count } : { state: "rehearsed" }),
    );
    await draw(<ImportPage id={17} />);
    await found(() => document.querySelector("progress")?.value === 4_000);
    expect(says(/4.000 of 20.000 rows/)).toBe(true);

    done_count = 20_000;

    await found(() => says("Why rows are refused"));
  });

  it("that changes nothing cannot be run", async () => {
    await serve(() => anImport({ counts: { made: 0, changed: 0, same: 19_700, refused: 300 } }));
    await draw(<ImportPage id={17} />);

    await found(() => says("There is nothing to import"));

    expect(button("Import 0 rows").disabled).toBe(true);
  });
});

describe("DEV-034 the run of an import and its undoing", () => {
  it("begins with the number of rows on its button and ends with a result", async () => {
    let state: Partial<SheetImport> = {};
    const requests = await serve(() => anImport(state), {
      "device/sheet/run": () => {
        state = { state: "running", done_count: 7_000 };
        return answer({ import: anImport(state) });
      },
    });
    await draw(<ImportPage id={17} />);
    await found(() => says("Why rows are refused"));

    await click(button("Import 19 700 rows"));
    await found(() => document.querySelector("progress")?.value === 7_000);
    expect(await sent(requests, "run")).toEqual({ id: 17 });
    state = done;

    await found(() => says(/Imported .*Can be undone until/));
    expect(says("Created")).toBe(true);
  });

  it("is undone after a question", async () => {
    let state: Partial<SheetImport> = done;
    const requests = await serve(() => anImport(state), {
      "device/sheet/undo": () => {
        state = { ...done, state: "undone", undone_at: 1_793_499_000 };
        return answer({ import: anImport(state) });
      },
    });
    await draw(<ImportPage id={17} />);
    await found(() => says("Show devices"));

    await click(button("Undo import"));
    await found(() => says("Undo the whole import?"));
    await click(button("Undo import"));

    expect(await sent(requests, "undo")).toEqual({ id: 17 });
    await found(() => says("everything is as it was before"));
    const cards = [...document.querySelectorAll(".sheets-count")].map((each) => each.textContent);
    expect(cards[0]).toContain("Removed again");
    expect(cards[1]).toContain("Put back");
    expect(says("Created")).toBe(false);
  });

  it("lists what was changed since if that prevents the undoing", async () => {
    await serve(() => anImport(done), {
      "device/sheet/undo": () =>
        refusal(409, "sheet_changed_since", "2 of them were changed since", {
          17: ["Flat 31 (88402): changed since"],
          21: ["Flat 35 (88406): has readings"],
        }),
    });
    await draw(<ImportPage id={17} />);
    await found(() => says("Show devices"));

    await click(button("Undo import"));
    await found(() => says("Undo the whole import?"));
    await click(button("Undo import"));

    await found(() => says("2 of them were changed since"));
    expect(says("row 17 Flat 31 (88402): changed since")).toBe(true);
    expect(says("row 21 Flat 35 (88406): has readings")).toBe(true);
  });

  it("continues after it has been cut off", async () => {
    const requests = await serve(() =>
      anImport({ state: "interrupted", ran_at: 1_793_491_500, done_count: 7_000 }),
    );
    await draw(<ImportPage id={17} />);
    await found(() => says(/Stopped after 7.000 of 20.000 rows/));

    await click(button("Continue"));

    expect(await sent(requests, "run")).toEqual({ id: 17 });
  });

  it("cannot be undone without the right to remove", async () => {
    const rules = { create: [4], read: [4], update: [4], delete: [], access_all: [] };
    const access = anAccess([4], { access_group: { id: 1, name: "g", access_rules: rules } });
    await serve(() => anImport(done), {}, access);
    await draw(<ImportPage id={17} />);

    await found(() => says("Show devices"));

    expect(says("Undo import")).toBe(false);
  });

  it("that is gone, or cannot be loaded, says so", async () => {
    await serve(() => anImport(), { "device/sheet/get": () => refusal(404, "not_found", "Not found") });
    await draw(<ImportPage id={17} />);

    await found(() => says("There is no such import any more."));
  });
});
