// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { draw, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { BridgeDialog } from "#bridge";
import { BulkControlDialog } from "#control";
import { FreezeNote } from "./FreezeNote.tsx";

useScreen("freeze", "bridge", "bulkControl", "control");
beforeEach(() => startSession("token"));

const freeze = { company_id: 3, company_name: "C", reason: "Flood", since: 1_800_000_000, user_name: "Bold" };

async function open(node: React.ReactNode, freezes: readonly object[]) {
  stubServer({
    ...asUser(anAccess("admin")),
    "device/control/state": () => answer({ freezes, asks_second_factor: false }),
    "devices/transparent_list": () => answer(pageOf([])),
    "device/list": () => answer({ metering_devices: [] }),
  });
  await loadSession();
  await draw(node);
}
const note = () => document.querySelector("[role=alert].freeze-note");
const close = () => undefined;

it("CTRL-109 says why, who and since when, in the time zone of the user", async () => {
  await open(<FreezeNote />, [freeze]);

  const shown = await found(note);
  expect(shown.textContent).toContain("The provider has stopped control of devices: Flood");
  expect(shown.textContent).toMatch(/Stopped 15\.01\.2027 16:00.*, Bold/);
});

it("CTRL-109 shows nothing while control is allowed", async () => {
  await open(
    <>
      <FreezeNote />
      <p>Below</p>
    </>,
    [],
  );

  await found(() => says("Below"));
  expect(note()).toBeNull();
});

it.each([
  ["a transparent port", <BridgeDialog key="b" device={{ id: 7, name: "Mill" }} onClose={close} />],
  [
    "a command to many devices",
    <BulkControlDialog key="m" devices={{ device_ids: [7] }} count={1} onClose={close} />,
  ],
])("CTRL-109 the dialog of %s shows it", async (_, dialog) => {
  await open(dialog, [freeze]);

  await found(note);
  expect(document.querySelector("[role=dialog], dialog")?.contains(note())).toBe(true);
});
