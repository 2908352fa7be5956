// @vitest-environment happy-dom
import type { ListFile } from "@metrum/contract/core";
import type { InboxEntry } from "@metrum/contract/headend";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { CallersPage } from "./CallersPage.tsx";

useScreen("callers", "devices", "grid");
beforeEach(() => startSession("token"));

const caller: InboxEntry = {
  kind: "device",
  identity: "70b3d58ff1000a17",
  port: null,
  way: "c7/application/1/device/70b3d58ff1000a17/event/up",
  is_online: false,
  ip_address: "",
  first_at: 1_793_480_400,
  last_at: 1_793_491_200,
  count: 4,
  company_id: 7,
  company_name: "Darkhan",
  model_id: null,
  inside_addr: null,
};
const model = {
  ...{ id: 301, title: "SI-11", brand_id: 1, brand: "Vega", device_group_id: 1, device_type_id: 3 },
  ...{ interface_ids: [5], protocol: "vega", options: { control: {}, virtual_bridge: { active: false } } },
  ...{ tabs: {}, fields: [], has_own_starting_value: false, has_login: false, has_vectors: false },
};

const menuItem = (name: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find((each) => each.textContent === name),
  );
afterEach(() => vi.restoreAllMocks());

async function open(rows: readonly InboxEntry[]) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/inbox": () => answer({ inbox: rows }),
    "device/inbox/preview": () =>
      answer({
        messages: [{ at: 1_793_491_200, topic: caller.way, reason: "unknown device", bytes: 2, hex: "01ff" }],
        models: [{ model_id: 301, values: { in1: 12.5 } }],
      }),
    "device/model/metering_devices": () => answer({ metering_devices: [model] }),
    "device/inbox/create": () => answer({ gateway_id: null, device_id: 12, taken: 4 }),
  });
  await loadSession();
  await draw(<CallersPage />);
  return requests;
}

describe("DEV-066 unknown callers of a company", () => {
  it("are listed with what they come through, how often and since when", async () => {
    await open([caller]);
    await found(() => says(caller.identity));

    expect(says("ChirpStack")).toBe(true);
    expect(says("4 messages")).toBe(true);
    expect(says("Darkhan"), "its own company is none of its news").toBe(false);
  });

  it("are registered in two clicks: the model that decodes their message is preselected, its values are shown", async () => {
    const requests = await open([caller]);
    await found(() => says(caller.identity));

    await click(button(`Add: ${caller.identity}`));
    await found(() => says("12.5"));
    await found(() => field("Model").value === "301");
    expect(says("01 FF")).toBe(true);
    await click(button("Add and poll"));
    const sent = await found(() => requests.find(({ url }) => url.endsWith("inbox/create")));

    expect(await sent.clone().json()).toMatchObject({
      kind: "device",
      identity: caller.identity,
      model_id: 301,
      company_id: 7,
    });
    await found(() => says("4 messages taken over"));
  });

  it("XLS-010 are saved as a file with the times and texts of the user", async () => {
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const requests = await open([caller]);
    await found(() => says(caller.identity));

    await click(button("Save as a file"));
    await click(await menuItem("CSV"));
    await found(() => says("Saved:"));
    const request = await found(() => requests.at(-1));
    const { file } = (await request.json()) as { readonly file: ListFile };

    expect(file.columns.map(({ title, of }) => `${title}: ${of.join()}`)).toEqual([
      "Number: identity",
      "Who: kind",
      "Via: way",
      "Port: port",
      "Messages: count",
      "Online: is_online",
      "First: first_at",
      "Last: last_at",
    ]);
    expect(file.columns.map(({ words }) => words?.["device"] ?? words?.["true"])).toContain(
      "Device of a network",
    );
  });

  it("without any, says that every sender is registered", async () => {
    await open([]);

    await found(() => says("No unknown callers"));
  });
});
