// @vitest-environment happy-dom
import type { BaseStation } from "@metrum/contract/metering";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { aStation } from "#testing/carriers.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { BaseStationsPage } from "./BaseStationsPage.tsx";
import { StationDialog } from "./StationDialog.tsx";

useScreen("baseStations", "carriers", "devices", "grid");
beforeEach(() => startSession("token"));

async function serve(rows: readonly BaseStation[], more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/base_stations": () =>
      answer({ base_stations: pageOf([...rows]), counts: { all: 2, archived: 0, deleted: 1 } }),
    "device/gateways": () => answer({ gateways: pageOf([]), counts: { all: 0, archived: 0, deleted: 0 } }),
    "device/metering_devices": () => answer({ metering_devices: pageOf([]) }),
    "device/model/base_stations": () =>
      answer({ base_stations: [{ id: 701, title: "BS-1.2", brand_id: 1, interface_ids: [1], options: {} }] }),
    ...more,
  });
  await loadSession();
  return requests;
}
const bodyOf = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();

it("BS-001 BS-004: are listed with radius, description and devices", async () => {
  await serve([aStation()]);

  await draw(<BaseStationsPage />);
  await found(() => says("Roof"));

  for (const text of [/^4.000 m$|4.000 m/, "North mast", "1c497bff", "BS-1.2"]) expect(says(text)).toBe(true);
  expect(says("Trash 1")).toBe(true);
});

it("BS-008: a name is needed; radius, description and number are sent", async () => {
  const requests = await serve([], {
    "device/base_station/create": () => answer({ base_station: aStation() }, 200, { msg: "Made" }),
  });
  await draw(<StationDialog station={null} onClose={() => undefined} />);
  await click(button("Add"));
  const fault = faultAt(field("Name"));

  await type(field("Name"), "Mast");
  await type(field("Radius"), "2500");
  await type(field("Pause between polls"), "5");
  await type(field("Description"), "South");
  await click(button("Add"));

  expect(fault).toBeTruthy();
  expect(await bodyOf(requests, "device/base_station/create")).toEqual({
    name: "Mast",
    radius: 2500,
    poll_pause: 5,
    model_id: null,
    device_id: "",
    desc: "South",
  });
});

it("BS-009: only what has been changed is sent, with the id", async () => {
  const requests = await serve([], {
    "device/base_station/edit": () => answer({ base_station: aStation() }, 200, { msg: "Saved" }),
  });
  await draw(<StationDialog station={aStation()} onClose={() => undefined} />);
  await found(() => says("BS-1.2"));
  await type(field("Name"), "Roof 2");
  await click(button("Save"));

  expect(await bodyOf(requests, "device/base_station/edit")).toEqual({ id: 9, name: "Roof 2" });
});

it("UI-003: a base station is archived after a popup, which can be refused", async () => {
  const requests = await serve([aStation()], {
    "device/base_station/archive": () => answer({}, 200, { msg: "Base stations archived: 1" }),
  });
  const asked = () => requests.filter(({ url }) => url.endsWith("base_station/archive")).length;
  await draw(<BaseStationsPage />);
  await found(() => says("Roof"));

  await click(button("Actions: Roof"));
  await click(button("To the archive"));
  await found(() => says("Move Roof to the archive?"));
  await click(button("Cancel"));
  expect(asked()).toBe(0);
  await click(button("Actions: Roof"));
  await click(button("To the archive"));
  await found(() => says("Move Roof to the archive?"));
  await click(button("To the archive"));

  await found(() => says("Base stations archived: 1"));
  expect(await bodyOf(requests, "device/base_station/archive")).toEqual({ ids: [9], is_archived: true });
});

it("BS-011 UI-004 UI-052: removal needs the typed number, else the message of base stations is shown", async () => {
  const requests = await serve([aStation({ is_deleted: true })]);
  await draw(<BaseStationsPage />);
  await found(() => says("Roof"));

  await click(button("Actions: Roof"));
  await click(button("Remove for good"));
  await type(await found(() => field("Type its number: 9")), "1");
  await click(button("Remove for good"));

  await found(() => says("The number entered does not match the base station"));
  expect(requests.some(({ method }) => method === "DELETE")).toBe(false);
});
