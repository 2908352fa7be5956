// @vitest-environment happy-dom
import type { Gateway } from "@metrum/contract/metering";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { aGateway, aStation, gatewayModel } from "#testing/carriers.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { GatewayDialog } from "./GatewayDialog.tsx";
import { GatewayPage } from "./GatewayPage.tsx";
import { GatewaysPage } from "./GatewaysPage.tsx";
import { ReplaceDialog } from "#devices";

useScreen("gateways", "carriers", "devices", "grid", "control", "bridge");
beforeEach(() => startSession("token"));

const counts = { all: 41, archived: 3, deleted: 2 };

/** A server with these gateways; returns its requests. */
async function serve(rows: readonly Gateway[], more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/gateways": () => answer({ gateways: pageOf([...rows]), counts }),
    "device/base_stations": () =>
      answer({ base_stations: pageOf([aStation()]), counts: { all: 1, archived: 0, deleted: 0 } }),
    "device/metering_devices": () => answer({ metering_devices: pageOf([]) }),
    "device/model/gateways": () =>
      answer({
        gateways: [
          gatewayModel(601, "ATM21", [10, 4], "dial_in"),
          gatewayModel(621, "Mercury 250", [42, 7, 4], "tcp_client"),
        ],
      }),
    ...more,
  });
  await loadSession();
  return requests;
}
const sent = async (requests: readonly Request[], path: string): Promise<unknown> => {
  const request = await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)));
  return request.method === "DELETE" ? request.url : ((await request.clone().json()) as unknown);
};
const nothing = () => undefined;

