// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { changeLanguage } from "#lib/i18n";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal } from "#testing/browser.ts";
import { aCommand, done, openControl } from "#testing/control.tsx";
import { button, click, field, found, press, says, type, useScreen } from "#testing/dom.tsx";

useScreen("control", "bridge", "freeze");
beforeEach(() => startSession("token"));

it("CTRL-085 CTRL-108 who, when, what and the outcome; an unknown one is read back, never sent again", async () => {
  const { sent } = await openControl({
    "device/control/list": () =>
      answer({
        commands: pageOf([
          aCommand({ id: 2, state: "unknown", message: "connection lost after sending" }),
          aCommand({ id: 1, state: "failed", message: "refused by the meter" }),
        ]),
      }),
  });

  await found(
    () => says("Outcome unknown, connection lost after sending") && says("Failed, refused by the meter"),
  );
  expect(says("Engineer") && says("Load Switch off")).toBe(true);
  // Of the failed one only.
  expect(
    [...document.querySelectorAll(".control-history li button")].map(({ textContent }) => textContent),
  ).toEqual(["Read it back", "Send again"]);
  await click(button("Read it back"));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { relay_state: 1 } }]);
});

it("CTRL-085 what the platform says of an outcome is in the language of the reader, what the device says is introduced", async () => {
  await changeLanguage("ru");
  try {
    await openControl({
      "device/control/list": () =>
        answer({
          commands: pageOf([
            aCommand({ id: 4, state: "unknown", message_code: "handed_over", result_code: 1 }),
            aCommand({ id: 3, state: "failed", message_code: "network_refused", message: "HTTP 404" }),
            aCommand({ id: 2, state: "failed", message: "object undefined, 4", result_code: 3 }),
            aCommand({ id: 1, state: "unknown", result_code: 1 }),
          ]),
        }),
    });

    await found(() => says("передана в сеть; прибор не подтверждает такие команды"));
    expect(says("сетевой сервер не принял команду: HTTP 404")).toBe(true);
    expect(says("Прибор отказал: object undefined, 4")).toBe(true);
    expect(says("Нет ответа")).toBe(true);
  } finally {
    await changeLanguage("en");
  }
});

it("CTRL-109 a freeze by the provider is visible with its reason", async () => {
  await openControl({
    "device/control/state": () =>
      answer({
        freezes: [{ company_id: null, company_name: null, reason: "Flood", since: 1, user_name: "Bold" }],
        asks_second_factor: false,
      }),
  });

  await found(() => says("The provider has stopped control of devices: Flood"));
});

it("CTRL-104 a command that asks for a proof asks for the password, and is sent with it", async () => {
  let asked = 0;
  const { sent } = await openControl({
    "device/control": () => {
      asked += 1;
      return asked === 1 ? refusal(409, "control_proof", "Confirm the command") : done();
    },
  });

  await click(button("Relay state"));
  await found(() => says("Enter your password again"));
  await type(field("Password"), "secret-1");
  await press("Enter");

  await found(() => says("The device has done it"));
  expect((await sent()).at(-1)).toMatchObject({ current_password: "secret-1" });
});

it("CTRL-104 a user with a second factor is asked for a code when only that is accepted", async () => {
  let asked = 0;
  const { sent } = await openControl({
    "device/control": () => {
      asked += 1;
      const missing = { one_t_p: ["required"] };
      return asked === 1 ? refusal(409, "control_proof", "Confirm the command", missing) : done();
    },
  });

  await click(button("Relay state"));
  await found(() => says("Enter a one-time code"));
  await type(field("One-time code"), "123456");
  await press("Enter");

  await found(() => says("The device has done it"));
  expect((await sent()).at(-1)).toMatchObject({ one_t_p: "123456" });
});

it("CTRL-046 a time to be set is not sent again: it has passed", async () => {
  await openControl({
    "device/control/list": () =>
      answer({
        commands: pageOf([
          aCommand({
            id: 2,
            key: "time_set",
            management: { time_set: "2026-11-01 12:00" },
            state: "expired",
          }),
          aCommand({ id: 1, state: "expired" }),
        ]),
      }),
  });

  await found(() => document.querySelector(".control-history li button"));
  expect(document.querySelectorAll(".control-history li button")).toHaveLength(1);
});

it("CTRL-090 each block says when it was read", async () => {
  await openControl();

  expect(says(/Read 01\.11\.2026/) || says(/Read \d\d\.\d\d\.2026/)).toBe(true);
  expect(says("Never read")).toBe(true);
});

it("CTRL-085 a history that cannot be read is never shown as an empty one, and can be read again", async () => {
  let isAway = true;
  await openControl({
    "device/control/list": () =>
      isAway ? refusal(500, "internal", "Internal error") : answer({ commands: pageOf([aCommand()]) }),
  });

  await found(() => says("The history could not be read."));
  expect(says("Nothing has been sent to this device yet.")).toBe(false);
  isAway = false;
  await click(button("Try again"));

  await found(() => says("Engineer"));
  expect(says("The history could not be read.")).toBe(false);
});
