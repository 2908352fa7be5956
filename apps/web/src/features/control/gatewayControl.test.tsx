// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { aGateway, gatewayModel } from "#testing/carriers.ts";
import { done, submit } from "#testing/control.tsx";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { GatewayControlDialog } from "./GatewayControlDialog.tsx";
import { hasGatewayControls } from "./hasControls.ts";
import { Parameters } from "./cards/Parameters.tsx";

useScreen("control", "bridge");
beforeEach(() => startSession("token"));

const whole = { kind: "number", unit: "none", minimum: 0, maximum: 255, step: 1 };
const control = {
  reset: { active: true },
  mts_activate: { active: true },
  setout: { active: true, settings: { setout: { choices: [0, 1] }, out: whole, duration: whole } },
  get_datetime: { active: true },
  time_set: { active: true, settings: { time_set: { kind: "datetime" } } },
  time_correct: { active: true, settings: { time_correct: { ...whole, minimum: -30, maximum: 30 } } },
  gateway_settings: {
    active: true,
    properties: { signal_level: { kind: "read" }, uptime: { kind: "read" } },
  },
  bytes: { active: true },
};
const aPort = (is_active: boolean) => ({
  ...{ id: 5, device_id: 7, model_class_id: 2, model_id: 622, name: "Basement", company_name: "C" },
  ...{ user_name: "N", host: "metrum.example", port: 20_001, is_active, address: "10.0.0.1" },
  ...{ opened_at: 1, ends_at: 2, seconds_left: 60, bytes_sent: 0, bytes_received: 0, end: null },
});

/** Opens the dialog of a gateway of this model. */
async function open(modelId = 622) {
  let isVisible = false;
  const model = {
    ...gatewayModel(modelId, "TRB145", [4], "tcp_client"),
    ...{ options: { control }, has_raw_payload: modelId === 2 },
  };
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/gateway/7": () => answer({ gateway: aGateway({ model_id: modelId }) }),
    "device/model/gateways": () => answer({ gateways: [model] }),
    "device/control/list": () => answer({ commands: pageOf([]) }),
    "device/control/state": () => answer({ freezes: [], asks_second_factor: false }),
    "devices/transparent_list": () => answer(pageOf(isVisible ? [aPort(true)] : [])),
    "device/transparent_listener_switch": () => {
      isVisible = !isVisible;
      return answer({ port: isVisible ? 20_001 : null });
    },
    "device/control": done,
  });
  await loadSession();
  const onClose = vi.fn();
  await draw(<GatewayControlDialog gateway_id={7} onClose={onClose} />);
  await found(() => !button("Read date and time").disabled);
  const bodiesOf = (path: string) =>
    Promise.all(
      requests.filter(({ url }) => url.endsWith(path)).map((each): Promise<unknown> => each.clone().json()),
    );
  return { onClose, bodiesOf, sent: () => bodiesOf("/device/control") };
}
/** Sends a command without arguments, after its question if it has one. */
async function send(name: string, isAsked: boolean) {
  await click(button(isAsked ? `${name}…` : name));
  if (isAsked) await click(await found(() => button(name)));
  await found(() => !button("Read date and time").disabled);
}

it("GWCTRL-001 GWCTRL-002 GWCTRL-013 GWCTRL-016 GWCTRL-017 reset, data transfer, the clock and each parameter of the model are sent by their keys", async () => {
  const { sent } = await open();

  await send("Reboot", true);
  await send("Activate data transfer", false);
  await send("Read date and time", false);
  await send("Signal level", false);
  await send("Uptime", false);

  expect(await sent()).toMatchObject([
    { id: 7, management: { reset: 1 } },
    { id: 7, management: { mts_activate: 1 } },
    { id: 7, management: { get_datetime: 1 } },
    { id: 7, management: { signal_level: 1 } },
    { id: 7, management: { uptime: 1 } },
  ]);
  // Not a parameter of this model.
  expect(says("Modem temperature")).toBe(false);
});

it("GWCTRL-002 parameters that a gateway has told stand above their buttons, with their units", async () => {
  await draw(<Parameters status={{ gateway_settings: { signal_level: -71, uptime: 60 } }} />);

  await found(() => says("Signal level−71 dBm") && says("Uptime60 s"));
});

it("GWCTRL-012 GWCTRL-014 the clock is corrected and set", async () => {
  const { sent } = await open();

  await type(field("Correction"), "5");
  await submit("Time correction");
  await found(() => !field("Date and time").matches(":disabled"));
  await type(field("Date and time"), "26.11.2026");
  await submit("Set date and time");
  await click(await found(() => button("Set date and time")));

  await found(async () => (await sent()).length === 2);
  expect(await sent()).toMatchObject([
    { management: { time_correct: 5 } },
    { management: { time_set: "2026-11-26 00:00" } },
  ]);
});

it("GWCTRL-007 GWCTRL-008 GWCTRL-011 an output needs its state and number, else msg_80; the duration is 0 to 255", async () => {
  const { sent } = await open();

  await submit("Output control");
  await found(() => says("The values entered are not valid"));
  expect([faultAt(field("State of the output")), faultAt(field("Output"))]).toEqual([
    "A value is missing",
    "A value is missing",
  ]);
  await type(field("State of the output"), "1");
  await type(field("Output"), "2");
  await type(field("Duration"), "300");
  expect(await sent()).toEqual([]);
  await submit("Output control");
  await click(await found(() => button("Switch on")));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { setout: 1, out: 2, duration: 255 } }]);
});

it("GWCTRL-003 raw bytes are offered for model 2 only", async () => {
  await open();
  expect(says("Free command")).toBe(false);
});

it("GWCTRL-003 with model 2 they are", async () => {
  await open(2);
  expect(says("Free command")).toBe(true);
});

it("GWCTRL-005 GWCTRL-006 GWCTRL-015 two buttons make the gateway visible and invisible; visible it shows its port", async () => {
  const { bodiesOf } = await open();
  await found(() => !button("Make visible").disabled);
  expect(button("Make invisible").disabled).toBe(true);
  expect(says("20001")).toBe(false);

  await click(button("Make visible"));
  await found(() => says("metrum.example:20001"));
  expect(button("Make visible").disabled).toBe(true);
  await click(button("Make invisible"));
  await found(() => !button("Make visible").disabled);

  expect(says("20001")).toBe(false);
  expect(await bodiesOf("transparent_listener_switch")).toEqual([
    { device_id: 7, on: true, model_class_id: 2 },
    { device_id: 7, on: false, model_class_id: 2 },
  ]);
});

it("GWCTRL-004 the dialog has a close button", async () => {
  const { onClose } = await open();

  await click([...document.querySelectorAll<HTMLElement>(".dialog-foot button")][0] ?? button("Close"));

  expect(onClose).toHaveBeenCalledOnce();
});

it("GWCTRL-009 models 223 and 224 always count as having control, others by their commands, in place only", () => {
  const plain = gatewayModel(601, "ATM21", [10], "dial_in");
  const known = [
    plain,
    { ...plain, id: 223, is_always_controlled: true },
    { ...plain, id: 224, is_always_controlled: true },
    { ...plain, id: 622, options: { control } },
  ].map((each) => ({ ...each, connection: "dial_in" as const }));
  const has = (model_id: number, more = {}) => hasGatewayControls(aGateway({ model_id, ...more }), known);

  expect([has(601), has(223), has(224), has(622)]).toEqual([false, true, true, true]);
  expect([has(223, { is_archived: true }), has(622, { is_deleted: true })]).toEqual([false, false]);
});
