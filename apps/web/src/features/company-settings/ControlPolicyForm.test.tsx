// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { ControlPolicyForm } from "./ControlPolicyForm.tsx";

useScreen("companySettings", "settings");
beforeEach(() => startSession("token"));

const theSwitch = () => document.querySelector<HTMLInputElement>("[role=switch]");

async function open(save: (body: string) => Response) {
  let asks = false;
  const sent: unknown[] = [];
  stubServer({
    ...asUser(anAccess("admin")),
    "device/control/state": () => answer({ freezes: [], asks_second_factor: asks }),
    "device/control/policy": (body) => {
      const given = JSON.parse(body) as { asks_second_factor: boolean };
      sent.push(given);
      const said = save(body);
      if (said.ok) asks = given.asks_second_factor;
      return said;
    },
  });
  await loadSession();
  await draw(<ControlPolicyForm />);
  return { sent, control: await found(theSwitch) };
}

it("CTRL-104 an administrator makes commands of the company ask for a second factor", async () => {
  const { sent, control } = await open((body) => answer(JSON.parse(body), 200, { msg: "Saved" }));
  expect(control.checked).toBe(false);

  await click(control);
  await found(() => says("Not saved"));
  await click(button("Save"));

  await found(() => theSwitch()?.checked === true && !says("Not saved"));
  expect(sent).toEqual([{ asks_second_factor: true }]);
});

it("a refusal keeps the draft and is told", async () => {
  const { control } = await open(() =>
    refusal(403, "entered_refused", "Only users of the company change this"),
  );

  await click(control);
  await click(button("Save"));

  await found(() => says("Only users of the company change this"));
  expect(theSwitch()?.checked).toBe(true);
});
