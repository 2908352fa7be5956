// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, loseServer, stubServer } from "#testing/browser.ts";
import { button, click, draw, found, press, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { DeviceMenu } from "./DeviceMenu.tsx";
import type { DeviceRow } from "./devices.ts";

const file = vi.hoisted(() => ({ isMissing: true }));
vi.mock(import("./moves.ts"), (original) => {
  if (file.isMissing) throw new TypeError("Failed to fetch dynamically imported module");
  return original();
});

useScreen("devices");
beforeEach(() => startSession("token"));

const row: DeviceRow = { id: 7, name: "Meter 7", is_active: true, is_archived: false, is_deleted: false };
const context = { mayChange: true, mayDelete: true, known: [], onDialog: () => undefined };

async function moveToTrash(): Promise<void> {
  await click(button("Actions: Meter 7"));
  const items = () => [...document.querySelectorAll<HTMLElement>("[role=menuitem]")];
  await click(await found(() => items().find((each) => each.textContent === "To the trash")));
}

it("SHELL-034 moving a device without a connection reports the failure, and works once connected; a missing file needs a reload", async () => {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "/healthz": () => new Response("ok"),
    "device/metering_device/trash": () => answer({}, 200, { msg: "Moved" }),
  });
  await loadSession();
  await draw(<DeviceMenu row={row} context={context} />);
  // The menu itself is there.
  await click(button("Actions: Meter 7"));
  await found(() => says("To the trash"));
  await press("Escape");
  const restore = loseServer();

  await moveToTrash();
  await found(() => says("offline"));
  restore();
  await moveToTrash();
  await found(() => says("part_missing"));
  file.isMissing = false;
  await moveToTrash();

  await found(() => says("Moved"));
  expect(requests.filter(({ url }) => url.endsWith("metering_device/trash"))).toHaveLength(1);
});
