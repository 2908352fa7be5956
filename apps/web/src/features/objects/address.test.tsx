// @vitest-environment happy-dom
import type { addresses } from "@metrum/contract/accounting";
import type { AddressSuggestion, TreeObject } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { draw, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { NodeDialog } from "./NodeDialog.tsx";

useScreen("objects");
beforeEach(() => startSession("token"));

const own: AddressSuggestion = {
  unrestricted_value: "Darkhan, Sukhbaatar 14",
  city: "Darkhan",
  street: "Sukhbaatar",
  house: "14",
  coordinates: [49.4669, 105.9621],
  source: "own",
};
const ofService: AddressSuggestion = {
  country: "Mongolia",
  city: "Erdenet",
  street: "Sukhbaatar",
  source: "service",
};

const counts = { devices: 0, gateways: 0, base_stations: 0, points: 0 };
const aNode = (more: Partial<TreeObject> = {}): TreeObject => ({
  ...{ _id: "1", name: "House 14", parentId: null, type: "house", childs_count: 0, nodes_below: 0 },
  ...{ devices_info: counts, childs_devices_info: counts, address: null, created_at: 1_793_491_200 },
  ...more,
});

type Suggested = ReplyOf<typeof addresses.dadata>;

/** The dialog of a node, or of a new one, with a server that suggests this. */
async function open(
  suggested: Partial<Suggested> | null,
  {
    node = null,
    access = anAccess("admin"),
  }: { readonly node?: TreeObject | null; readonly access?: object } = {},
) {
  const requests = stubServer({
    ...asUser(access),
    "objects/get_info_from_dadata": () =>
      suggested
        ? answer({ suggestions: [], is_configured: true, is_reached: true, ...suggested })
        : refusal(500, "server_error", "Failed"),
    "objects/add": () => answer({ object: aNode() }, 200, { msg: "Added" }),
    "objects/update": () => answer({ object: aNode() }, 200, { msg: "Saved" }),
  });
  await loadSession();
  const onClose = vi.fn();
  await draw(<NodeDialog node={node} parent={null} onClose={onClose} onSaved={() => undefined} />);
  return { requests, onClose };
}
const asked = (requests: readonly Request[]) =>
  Promise.all(
    requests
      .filter(({ url }) => url.endsWith("/objects/get_info_from_dadata"))
      .map(async (each) => ((await each.clone().json()) as { query: string }).query),
  );
const sent = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.find(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();
const options = () => [...document.querySelectorAll("[role=option]")].map((each) => each.textContent);
const suggestions = () => found(() => (options().length > 0 ? options() : null));
const value = (label: string) => field(label).value;

describe("the address of an object", () => {
  it("TREE-016 TREE-020: own addresses are suggested first; arrows choose one, and Enter fills in its parts", async () => {
    const { requests } = await open({ suggestions: [own, ofService] });
    await type(field("Name"), "House 14");
    await type(field("Address"), "sukhb");

    expect(await suggestions()).toEqual(["Darkhan, Sukhbaatar 14in use", "Mongolia, Erdenet, Sukhbaatar"]);
    const chosen = () => document.querySelector("[role=option][aria-selected=true]")?.textContent;
    const active = () => field("Address").getAttribute("aria-activedescendant");
    expect([chosen(), active(), field("Address").getAttribute("aria-expanded")]).toEqual([
      undefined,
      null,
      "true",
    ]);
    await press("ArrowUp");
    expect(chosen()).toBe("Mongolia, Erdenet, Sukhbaatar");
    await press("ArrowDown");
    expect(chosen()).toBeUndefined();
    await press("ArrowDown");
    expect([chosen(), document.getElementById(active() ?? "")?.textContent]).toEqual([
      "Darkhan, Sukhbaatar 14in use",
      "Darkhan, Sukhbaatar 14in use",
    ]);
    await press("Enter");

    expect([options(), value("Address"), value("City"), value("House")]).toEqual([
      [],
      "Darkhan, Sukhbaatar 14",
      "Darkhan",
      "14",
    ]);
    expect(requests.some(({ url }) => url.endsWith("objects/add"))).toBe(false);
    await press("Enter");
    const { source: _, ...address } = own;
    expect(await sent(requests, "objects/add")).toEqual({
      name: "House 14",
      type: "",
      address,
      parent_id: null,
    });
    expect(await asked(requests)).toEqual(["sukhb"]);
  });

  it("TREE-020: another address replaces every part and the coordinates of the former one", async () => {
    const { requests } = await open(
      { suggestions: [ofService] },
      { node: aNode({ address: { city: "Darkhan", block: "2", coordinates: [49.4669, 105.9621] } }) },
    );
    await type(field("Address"), "erdenet");
    await suggestions();
    await press("ArrowDown");
    await press("Enter");
    expect([value("Block"), value("Latitude")]).toEqual(["", ""]);
    await press("Enter");

    const { source: _, ...address } = ofService;
    expect(await sent(requests, "objects/update")).toEqual({
      _id: "1",
      address: { unrestricted_value: "Mongolia, Erdenet, Sukhbaatar", ...address },
    });
  });

  it("TREE-020: coordinates that were surveyed before there was an address stay", async () => {
    await open({ suggestions: [ofService] }, { node: aNode({ address: { coordinates: [49.5, 105.5] } }) });
    await type(field("Address"), "erdenet");
    await suggestions();
    await press("ArrowDown");
    await press("Enter");

    expect([value("City"), value("Latitude"), value("Longitude")]).toEqual(["Erdenet", "49.5", "105.5"]);
  });

  it("UI-059 TREE-025: Esc closes the suggestions and not the dialog; any text may stay", async () => {
    const { requests, onClose } = await open({ suggestions: [own] });
    await type(field("Name"), "House 15");
    await type(field("Address"), "Sukhbaatar 15, yard");
    await suggestions();
    await press("Escape");

    expect([options(), value("Address"), onClose.mock.calls.length]).toEqual([[], "Sukhbaatar 15, yard", 0]);
    await press("Enter");
    expect(await sent(requests, "objects/add")).toMatchObject({
      address: { unrestricted_value: "Sukhbaatar 15, yard" },
    });
  });

  it("TREE-025: with suggestions open, Enter saves what is typed unless one is chosen", async () => {
    const { requests } = await open({ suggestions: [own] });
    await type(field("Name"), "House 16");
    await type(field("Address"), "Sukhbaatar 16");
    await suggestions();
    await press("Enter");

    expect(await sent(requests, "objects/add")).toMatchObject({
      address: { unrestricted_value: "Sukhbaatar 16" },
    });
  });

  it.each([
    ["there is no service and nothing matches", { is_configured: false }],
    ["the call fails", null],
  ])("TREE-025: when %s, everything is typed by hand and nothing is shown", async (_, suggested) => {
    const { requests } = await open(suggested);
    await type(field("Name"), "House 17");
    await type(field("Address"), "Nowhere 17");
    await found(() => requests.some(({ url }) => url.endsWith("get_info_from_dadata")));
    await press("Enter");

    expect(await sent(requests, "objects/add")).toMatchObject({
      address: { unrestricted_value: "Nowhere 17" },
    });
    expect([options(), document.querySelector("[role=alert]")]).toEqual([[], null]);
  });

  it("TREE-025: a service that does not answer is told below the field", async () => {
    await open({ suggestions: [own], is_reached: false });
    await type(field("Address"), "sukhb");

    expect(await suggestions()).toHaveLength(1);
    expect(says("The address service does not answer")).toBe(true);
  });

  it("ACL-029: without the right to read objects, and for shorter texts, no suggestion is requested", async () => {
    const { requests } = await open({ suggestions: [own] }, { access: anAccess([4]) });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await type(field("Address"), "Sukhbaatar");
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();

    expect([await asked(requests), options()]).toEqual([[], []]);
  });
});