describe("the list of gateways", () => {
  it("on a phone an empty list offers no selection", async () => {
    vi.stubGlobal("matchMedia", () => ({
      matches: true,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    await serve([]);

    await draw(<GatewaysPage />);
    await found(() => says("No gateways yet"));

    expect(document.querySelector(".list-choose")).toBeNull();
  });

  it("GW-001 GW-009: shows state, devices behind with the silent ones and the signal; tab and trash are counted", async () => {
    await serve([aGateway()]);

    await draw(<GatewaysPage />);
    await found(() => says("Basement"));

    expect(says("12, 3 silent")).toBe(true);
    expect(says("−71 dBm")).toBe(true);
    expect(says("Silent")).toBe(true);
    const tabs = [...document.querySelectorAll("[role=tab]")].map((tab) => tab.textContent);
    expect(tabs).toEqual(expect.arrayContaining(["Gateways41", "Base stations"]));
    expect(says("Trash 2")).toBe(true);
  });

  it("control is offered for models with commands, to those who may update, and opens its dialog", async () => {
    const controlled = { ...gatewayModel(622, "TRB145", [4], "tcp_client"), is_always_controlled: true };
    await serve([aGateway(), aGateway({ id: 8, name: "Roof", model_id: 622 })], {
      "device/model/gateways": () =>
        answer({ gateways: [gatewayModel(601, "ATM21", [10], "dial_in"), controlled] }),
      "device/gateway/8": () => answer({ gateway: aGateway({ id: 8, name: "Roof", model_id: 622 }) }),
      "device/control/list": () => answer({ commands: pageOf([]) }),
      "device/control/state": () => answer({ freezes: [], asks_second_factor: false }),
      "devices/transparent_list": () => answer(pageOf([])),
    });
    await draw(<GatewaysPage />);
    await found(() => says("Roof"));
    const entries = () =>
      [...document.querySelectorAll("[role=menuitem]")].map(({ textContent }) => textContent);

    await click(button("Actions: Basement"));
    await found(() => entries().length > 0);
    expect(entries()).not.toContain("Control…");
    await click(button("Actions: Basement"));
    await click(button("Actions: Roof"));
    await click(
      await found(() =>
        [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find(
          ({ textContent }) => textContent === "Control…",
        ),
      ),
    );

    await found(() => says("Control: Roof") && says("Virtual bridge"));
  });

  it("GW-002: before a gateway is trashed the number of devices no longer read is shown", async () => {
    const requests = await serve([aGateway()], {
      "device/gateway/remove_in_trash/7": () => answer({}, 200, { msg: "It is in the trash" }),
    });
    await draw(<GatewaysPage />);
    await found(() => says("Basement"));

    await click(button("Actions: Basement"));
    await click(button("To the trash"));
    await found(() => says("12 devices behind it are no longer read"));
    await click(button("To the trash"));

    expect(await sent(requests, "device/gateway/remove_in_trash/7")).toContain("/7");
    await found(() => says("It is in the trash"));
  });

  it("DEV-063: a gateway goes to the archive from its menu after a question, and the message offers to undo it", async () => {
    const requests = await serve([aGateway()], {
      "device/gateway/archive": () => answer({}, 200, { msg: "Gateways archived: 1" }),
    });
    await draw(<GatewaysPage />);
    await found(() => says("Basement"));

    await click(button("Actions: Basement"));
    await click(button("To the archive"));
    await found(() => says("Move Basement to the archive?") && says("are not read"));
    await click(button("To the archive"));
    await found(() => says("Gateways archived: 1"));
    await click(button("Undo"));

    expect(says("Archive 3")).toBe(true);
    await found(() => requests.filter(({ url }) => url.endsWith("device/gateway/archive")).length === 2);
    const bodies = requests.filter(({ url }) => url.endsWith("device/gateway/archive"));
    expect(await Promise.all(bodies.map((each): Promise<unknown> => each.clone().json()))).toEqual([
      { ids: [7], is_archived: true },
      { ids: [7], is_archived: false },
    ]);
  });

  it("GW-002: all gateways of the filter are changed by one call, after a question with their number", async () => {
    const two = { ...pageOf([aGateway(), aGateway({ id: 8, name: "Attic" })]), total: 4000 };
    const requests = await serve([], {
      "device/gateways": () => answer({ gateways: two, counts }),
      "device/gateways/change": () =>
        answer({ changed_count: 4000, refused: [] }, 200, { msg: "Changed: 4000" }),
    });
    await draw(<GatewaysPage />);
    await found(() => says("Basement"));

    await click(field("Select row"));
    await click(
      await found(() =>
        [...document.querySelectorAll("button")].find((each) => /All 4.000 of/.test(each.textContent)),
      ),
    );
    expect(document.querySelectorAll("tr[aria-selected=true]")).toHaveLength(2);
    await click(button("Switch off"));
    await found(() => says(/Switch off: 4.000\?/));
    await click(button("Switch off"));
    await found(() => says("Changed: 4000"));

    const sentBody = requests.find(({ url }) => url.endsWith("device/gateways/change"));
    expect(await sentBody?.clone().json()).toEqual({ action: "switch_off", filter: {} });
  });

  it.each([
    ["8", "The number entered does not match the gateway", false],
    ["7", "Gone for good", true],
  ])("GW-014 UI-004 UI-054: removal needs the typed number: %s", async (typed, text, isSent) => {
    const requests = await serve([aGateway({ is_deleted: true })], {
      "device/gateway/remove_from_trash/7": () => answer({}, 200, { msg: "Gone for good" }),
    });
    await draw(<GatewaysPage />);
    await found(() => says("Basement"));

    await click(button("Actions: Basement"));
    await click(button("Remove for good"));
    await type(await found(() => field("Type its number: 7")), typed);
    await click(button("Remove for good"));

    await found(() => says(text));
    expect(requests.some(({ url }) => url.includes("remove_from_trash"))).toBe(isSent);
  });
});

describe("the page of a gateway", () => {
  it("GW-014: after its permanent removal it is shown as missing", async () => {
    let isRemoved = false;
    await serve([], {
      "device/gateway/": () =>
        isRemoved
          ? refusal(404, "not_found", "There is none")
          : answer({ gateway: aGateway({ is_deleted: true }) }),
      "device/gateway/remove_from_trash/7": () => {
        isRemoved = true;
        return answer({}, 200, { msg: "Gone for good" });
      },
    });
    await draw(<GatewayPage />);
    await found(() => says("Under the stairs"));

    await click(button("Actions: Basement"));
    await click(button("Remove for good"));
    await type(await found(() => field("Type its number: 7")), "7");
    await click(button("Remove for good"));

    await found(() => says("There is no such gateway"));
    expect(says("Under the stairs")).toBe(false);
  });
});

describe("the form of a gateway", () => {
  it("GW-008 GW-011: its model determines the interfaces; all fields are sent", async () => {
    const requests = await serve([], {
      "device/gateway/create": () => answer({ gateway: aGateway() }, 200, { msg: "Made" }),
    });
    await draw(<GatewayDialog gateway={null} onClose={nothing} />);
    await found(() => says("Mercury 250"));

    await type(field("Name"), "Boiler house");
    await type(field("Model"), "601");
    await type(field("Interface"), "4");
    await type(field("Number (IMEI or serial)"), "356700000000002");
    await type(field("Pause between polls"), "15");
    await click(button("Add"));

    expect(await sent(requests, "device/gateway/create")).toEqual({
      name: "Boiler house",
      device_id: "356700000000002",
      model_id: 601,
      interface_id: 4,
      desc: "",
      phone_number: "",
      base_station_id: null,
      report_period_update: 3600,
      warning_report_period: 86_400,
      poll_pause: 15,
      dlms_wrapper: false,
      timezone_name: "",
    });
  });

  it("GW-008: if the models cannot be loaded, the reason is shown and loading can be retried", async () => {
    let isDown = true;
    await serve([], {
      "device/model/gateways": () =>
        isDown
          ? refusal(404, "not_found", "No catalogue")
          : answer({ gateways: [gatewayModel(601, "ATM21", [10, 4], "dial_in")] }),
    });
    await draw(<GatewayDialog gateway={null} onClose={nothing} />);
    await found(() => says("No catalogue"));

    isDown = false;
    await click(button("Retry"));

    await found(() => says("ATM21"));
    expect(says("No catalogue")).toBe(false);
  });

  it("GW-008: its base station is one of the company", async () => {
    const requests = await serve([], {
      "device/gateway/edit": () => answer({ gateway: aGateway() }, 200, { msg: "Saved" }),
    });
    await draw(<GatewayDialog gateway={aGateway()} onClose={nothing} />);
    await found(() => says("Roof"));
    await type(field("Base station"), "9");
    await click(button("Save"));

    expect(await sent(requests, "device/gateway/edit")).toMatchObject({ base_station_id: 9 });
  });

  it("GW-007 GWCTRL-010: login and password appear on ethernet_uspd only, and both are needed there", async () => {
    const requests = await serve([], {
      "device/gateway/create": () => answer({ gateway: aGateway() }, 200, { msg: "Made" }),
    });
    await draw(<GatewayDialog gateway={null} onClose={nothing} />);
    await found(() => says("Mercury 250"));
    await type(field("Name"), "Concentrator");
    await type(field("Number (IMEI or serial)"), "250-1");
    await type(field("Model"), "601");
    const before = says("Login");
    await type(field("Model"), "621");

    await click(button("Add"));
    const faults = [faultAt(field("Login")), faultAt(field("Password"))];
    await type(field("Login"), "reader");
    await type(field("Password"), "s3cret");
    await click(button("Add"));

    expect(before).toBe(false);
    expect(faults).toEqual([
      "Enter login and password of the gateway",
      "Enter login and password of the gateway",
    ]);
    expect(await sent(requests, "device/gateway/create")).toMatchObject({
      interface_id: 42,
      login: "reader",
      password: "s3cret",
    });
  });

  it("GW-007 GW-012: a stored password is not shown and not sent again", async () => {
    const requests = await serve([], {
      "device/gateway/edit": () => answer({ gateway: aGateway() }, 200, { msg: "Saved" }),
    });
    const gateway = aGateway({ model_id: 621, interface_id: 42, login: "reader", has_password: true });
    await draw(<GatewayDialog gateway={gateway} onClose={nothing} />);
    await found(() => says("Mercury 250"));

    const shown = field("Password").value;
    await type(field("Description"), "moved");
    await click(button("Save"));
    const body = await sent(requests, "device/gateway/edit");

    expect(shown).toBe("");
    expect(body).toEqual({ id: 7, desc: "moved" });
  });

  it("GW-011: a taken number is shown at its field", async () => {
    await serve([], {
      "device/gateway/create": () =>
        refusal(409, "identifier_taken", "Already taken: Roof", { device_id: ["identifier_taken"] }),
    });
    await draw(<GatewayDialog gateway={null} onClose={nothing} />);
    await found(() => says("Mercury 250"));
    await type(field("Name"), "Twin");
    await type(field("Model"), "601");
    await type(field("Number (IMEI or serial)"), "1");
    await click(button("Add"));

    await found(() => faultAt(field("Number (IMEI or serial)")));
    expect(faultAt(field("Number (IMEI or serial)"))).toBe("Already taken: Roof");
  });
});

describe("another gateway", () => {
  const offered = () =>
    answer({ gateways: [aGateway(), aGateway({ id: 8, name: "Attic", device_id: "356700000000008" })] });
  const dialog = (...ids: number[]) => (
    <ReplaceDialog
      devices={ids.map((id) => ({ id, name: `Meter ${String(id)}`, inside_addr: "3" }))}
      gatewayId={7}
      onClose={nothing}
      onMoved={nothing}
    />
  );

  it("GW-004 GW-006: only compatible gateways other than the present one are offered; the address moves with the device", async () => {
    const requests = await serve([], {
      "device/gateways/compatible": offered,
      "device/gateway/replace": () => answer({}, 200, { msg: "Moved" }),
    });
    await draw(dialog(21));
    await found(() => says("Attic"));

    const options = [...field("Gateway").querySelectorAll("option")].map(({ value }) => value);
    await type(field("Gateway"), "8");
    await type(field("Address on the line"), "17");
    await click(button("Move"));

    expect(options).toEqual(["", "8"]);
    expect(await sent(requests, "device/gateways/compatible")).toEqual({ device_ids: [21] });
    expect(await sent(requests, "device/gateway/replace")).toEqual({
      device_id: 21,
      gateway_id: 8,
      inside_addr: "17",
    });
  });

  it("GW-005: several devices move at once and keep their addresses", async () => {
    const requests = await serve([], {
      "device/gateways/compatible": offered,
      "device/gateway/mass_replace": () => answer({}, 200, { msg: "Moved" }),
    });
    await draw(dialog(21, 22));
    await found(() => says("Attic"));
    await type(field("Gateway"), "8");
    await click(button("Move"));

    expect(await sent(requests, "device/gateway/mass_replace")).toEqual({
      items: [
        { device_id: 21, gateway_id: 8 },
        { device_id: 22, gateway_id: 8 },
      ],
    });
  });

  it("GW-006: without a compatible gateway nothing can be sent", async () => {
    await serve([], { "device/gateways/compatible": () => answer({ gateways: [aGateway()] }) });
    await draw(dialog(21));

    await found(() => says("No other gateway has an interface common to these devices."));
    expect(button("Move").disabled).toBe(true);
  });
});
